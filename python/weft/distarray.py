"""A numpy-like array of which every rank has a part."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, SupportsIndex, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from .arithmetic import Arithmetic
from .communicator import agreed, communicator
from .distribution import Distribution, single_on
from .end import Array, Shape, Slices
from .errors import BadRequest
from .files import Files
from .r2c_axis import Known, asked_for
from .mesh import Lengths, Mesh, coordinates, wavenumbers
from .prepared import Prepared, Question, made, prepared
from .problem import Numbers, shape_of

if TYPE_CHECKING:
    from mpi4py import MPI


class DistArray(Arithmetic, Files):
    """A distributed global array; this rank's part is `local`, a numpy array.

        u = weft.DistArray.from_function(lambda x, y: np.sin(x) * y, (64, 48), lengths=2 * np.pi)
        u_hat = weft.fft.rfftn(u)             # a DistArray too
        energy = (abs(u) ** 2).sum()          # collective, the same on every rank

    Made by zeros(), empty(), from_global(), from_function() and load(), by weft.fft, and by
    arithmetic. `layout` is a text (docs/text.md): "slab(0)" (the default: all ranks cut axis 0),
    "pencil(0,1)", "slab(2)@201", that of weft.boxes(), .. On a rank that owns nothing `local` has
    no elements, but the lengths of axes that are not cut. On a rank that owns several boxes `local`
    is one-dimensional memory, and `views` are the boxes.

    numpy's functions of elements (np.sin, +, +=, ..) work on equally distributed arrays, scalars,
    and numpy arrays that broadcast to `local`, such as wavenumbers(); they are local. Reductions,
    x.sum() or np.sum(x), are collective. np.asarray(x) is `local`.
    """

    def __init__(self, distribution: Distribution, local: Array, r2c_axis: Known = None) -> None:
        self.distribution = distribution
        self._local = local
        self._r2c_axis = r2c_axis

    # --- made of ----------------------------------------------------------------------------------

    @classmethod
    def empty(cls, shape: Numbers, dtype: DTypeLike = float, layout: str = "slab(0)",
              comm: Optional[MPI.Comm] = None) -> DistArray:
        """Collective over comm (None: COMM_WORLD, or default_communicator's). Elements are not
        initialised.

        shape: of the whole array, 1 to 6 lengths. Raises the same BadRequest on every rank if the
        layout does not fit it or the ranks.
        """
        comm, _ = communicator(comm)

        def local() -> DistArray:
            extents = tuple(shape_of(shape))
            distribution = Distribution.of_layout(extents, layout, comm)
            return cls(distribution, distribution.end.allocated(np.dtype(dtype)))

        return agreed(comm, local)

    @classmethod
    def zeros(cls, shape: Numbers, dtype: DTypeLike = float, layout: str = "slab(0)",
              comm: Optional[MPI.Comm] = None) -> DistArray:
        """Collective. Zeros; otherwise as empty()."""
        array = cls.empty(shape, dtype, layout, comm)
        array.local[...] = 0
        return array

    @classmethod
    def from_function(cls, function: Callable[..., ArrayLike], shape: Numbers,
                      dtype: DTypeLike = float, layout: str = "slab(0)",
                      comm: Optional[MPI.Comm] = None,
                      lengths: Optional[Lengths] = None) -> DistArray:
        """Collective. function(x, y, ..) of global indices or, with lengths, of coordinates().

        For each box of this rank the function gets one array for each axis, which broadcast as
        those of numpy.ogrid do; its result broadcasts to the box. If it raises on one rank, every
        rank raises BadRequest with that text; otherwise as empty().
        """
        array = cls.empty(shape, dtype, layout, comm)

        def filled() -> None:
            for box, view in zip(array.boxes, array.views):
                grid = (np.ogrid[box] if lengths is None else
                        coordinates(array.global_shape, box, lengths, np.float64))
                view[...] = function(*grid)

        agreed(array.comm, filled)
        return array

    @classmethod
    def from_global(cls, whole: Optional[ArrayLike], layout: str = "slab(0)",
                    comm: Optional[MPI.Comm] = None, root: Optional[int] = None) -> DistArray:
        """Collective. A copy of this rank's part of a whole array, which every rank has.

        root: the only rank that has the array; the others give None and receive their parts. Raises
        BadRequest on every rank if a rank has an array of another shape or dtype, or root has none.
        """
        comm, _ = communicator(comm)
        if root is not None:
            return cls._scattered(whole, layout, comm, root)
        values = agreed(comm, lambda: np.asarray(whole))
        kinds = comm.allgather((values.shape, values.dtype.str))
        agreed(comm, lambda: _require_same(kinds))
        array = cls.empty(values.shape, values.dtype, layout, comm)
        for box, view in zip(array.boxes, array.views):
            view[...] = values[box]
        return array

    @classmethod
    def _scattered(cls, whole: Optional[ArrayLike], layout: str, comm: MPI.Comm,
                   root: int) -> DistArray:
        agreed(comm, lambda: _require_rank(root, comm))
        here = comm.rank == root
        values = agreed(comm, lambda: np.asarray(whole) if here else np.empty(0))
        shape, dtype = comm.bcast((values.shape, values.dtype) if here else None, root)
        owned = cls.empty(shape, dtype, single_on(root, shape, comm.size), comm)
        if here:
            owned.local[...] = values
        return owned._moved(layout)

    # --- what it is -------------------------------------------------------------------------------

    @property
    def local(self) -> Array:
        """This rank's part, with the global array's axes; writing to it changes this array."""
        return self._local

    @property
    def views(self) -> list[Array]:
        """The boxes of this rank in `local`: usually one, or none if it owns nothing."""
        return self.distribution.end.views_of(self._local)

    @property
    def global_shape(self) -> Shape:
        """The shape of the whole array."""
        return self.distribution.shape

    @property
    def shape(self) -> Shape:
        """The shape of the whole array, as numpy calls it: global_shape."""
        return self.distribution.shape

    @property
    def ndim(self) -> int:
        return len(self.global_shape)

    @property
    def size(self) -> int:
        """How many elements the whole array has."""
        return int(np.prod(self.global_shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """How many bytes the whole array has."""
        return self.size * self.dtype.itemsize

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._local.dtype

    @property
    def comm(self) -> MPI.Comm:
        return self.distribution.comm

    @property
    def layout(self) -> str:
        """The layout as text, which DistArray and Plan take."""
        return self.distribution.layout

    @property
    def slices(self) -> Slices:
        """This rank's part in global indices: whole[x.slices] is x.local. An empty part begins
        where the rank's part would, and is whole along axes that are not cut. Raises BadRequest if
        the rank owns several boxes: see boxes."""
        return self.distribution.end.box(None)

    @property
    def boxes(self) -> list[Slices]:
        """The boxes that this rank owns in global indices, one for each of `views`."""
        return self.distribution.end.boxes

    def coordinates(self, lengths: Lengths = 2 * np.pi, box: Optional[int] = None) -> Mesh:
        """i L / n along each axis, of this rank's part; arguments, result and errors are those of
        Plan.coordinates()."""
        return coordinates(self.global_shape, self.distribution.end.box(box), lengths, np.float64)

    @property
    def r2c_axis(self) -> Union[int, str, None]:
        """The axis that keeps n/2+1 of n values, "none" if there is none, None if it is not known.

        Known of results of weft.fft, of outputs of plans and of arrays of PaddedPlan, also after
        arithmetic, copies and redistribution.
        """
        if self._r2c_axis is None:
            return None
        return "none" if self._r2c_axis.axis < 0 else self._r2c_axis.axis

    def wavenumbers(self, lengths: Lengths = 2 * np.pi, box: Optional[int] = None, *,
                    r2c_axis: Union[SupportsIndex, str, None] = None, nyquist: bool = True) -> Mesh:
        """2 pi k / L along each axis, of this rank's part of a spectrum; lengths, box, nyquist,
        result and errors are those of Plan.wavenumbers().

        r2c_axis: the axis that keeps n/2+1 values (k from 0 to n/2), or "none", where the array does
        not know it (`x.r2c_axis` is None). Raises BadRequest if nothing is known or said, or both and
        they differ.
        """
        known = asked_for(r2c_axis, self._r2c_axis, self.ndim)
        return wavenumbers(self.global_shape, self.distribution.end.box(box), lengths, known,
                           np.float64, nyquist)

    def __repr__(self) -> str:
        return (f"<weft.DistArray {self.dtype} {self.global_shape}, {self.layout}, rank "
                f"{self.comm.rank} of {self.comm.size}: {self._local.shape}>")

    # --- other layouts ----------------------------------------------------------------------------

    def redistribute(self, layout: str) -> DistArray:
        """Collective. A copy in another layout. Raises BadRequest on every rank if the layout does
        not fit. The plan is kept, as plans of weft.fft are."""
        question, target = self._move_to(layout)
        return self._by(prepared(question, self.comm, self.layout, target))

    def _moved(self, layout: str) -> DistArray:
        """A copy in another layout, by a plan that is not kept; this array if it has it."""
        question, target = self._move_to(layout)
        if target == self.layout:
            return self
        return self._by(made(question, self.comm, self.layout, target))

    def _move_to(self, layout: str) -> tuple[Question, str]:
        target = agreed(self.comm, lambda: Distribution.of_layout(self.global_shape, layout,
                                                                  self.comm).layout)
        return Question("redistribute", "", self.global_shape, (), "", self.dtype.itemsize), target

    def _by(self, redistribution: Prepared) -> DistArray:
        result = type(self)(redistribution.target, redistribution.target.end.allocated(self.dtype), self._r2c_axis)
        redistribution.transform.forward(self._local, result._local)
        return result

    def gather(self, root: int = 0) -> Optional[NDArray[Any]]:
        """Collective. The whole array as a numpy array on rank root; None on the others."""
        agreed(self.comm, lambda: _require_rank(root, self.comm))
        single = self._moved(single_on(root, self.global_shape, self.comm.size))
        if self.comm.rank != root:
            return None
        return single._local.copy() if single is self else single._local

    def _like(self, local: Array, r2c_axis: Known) -> DistArray:
        return type(self)(self.distribution, local, r2c_axis)


def _require_same(kinds: list[tuple[Shape, str]]) -> None:
    for rank, kind in enumerate(kinds):
        if kind != kinds[0]:
            raise BadRequest(f"ranks give arrays of different shape and dtype: rank 0 {kinds[0]}, "
                             f"rank {rank} {kind}")


def _require_rank(root: int, comm: MPI.Comm) -> None:
    if not 0 <= root < comm.size:
        raise BadRequest(f"root={root} of {comm.size} ranks")


