"""Arrays of other packages, as plans see them: where they lie, and how. Nothing is copied.

CuPy, PyTorch, Numba and JAX tell it by `__cuda_array_interface__` or by DLPack:

    view_of(cupy.zeros((4, 6)))     # dtype float64, shape (4, 6), strides (48, 8), at 0x7f..
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import DTypeLike

from . import _weft

Shape = tuple[int, ...]

# DLPack's kinds of memory. Which of them a plan can use is seen by the address.
_CPU, _CUDA, _CUDA_HOST, _ROCM, _ROCM_HOST, _EXT_DEV, _CUDA_MANAGED = 1, 2, 3, 10, 11, 12, 13
_known_memory = (_CPU, _CUDA, _CUDA_HOST, _ROCM, _ROCM_HOST, _EXT_DEV, _CUDA_MANAGED)
_kinds = {0: "i", 1: "u", 2: "f", 5: "c"}


class View:
    """What is known of an array; like numpy's, strides count bytes. `owner` keeps its memory."""

    def __init__(self, owner: object, address: int, dtype: DTypeLike, shape: Shape,
                 strides: Optional[Shape], writeable: bool, stream: Optional[int] = None) -> None:
        self.owner = owner
        self.address = address
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.shape = tuple(shape)
        self.strides = _row_major(self.shape, self.dtype) if strides is None else tuple(strides)
        self.writeable = writeable
        self.stream = stream

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize


def view_of(array: Any, stream: Optional[int] = None) -> Optional[View]:
    """How an array lies in memory; None if it is none that can be seen.

    stream: the one in which it is going to be used, of which its owner is told. Raises whatever
    its owner raises, and TypeError with the reason if weft cannot use such an array.
    """
    if isinstance(array, np.ndarray):
        return View(array, array.ctypes.data, array.dtype, array.shape, array.strides,
                    array.flags.writeable)
    if isinstance(local := getattr(array, "local", None), np.ndarray):  # A DistArray.
        return view_of(local)
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is not None:
        return _of_interface(array, interface)
    if hasattr(array, "__dlpack__"):
        return _of_dlpack(array, stream)
    return None


def _of_interface(array: object, interface: dict[str, Any]) -> View:
    if interface.get("mask") is not None:
        raise TypeError("it has a mask")
    address, read_only = interface["data"]
    return View(array, address, interface["typestr"], interface["shape"], interface.get("strides"),
                not read_only, interface.get("stream"))


def _of_dlpack(array: Any, stream: Optional[int]) -> View:
    memory, _ = array.__dlpack_device__()
    if memory not in _known_memory:
        raise TypeError(f"its memory is of DLPack's device type {int(memory)}, which weft does not "
                        "know")
    tensor = _weft.tensor_of(_capsule(array, _told(memory, stream)))
    if tensor.code not in _kinds or tensor.lanes != 1:
        raise TypeError(f"its elements are of DLPack's type {tensor.code}, {tensor.bits} bits")
    dtype = np.dtype(f"{_kinds[tensor.code]}{tensor.bits // 8}")
    strides = tuple(step * dtype.itemsize for step in tensor.strides)
    return View((array, tensor), tensor.address, dtype, tuple(tensor.shape), strides,
                tensor.writeable)


def _told(memory: int, stream: Optional[int]) -> Optional[int]:
    """What its owner is told of the stream: -1 is nothing, for which it then has nothing to do."""
    if memory not in (_CUDA, _ROCM, _CUDA_MANAGED):
        return None
    if stream is None:
        return -1
    return 1 if stream == 0 and memory != _ROCM else stream  # CUDA's default stream is 1 there.


def _capsule(array: Any, stream: Optional[int]) -> object:
    try:
        return array.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:  # Of before that version, which has no flag for what is read-only.
        return array.__dlpack__(stream=stream)


def _row_major(shape: Shape, dtype: np.dtype[Any]) -> Shape:
    steps: list[int] = []
    step = dtype.itemsize
    for extent in reversed(shape):
        steps.append(step)
        step *= extent
    return tuple(reversed(steps))
