"""The arrays of a plan: shapes, boxes, coordinates and wave numbers."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _weft
from .end import Array, Shape, Slices, slices_of
from .errors import BadRequest
from .r2c_axis import R2cAxis, none
from .mesh import Lengths, coordinates, wavenumbers
from .part import Part


class Ends:
    """Properties of a plan's input and output. All are local."""

    _plan: _weft.Plan
    _in: Part
    _out: Part

    @property
    def kind(self) -> str:
        """"c2c", "r2c", "c2r", "r2r" or "redistribute"."""
        return self._plan.kind()

    @property
    def shape(self) -> Shape:
        """The lengths of the real (or c2c) array, as in the problem; without the batch."""
        return tuple(self._plan.shape())

    @property
    def axes(self) -> Shape:
        """The transformed axes, ascending, without those of kind "none"; none to redistribute."""
        return tuple(self._plan.axes())

    @property
    def global_shape(self) -> Shape:
        """The shape of the whole input array, of all ranks: in_global_shape."""
        return self.in_global_shape

    @property
    def in_global_shape(self) -> Shape:
        """The shape of the whole input array: `shape`, or `inside`; of c2r the shape of the
        spectrum, see out_global_shape. With batch > 1 followed by the batch."""
        return self._whole(self.kind == "c2r")

    @property
    def out_global_shape(self) -> Shape:
        """The shape of the whole output array: `shape`, or the `modes` that are kept, of r2c n/2+1
        of n along the r2c axis; of c2r that of the field, see in_global_shape. With batch > 1
        followed by the batch."""
        return self._whole(self.kind != "c2r")

    @property
    def _modes(self) -> Shape:
        """How many modes the spectrum has along each axis, those of both signs."""
        return tuple(self._plan.modes()) or self.shape

    def _whole(self, spectrum: bool) -> Shape:
        lengths = list(self._modes if spectrum else tuple(self._plan.inside()) or self.shape)
        if spectrum and self._r2c_axis.axis >= 0:
            lengths[self._r2c_axis.axis] = self._r2c_axis.n // 2 + 1
        batch = self._plan.batch()
        return (*lengths, batch) if batch > 1 else tuple(lengths)

    @property
    def _r2c_axis(self) -> R2cAxis:
        """The axis that has n/2+1 complex values."""
        axis = self._plan.r2c_axis()
        return R2cAxis(axis, self._modes[axis]) if axis >= 0 else none

    def coordinates(self, lengths: Lengths = 2 * np.pi,
                    box: Optional[int] = None) -> tuple[NDArray[np.floating[Any]], ...]:
        """The coordinates of this rank's part of the untransformed array (the input; of c2r the
        output): element i of an axis of n lies at i L / n.

        lengths: L, one for all axes of the shape or a list of one for each, in any unit. Returns
        one array for each axis of the shape, which broadcast to the array as those of numpy.ogrid
        do: of a 4 x 6 part, shapes (4, 1) and (1, 6); with a batch, (4, 1, 1) and (1, 6, 1). They
        have the plan's precision and suit any layout and order. If the rank owns several boxes,
        `box` is the number of one: box=0 is the first of in_boxes(rank). Raises BadRequest for
        other numbers of lengths or another box.
        """
        part = self._out if self.kind == "c2r" else self._in
        return coordinates(self.shape, part.end.box(box), lengths, self._real)

    def wavenumbers(self, lengths: Lengths = 2 * np.pi,
                    box: Optional[int] = None, *,
                    nyquist: bool = True) -> tuple[NDArray[np.floating[Any]], ...]:
        """The wave numbers of this rank's part of the spectrum (the output; of c2r the input):
        2 pi k / L, with k of numpy.fft.fftfreq: 0, 1, .., then the negative ones (of even n, n/2
        counts as -n/2), along the r2c axis 0 to n/2.

        lengths: as for coordinates(); of the default, 2 pi, wave numbers are whole. nyquist=False:
        0 for n/2 and -n/2 of even n, as odd derivatives need it: that mode of real values has none
        on the grid, and c2r drops it along the r2c axis only. Returns one array for each transformed axis, ascending (`plan.axes`), which broadcast as those of
        coordinates() do. Raises BadRequest as that does, and for kind="redistribute" and cosine or
        sine transforms along some axis.
        """
        if self.kind == "redistribute":
            raise BadRequest("a plan that redistributes has no spectrum, so no wave numbers")
        if self._plan.has_real_to_real():
            raise BadRequest("the wave numbers of cosine and sine transforms depend on the kinds: "
                             "pi k/L of dct1 and dct2, pi (k+1)/L of dst1 and dst2, pi (k+1/2)/L "
                             "of the others")
        part = self._in if self.kind == "c2r" else self._out
        every = wavenumbers(self._modes, part.end.box(box), lengths, self._r2c_axis, self._real, nyquist)
        return tuple(every[axis] for axis in self.axes)

    @property
    def _real(self) -> DTypeLike:
        single = self.kind != "redistribute" and self._plan.precision() == "f32"
        return np.float32 if single else np.float64

    @property
    def in_slices(self) -> Any:
        """This rank's part of the global input array: a tuple of slices, one for each axis.

        Axes are those of the shape, n/2+1 long along the r2c axis; a batch is the last axis. A rank
        that owns nothing has a tuple too: it begins where the part would, and is whole along axes
        that are not cut. A rank that owns several boxes has a list of tuples.
        """
        return self._in.slices

    @property
    def out_slices(self) -> Any:
        """This rank's part of the global output array, like in_slices."""
        return self._out.slices

    def in_boxes(self, rank: int) -> list[Slices]:
        """The boxes of any rank's input: a list of tuples of slices, empty if the rank owns
        nothing."""
        return slices_of(self._plan.boxes(False, rank))

    def out_boxes(self, rank: int) -> list[Slices]:
        """The boxes of any rank's output."""
        return slices_of(self._plan.boxes(True, rank))

    def in_box(self, rank: int, box: int = 0) -> Slices:
        """Box number `box` of any rank's input, a tuple of slices; if the rank owns nothing, the
        empty box of its in_slices. So [plan.in_box(r)[0].start for r in range(ranks)] of slabs of
        axis 0 ascends, for numpy.searchsorted. Raises BadRequest if there is no such box.
        """
        return slices_of([self._plan.box(False, rank, box)])[0]

    def out_box(self, rank: int, box: int = 0) -> Slices:
        """Box number `box` of any rank's output, like in_box()."""
        return slices_of([self._plan.box(True, rank, box)])[0]

    @property
    def in_shape(self) -> Shape:
        """The shape of this rank's input array, in the order of the problem's axes.

        If this rank owns several boxes, the array is one-dimensional memory for all n elements, and
        the shape is (n,). in_views() gives the boxes in it.
        """
        return self._in.shape

    @property
    def out_shape(self) -> Shape:
        """The shape of this rank's output array, like in_shape."""
        return self._out.shape

    @property
    def in_strides(self) -> Shape:
        """The strides of this rank's input array in bytes, as numpy has them."""
        return self._in.strides

    @property
    def out_strides(self) -> Shape:
        """The strides of this rank's output array, like in_strides."""
        return self._out.strides

    @property
    def in_order(self) -> Shape:
        """The input's axes in memory, slowest first."""
        return self._in.end.order

    @property
    def out_order(self) -> Shape:
        """The output's axes in memory, slowest first."""
        return self._out.end.order

    @property
    def in_dtype(self) -> np.dtype[Any]:
        """The input's dtype; to redistribute, bytes, for which any dtype of their size will do."""
        return self._in.dtype

    @property
    def out_dtype(self) -> np.dtype[Any]:
        """The output's dtype, like in_dtype."""
        return self._out.dtype

    def empty_in(self, dtype: Optional[DTypeLike] = None) -> Array:
        """An uninitialised array for this rank's input, aligned for speed.

        Its axes are the problem's, whatever their order in memory: where that is not row-major, the
        array is a transposed view, and padding leaves gaps in it. Where this rank owns several
        boxes, it is one-dimensional: see in_views(). dtype is for kind="redistribute", any of
        element_bytes. Local; raises BadRequest if dtype does not fit.
        """
        return self._in.empty(None, dtype)

    def empty_out(self, dtype: Optional[DTypeLike] = None) -> Array:
        """An uninitialised array for this rank's output, like empty_in()."""
        return self._out.empty(None, dtype)

    def empty(self, dtype: Optional[DTypeLike] = None) -> tuple[Array, Array]:
        """The arrays of input and output; of an in-place plan, two views of the same memory.

        In place, lines of a real array have the gaps that their complex ends need.
        """
        if not self._plan.in_place():
            return self.empty_in(dtype), self.empty_out(dtype)
        memory = _weft.allocate(max(self._in.bytes, self._out.bytes))
        return self._in.empty(memory, dtype), self._out.empty(memory, dtype)

    def in_views(self, array: Array) -> list[Array]:
        """The boxes of this rank's input array: a list of views of it, one for each of
        in_boxes(rank), with the problem's axes.

        Local; raises BadRequest if the array is not as empty_in() makes them.
        """
        return self._in.views(array)

    def out_views(self, array: Array) -> list[Array]:
        """The boxes of this rank's output array, like in_views()."""
        return self._out.views(array)


