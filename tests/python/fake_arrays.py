"""Arrays in the memory of the fake device, as other packages export theirs: two protocols, written
down here from their specifications, without weft's help."""

import ctypes

import numpy as np

from weft._weft import fake


class OnDevice:
    """A copy of a numpy array, gaps included, in device memory."""

    def __init__(self, array, of_another=False):
        self.shape, self.dtype, self.strides = array.shape, array.dtype, array.strides
        self.bytes = span(array)
        self.memory = fake.Memory(max(self.bytes, 1), of_another)
        self.read_only = False
        self.exports = 0
        self.set(array)

    def set(self, array):
        room = np.zeros(max(self.bytes, 1), np.uint8)
        np.ndarray(self.shape, self.dtype, room, strides=self.strides)[...] = array
        self.memory.write(room.ctypes.data)

    def get(self):
        room = np.zeros(max(self.bytes, 1), np.uint8)
        self.memory.read(room.ctypes.data)
        return np.ndarray(self.shape, self.dtype, room, strides=self.strides).copy()


def span(array):
    """Bytes from an array's first element to its last."""
    if array.size == 0:
        return 0
    steps = sum((n - 1) * step for n, step in zip(array.shape, array.strides))
    return steps + array.dtype.itemsize


class CudaArray(OnDevice):
    """By https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html, version 3."""

    stream = None

    @property
    def __cuda_array_interface__(self):
        self.exports += 1
        return {"shape": self.shape, "typestr": self.dtype.str, "version": 3,
                "data": (self.memory.address, self.read_only), "strides": self.strides,
                "stream": self.stream}


class _DType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("dtype", _DType),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


_alive = {}
_delete = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda address: _alive.pop(address, None))
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class DlpackArray(OnDevice):
    """By https://dmlc.github.io/dlpack/latest/python_spec.html; `versions`: also of 1.0."""

    device_type = 12  # kDLExtDev
    versions = True
    offset = 0

    def __dlpack_device__(self):
        return self.device_type, 0

    def __dlpack__(self, **keywords):
        unknown = set(keywords) - {"stream", "max_version" if self.versions else "stream"}
        if unknown:
            raise TypeError(f"__dlpack__() got an unexpected keyword argument {unknown.pop()}")
        self.exports += 1
        self.told = keywords.get("stream")
        managed = _Versioned() if self.versions else _Managed()
        if self.versions:
            managed.major, managed.flags = 1, self.read_only
        managed.deleter = ctypes.cast(_delete, ctypes.c_void_p)
        extents = (ctypes.c_int64 * len(self.shape))(*self.shape)
        unit = self.dtype.itemsize
        steps = (ctypes.c_int64 * len(self.shape))(*(step // unit for step in self.strides))
        code = {"i": 0, "u": 1, "f": 2, "c": 5}[self.dtype.kind]
        managed.tensor = _Tensor(self.memory.address - self.offset, self.device_type, 0,
                                 len(self.shape), _DType(code, 8 * unit, 1), extents,
                                 steps, self.offset)
        _alive[ctypes.addressof(managed)] = managed, extents, steps, self
        name = b"dltensor_versioned" if self.versions else b"dltensor"
        return _new_capsule(ctypes.addressof(managed), name, None)


class OldDlpackArray(DlpackArray):
    versions = False


class OffsetDlpackArray(DlpackArray):
    offset = 64


def exported():
    """Tensors that somebody still holds."""
    return len(_alive)
