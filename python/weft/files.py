"""Distributed arrays in files: numpy's .npy by MPI-IO, and HDF5 by h5py."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Optional, Union, cast

import numpy as np

from .communicator import agreed, communicator
from .distribution import Distribution
from .end import Array, Slices, extents
from .errors import BadRequest, Code, Error

if TYPE_CHECKING:
    from mpi4py import MPI
    from typing_extensions import Self

Path = Union[str, "os.PathLike[str]"]


class Files:
    """What DistArray has to do with files. All calls are collective; every rank raises the same
    BadRequest if a file cannot be opened or read."""

    distribution: Distribution
    _local: Array

    if TYPE_CHECKING:
        @property
        def views(self) -> list[Array]: ...
        @classmethod
        def empty(cls, shape: Any, dtype: Any, layout: str, comm: Optional[MPI.Comm]) -> Self: ...

    def save(self, path: Path) -> None:
        """Collective. Writes the whole array to a .npy file, in C order, as numpy.save does."""
        comm, dtype = self.distribution.comm, self._local.dtype
        start = comm.bcast(agreed(comm, lambda: self._written_header(path)))
        with _opened(comm, path, write=True) as file:
            file.Set_size(start + dtype.itemsize * int(np.prod(self.distribution.shape,
                                                               dtype=np.int64)))
            for box, view in _turns(self):
                _place(file, start, self.distribution.shape, box, dtype, fortran=False)
                _transfer(file.Write_all, np.ascontiguousarray(view))

    def _written_header(self, path: Path) -> int:
        """Rank 0 writes what numpy needs to know; the bytes it takes."""
        if self.distribution.comm.rank != 0:
            return 0
        dtype = self._local.dtype
        if dtype.hasobject:
            raise BadRequest(f"an array of dtype {dtype} holds Python objects")
        with open(path, "wb") as file:
            np.lib.format.write_array_header_1_0(file, {
                "descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False,
                "shape": self.distribution.shape})
            return file.tell()

    @classmethod
    def load(cls, path: Path, layout: str = "slab(0)", comm: Optional[MPI.Comm] = None) -> Self:
        """Collective. Reads a .npy file, in C or Fortran order: each rank reads its part of it."""
        comm, _ = communicator(comm)
        header = agreed(comm, lambda: _read_header(path) if comm.rank == 0 else None)
        shape, fortran, dtype, start = comm.bcast(header)
        made = cls.empty(shape, dtype, layout, comm)
        with _opened(comm, path, write=False) as file:
            for box, view in _turns(made):
                _place(file, start, shape, box, dtype, fortran)
                values = np.empty(view.shape, dtype, "F" if fortran else "C")
                _transfer(file.Read_all, values)
                view[...] = values
        return made

    def save_hdf5(self, path: Path, dataset: str) -> None:
        """Collective. Writes the array as a dataset of a new HDF5 file, by h5py built with MPI (on
        one rank, any). Raises Error(NOT_AVAILABLE) on every rank without it."""
        comm = self.distribution.comm
        with _opened_hdf5(comm, path, "w") as file:
            target = file.create_dataset(dataset, self.distribution.shape, self._local.dtype)
            for box, view in zip(self.distribution.end.boxes, self.views):
                target[box] = view

    @classmethod
    def load_hdf5(cls, path: Path, dataset: str, layout: str = "slab(0)",
                  comm: Optional[MPI.Comm] = None) -> Self:
        """Collective. Reads a dataset of an HDF5 file: each rank its part. Raises as save_hdf5()."""
        comm, _ = communicator(comm)
        with _opened_hdf5(comm, path, "r") as file:
            source = agreed(comm, lambda: file[dataset])
            made = cls.empty(source.shape, source.dtype, layout, comm)
            for box, view in zip(made.distribution.end.boxes, made.views):
                view[...] = source[box]
        return made


def _opened_hdf5(comm: MPI.Comm, path: Path, mode: str) -> Any:
    """Collective. The opened file."""
    try:
        h5py: Any = importlib.import_module("h5py")
        missing = "" if comm.size == 1 or h5py.get_config().mpi else "h5py is built without MPI"
    except ImportError as error:
        missing = str(error)
    if any(comm.allgather(missing)):
        raise Error("HDF5 on several ranks needs h5py built with MPI, as save() and load() do not: "
                    f"{max(comm.allgather(missing))}", Code.NOT_AVAILABLE)
    options: Any = {} if comm.size == 1 else {"driver": "mpio", "comm": comm}
    return agreed(comm, lambda: h5py.File(path, mode, **options))


def _read_header(path: Path) -> tuple[Any, ...]:
    """Shape, whether in Fortran's order, dtype, and where the elements begin."""
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            header = np.lib.format.read_array_header_1_0(file)
        else:
            header = np.lib.format.read_array_header_2_0(file)
        shape, fortran, dtype = header
        if dtype.hasobject or not 1 <= len(shape) <= 6 or 0 in shape:
            raise BadRequest(f"{path} has shape {shape} and dtype {dtype}; 1 to 6 lengths and plain "
                             "numbers can be read")
        start, needed = file.tell(), dtype.itemsize * int(np.prod(shape, dtype=np.int64))
        if (left := os.fstat(file.fileno()).st_size - start) < needed:
            raise BadRequest(f"{path} is cut off: {left} bytes of elements of {needed}")
        return shape, fortran, dtype, start


@contextlib.contextmanager
def _opened(comm: MPI.Comm, path: Path, write: bool) -> Iterator[MPI.File]:
    from mpi4py import MPI

    mode = MPI.MODE_WRONLY if write else MPI.MODE_RDONLY
    group = cast(MPI.Intracomm, comm)
    file = agreed(comm, lambda: MPI.File.Open(group, os.fspath(path), mode))
    try:
        yield file
    finally:
        file.Close()


def _turns(array: Any) -> list[tuple[Slices, Array]]:
    """Boxes and their views, as many on every rank, because MPI-IO's calls are collective."""
    own = list(zip(array.distribution.end.boxes, array.views))
    turns = max(array.distribution.comm.allgather(len(own)))
    dims = len(array.distribution.shape)
    nothing = ((slice(0, 0),) * dims, np.empty((0,) * dims, array.dtype))
    return own + [nothing] * (turns - len(own))


def _place(file: Any, start: int, shape: tuple[int, ...], box: Slices, dtype: np.dtype[Any],
           fortran: bool) -> None:
    """Collective. Makes the box, as it lies in the file, what the next call reads or writes."""
    from mpi4py import MPI

    element = MPI.BYTE.Create_contiguous(dtype.itemsize).Commit()
    if extents(box)[0] == 0:
        file.Set_view(start, element, element)
        element.Free()
        return
    order = MPI.ORDER_FORTRAN if fortran else MPI.ORDER_C
    part = element.Create_subarray(shape, extents(box), [cut.start for cut in box], order).Commit()
    file.Set_view(start, element, part)
    part.Free()
    element.Free()


def _transfer(call: Callable[[Any], None], values: Array) -> None:
    """Collective. Reads or writes all elements, in rows of bytes, so that counts stay small."""
    from mpi4py import MPI

    if values.size == 0:
        call([values, 0, MPI.BYTE])
        return
    bytes_ = values.dtype.itemsize * max(values.shape)
    row = MPI.BYTE.Create_contiguous(bytes_).Commit()
    call([values, values.nbytes // bytes_, row])
    row.Free()
