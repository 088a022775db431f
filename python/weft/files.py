"""Distributed arrays in files: numpy's .npy by MPI-IO, and HDF5 by h5py."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional, Union, cast

import numpy as np

from .communicator import agreed, communicator
from .distribution import Distribution
from .end import Array, Shape
from .errors import BadRequest, Code, Error

if TYPE_CHECKING:
    from mpi4py import MPI
    from typing_extensions import Self

Path = Union[str, "os.PathLike[str]"]


class Files:
    """Files of DistArray. All calls are collective; every rank raises the same BadRequest if a file
    cannot be opened or read."""

    distribution: Distribution
    _local: Array

    if TYPE_CHECKING:
        @property
        def views(self) -> list[Array]: ...
        @property
        def nbytes(self) -> int: ...
        def _moved(self, layout: str) -> Self: ...
        @classmethod
        def empty(cls, shape: Any, dtype: Any, layout: str, comm: Optional[MPI.Comm]) -> Self: ...

    def save(self, path: Path) -> None:
        """Collective. Writes the whole array to a .npy file, in C order, as numpy.save does.

        The array is redistributed first, so that each rank writes long runs of bytes.
        """
        comm = self.distribution.comm
        start = comm.bcast(agreed(comm, lambda: self._written_header(path)))
        rows = self._moved(_rows(self.distribution.shape, comm.size, fortran=False))
        with _opened(comm, path, write=True) as file:
            file.Set_size(start + rows.nbytes)
            for offset, run in _runs(rows, fortran=False):
                file.Write_at(start + offset, [run, run.nbytes, _byte()])

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
        agreed(comm, lambda: Distribution.of_layout(shape, layout, comm))
        rows = cls.empty(shape, dtype, _rows(shape, comm.size, fortran), comm)
        with _opened(comm, path, write=False) as file:
            for offset, run in _runs(rows, fortran):
                file.Read_at(start + offset, [run, run.nbytes, _byte()])
        return rows._moved(layout)

    def save_hdf5(self, path: Path, dataset: str) -> None:
        """Collective. Writes the array as a dataset of a new HDF5 file, by h5py. All ranks write at
        once if h5py is built with MPI, otherwise one after the other. Raises Error(NOT_AVAILABLE)
        on every rank if one has no h5py."""
        comm = self.distribution.comm
        h5py, options = _hdf5(comm)

        def write(file: Any) -> None:
            for box, view in zip(self.distribution.end.boxes, self.views):
                file[dataset][box] = view

        def create(file: Any) -> None:
            file.create_dataset(dataset, self.distribution.shape, self._local.dtype)

        if options or comm.size == 1:
            with agreed(comm, lambda: _hdf5_file(h5py, path, "w", options)) as file:
                agreed(comm, lambda: create(file))
                agreed(comm, lambda: write(file))
            return

        def own_turn() -> None:
            with _hdf5_file(h5py, path, "w" if comm.rank == 0 else "r+", {}) as file:
                if comm.rank == 0:
                    create(file)
                write(file)

        for rank in range(comm.size):
            agreed(comm, own_turn if rank == comm.rank else lambda: None)

    @classmethod
    def load_hdf5(cls, path: Path, dataset: str, layout: str = "slab(0)",
                  comm: Optional[MPI.Comm] = None) -> Self:
        """Collective. Reads a dataset of an HDF5 file: each rank reads its part, all at once.
        Raises as save_hdf5() does."""
        comm, _ = communicator(comm)
        h5py, options = _hdf5(comm)
        with agreed(comm, lambda: _hdf5_file(h5py, path, "r", options)) as file:
            shape, dtype = agreed(comm, lambda: (file[dataset].shape, file[dataset].dtype))
            made = cls.empty(shape, dtype, layout, comm)

            def read() -> None:
                for box, view in zip(made.distribution.end.boxes, made.views):
                    view[...] = file[dataset][box]

            agreed(comm, read)
        return made


def _hdf5(comm: MPI.Comm) -> tuple[Any, dict[str, Any]]:
    """Collective. h5py, and how it opens one file on all ranks at once, where it can."""
    h5py: Any = None
    missing = ""
    try:
        h5py = importlib.import_module("h5py")
    except ImportError as error:
        missing = str(error)
    with_mpi = h5py is not None and bool(h5py.get_config().mpi)
    found = comm.allgather((missing, with_mpi))
    if any(text for text, _ in found):
        raise Error("HDF5 needs h5py on every rank, as save() and load() do not: "
                    f"{max(text for text, _ in found)}", Code.NOT_AVAILABLE)
    together = comm.size > 1 and all(able for _, able in found)
    return h5py, {"driver": "mpio", "comm": comm} if together else {}


def _hdf5_file(h5py: Any, path: Path, mode: str, options: dict[str, Any]) -> Any:
    """An open file. Errors name it: those of HDF5 over MPI-IO say only that there is no such file."""
    try:
        return h5py.File(path, mode, **options)
    except OSError as error:
        raise BadRequest(f"{os.fspath(path)}: {error}") from error


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


def _rows(shape: Shape, ranks: int, fortran: bool) -> str:
    """The layout in which each rank's part is long runs of the file, stored in the file's order: the
    slowest axis is cut, and the next one as well if the slowest is shorter than there are ranks."""
    axes = list(range(len(shape)))
    order = axes[::-1] if fortran else axes
    slow = shape[order[0]]
    parts = ranks
    if len(shape) > 1 and slow < ranks:
        parts = max(part for part in range(1, slow + 1) if ranks % part == 0)
    rest = f",{order[1]}:{ranks // parts}" if parts < ranks else ""
    return f"cut({order[0]}:{parts}{rest})@{''.join(map(str, order))}"


def _runs(rows: Any, fortran: bool) -> Iterator[tuple[int, Array]]:
    """Runs of bytes of the file: where they begin behind the header, and where they are in memory.

    They have at most 1 GiB, because counts of MPI's have 31 bits.
    """
    distribution, size = rows.distribution, rows.dtype.itemsize
    shape, local = distribution.shape, rows.local
    box = distribution.end.only_box
    if fortran:
        shape, local, box = shape[::-1], local.T, box[::-1]
    if local.size == 0:
        return
    steps = [size * int(np.prod(shape[axis + 1:], dtype=np.int64)) for axis in range(len(shape))]
    first = sum(cut.start * step for cut, step in zip(box, steps))
    whole = local.shape[1:] == shape[1:]
    for number, part in enumerate([local] if whole else local):
        run, offset = part.reshape(-1).view(np.uint8), first + number * steps[0]
        for begin in range(0, run.size, 1 << 30):
            yield offset + begin, run[begin : begin + (1 << 30)]


def _byte() -> Any:
    from mpi4py import MPI

    return MPI.BYTE
