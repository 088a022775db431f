"""Padded transforms: products of fields without aliasing (the 3/2 rule)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union, cast

import numpy as np
from numpy.typing import DTypeLike

from .communicator import agreed, communicator
from .distarray import DistArray
from .distribution import Distribution
from .end import Shape
from .errors import BadRequest, Closed
from .halved import Halved, Known, described, none
from .mesh import Lengths, Mesh, coordinates, wavenumbers
from .padded_stages import Stage, asked_for, stages_of
from .padding import pad, truncate
from .problem import Numbers, ScaleLike

if TYPE_CHECKING:
    from mpi4py import MPI
    from typing_extensions import Self


class PaddedPlan:
    """Transforms between the spectrum of a field of n values along each axis and the field's values
    at m = floor(padding n) points, with which products are computed without aliasing:

        plan = weft.PaddedPlan((64, 64, 64), comm, kind="r2c", scale="forward")
        u, v = plan.backward(u_hat), plan.backward(v_hat)     # at 96 x 96 x 96 points
        w_hat = plan.forward(u * v)                           # 64 x 64 x 33 values, dealiased

    backward() fills the spectrum up with zeros, forward() leaves out what is beyond it. Both do so
    one axis after the other, and transform no lines of zeros. Of even n the value at n/2 stands for
    n/2 and -n/2: backward() gives one half to each, forward() adds them, so forward(backward(x)) is
    x (in r2c of spectra of real fields).

    Collective over comm (None: COMM_WORLD, or default_communicator's). Arguments:

    - shape: 1 to 6 lengths n of the field; axes: the transformed ones (None: all), of which with
      kind="r2c" the last has n/2+1 complex values;
    - kind: "c2c" (default) or "r2c"; precision: "f64" (default), "f32", numpy's; or dtype, that of
      the field, as Plan has them;
    - padding: a factor of at least 1 for all transformed axes, or a list of one for each of axes;
    - scale: as Plan has it, with N the product of n: the spectra are those of a Plan of the same
      shape and scale. Default: none, so forward(backward(x)) is N x; with "forward" spectra are
      Fourier coefficients and backward() is not scaled.

    The plan chooses the layouts, `in_layout` of the field and `out_layout` of the spectrum: slabs,
    or pencils on more ranks than slabs; Plan(.., output=plan.out_layout) is a plan without padding
    for the same spectra. Raises the same BadRequest on every rank.
    """

    def __init__(self, shape: Numbers, comm: Optional[MPI.Comm] = None, *,
                 axes: Optional[Numbers] = None, kind: Optional[str] = None,
                 precision: Optional[DTypeLike] = None, dtype: Optional[DTypeLike] = None,
                 padding: Union[float, Sequence[float]] = 1.5,
                 scale: Optional[ScaleLike] = None) -> None:
        comm, _ = communicator(comm)
        given = {"kind": kind, "precision": precision, "dtype": dtype}
        self.comm = comm
        self._asked = agreed(comm, lambda: asked_for(shape, axes, given, padding, scale))
        self._stages = stages_of(self._asked, comm)
        self._source, self._target = agreed(comm, self._ends)
        real = np.float32 if self._asked.precision == "f32" else np.float64
        self._real = np.dtype(real)
        self._complex = np.result_type(real, np.complex64)

    def _ends(self) -> tuple[Distribution, Distribution]:
        asked, comm = self._asked, self.comm
        return (Distribution.of_layout(asked.padded, self._stages[-1].spectral, comm),
                Distribution.of_layout(asked.kept, self._stages[0].spectral, comm))

    @property
    def shape(self) -> Shape:
        """The lengths n of the field without padding."""
        return self._asked.shape

    @property
    def in_global_shape(self) -> Shape:
        """The shape of the whole padded field: m along transformed axes."""
        return self._asked.padded

    @property
    def out_global_shape(self) -> Shape:
        """The shape of the whole spectrum: n, of r2c n/2+1 along the last of axes."""
        return self._asked.kept

    @property
    def in_layout(self) -> str:
        """The layout of the padded field."""
        return self._source.layout

    @property
    def out_layout(self) -> str:
        """The layout of the spectrum."""
        return self._target.layout

    @property
    def in_dtype(self) -> np.dtype[Any]:
        """The dtype of the field."""
        return self._real if self._asked.kind == "r2c" else self._complex

    @property
    def out_dtype(self) -> np.dtype[Any]:
        """The dtype of the spectrum."""
        return self._complex

    def empty_in(self) -> DistArray:
        """Local. An uninitialised padded field."""
        return DistArray(self._source, self._source.end.allocated(self.in_dtype), none)

    def empty_out(self) -> DistArray:
        """Local. An uninitialised spectrum."""
        return DistArray(self._target, self._target.end.allocated(self.out_dtype), self._halved)

    @property
    def _halved(self) -> Known:
        """What its spectra know."""
        asked = self._asked
        if asked.kind == "r2c":
            return Halved(asked.axes[-1], asked.shape[asked.axes[-1]])
        return none if len(asked.axes) == len(asked.shape) else None

    def coordinates(self, lengths: Lengths = 2 * np.pi) -> Mesh:
        """i L / m along each axis of the field, as Plan.coordinates() has them."""
        return coordinates(self._asked.padded, self._source.end.only_box, lengths, self._real)

    def wavenumbers(self, lengths: Lengths = 2 * np.pi, *, nyquist: bool = True) -> Mesh:
        """2 pi k / L along each transformed axis of the spectrum, ascending, as Plan.wavenumbers()
        has them."""
        asked = self._asked
        every = wavenumbers(asked.shape, self._target.end.only_box, lengths, self._halved or none,
                            self._real, nyquist)
        return tuple(every[axis] for axis in sorted(asked.axes))

    def forward(self, field: DistArray, out: Optional[DistArray] = None) -> DistArray:
        """Collective. The spectrum of a padded field, without what is beyond n/2.

        field: of in_global_shape, in_layout and in_dtype; it is kept. out: a spectrum to write to,
        otherwise a new one. Raises BadRequest on every rank if an array is another one.
        """
        agreed(self.comm, lambda: self._require(field, out, False))
        out = self.empty_out() if out is None else out
        here = field.local
        for number, stage in reversed(list(enumerate(self._stages))):
            short = out.local if number == 0 else stage.short
            full = stage.full if stage.line.pads else short
            stage.transform.forward(here, full)
            if stage.line.pads:
                truncate(full, short, stage.line)
            here = short
        out._halved = self._halved
        return out

    def backward(self, spectrum: DistArray, out: Optional[DistArray] = None) -> DistArray:
        """Collective. The values of a field at the padded points, from its spectrum, which is kept.

        out: a padded field to write to, otherwise a new one. Raises as forward() does.
        """
        agreed(self.comm, lambda: self._require(out, spectrum, True))
        out = self.empty_in() if out is None else out
        here = spectrum.local
        for stage, after in zip(self._stages, [*self._stages[1:], None]):
            full = here
            if stage.line.pads:
                full = stage.full
                pad(here, full, stage.line)
            here = out.local if after is None else after.short
            stage.transform.backward(here, full)
        out._halved = none
        return out

    def _require(self, field: Optional[DistArray], spectrum: Optional[DistArray],
                 backward: bool) -> None:
        """Raises BadRequest unless the arrays are the plan's; None is one that is to be made."""
        if isinstance(self._stages, Closed):
            raise BadRequest("the plan has been closed")
        for array, place, dtype, name in ((field, self._source, self.in_dtype, "field"),
                                          (spectrum, self._target, self.out_dtype, "spectrum")):
            if array is None and (name == "field") == backward:
                continue  # It is the result, and is made.
            if not isinstance(array, DistArray):
                raise BadRequest(f"the {name} is of {type(array).__name__}, a DistArray is needed")
            if array.distribution != place or array.dtype != dtype:
                raise BadRequest(
                    f"the {name} has dtype {array.dtype}, shape {array.global_shape} and layout "
                    f"{array.layout}, the plan needs {dtype}, {place.shape} and {place.layout}")
        if backward and spectrum is not None:
            known, needed = spectrum._halved, self._halved
            if known is not None and needed is not None and known != needed:
                raise BadRequest(f"of the spectrum {described(known)}, of the plan's "
                                 f"{described(needed)}")

    def close(self) -> None:
        """Local. Releases the plan, whose uses then raise BadRequest."""
        self._stages = cast("list[Stage]", Closed("plan"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return (f"<weft.PaddedPlan {self._asked.kind}:{self._asked.precision}: {self.in_dtype} "
                f"{self.in_global_shape} {self.in_layout} -> {self.out_dtype} "
                f"{self.out_global_shape} {self.out_layout}>")
