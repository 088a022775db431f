"""Padded transforms: products of fields without aliasing (the 3/2 rule)."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, prod, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union, cast

import numpy as np
from numpy.typing import DTypeLike

from .communicator import agreed, communicator
from .distarray import DistArray
from .distribution import Distribution
from .end import Shape
from .errors import BadRequest, Closed
from .r2c_axis import Known, described, none
from .mesh import Lengths, Mesh
from .plan import Plan
from .problem import Numbers, ScaleLike, axes_of, element_of, numbers, scale_text
from .transform import Transform

if TYPE_CHECKING:
    from mpi4py import MPI
    from typing_extensions import Self


class _Asked(NamedTuple):
    """What a PaddedPlan is made for."""

    kind: str
    precision: str
    axes: Shape
    shape: Shape  # n
    padded: Shape  # m
    kept: Shape  # n, n/2+1 along the r2c axis
    scale: tuple[float, float]


class PaddedPlan:
    """Transforms between the spectrum of a field of n values along each axis and the field's values
    at m = floor(padding n) points, with which products are computed without aliasing:

        plan = weft.PaddedPlan((64, 64, 64), comm, kind="r2c", scale="forward")
        u, v = plan.backward(u_hat), plan.backward(v_hat)     # at 96 x 96 x 96 points
        w_hat = plan.forward(u * v)                           # 64 x 64 x 33 values, dealiased

    backward() fills the spectrum up with zeros, forward() leaves out what is beyond it: a Plan of
    the padded points with modes=(64, 64, 64), whose fields and spectra are DistArrays. Of even n the
    value at n/2 stands for n/2 and -n/2: backward() gives one half to each, forward() adds them, so
    forward(backward(x)) is x (in r2c of spectra of real fields).

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
        asked = agreed(comm, lambda: _asked_for(shape, axes, given, padding, scale))
        layouts = _layouts(asked, comm.size)
        self._plan = Plan(asked.padded, comm, kind=asked.kind, precision=asked.precision,
                          axes=asked.axes, r2c_axis=asked.axes[-1] if asked.kind == "r2c" else None,
                          modes=asked.shape, input=layouts[1], output=layouts[0],
                          scale=asked.scale)
        self._transform: Transform = self._plan.bind()
        self._source = Distribution.of_layout(asked.padded, layouts[1], comm)
        self._target = Distribution.of_layout(asked.kept, layouts[0], comm)

    @property
    def shape(self) -> Shape:
        """The lengths n of the field without padding."""
        return self._plan._modes

    @property
    def _r2c_axis(self) -> Known:
        """What its spectra know."""
        return self._plan._out.r2c_axis

    @property
    def in_global_shape(self) -> Shape:
        """The shape of the whole padded field: m along transformed axes."""
        return self._source.shape

    @property
    def out_global_shape(self) -> Shape:
        """The shape of the whole spectrum: n, of r2c n/2+1 along the last of axes."""
        return self._target.shape

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
        return self._plan.in_dtype

    @property
    def out_dtype(self) -> np.dtype[Any]:
        """The dtype of the spectrum."""
        return self._plan.out_dtype

    def empty_in(self) -> DistArray:
        """Local. An uninitialised padded field."""
        return DistArray(self._source, self._source.end.allocated(self.in_dtype), none)

    def empty_out(self) -> DistArray:
        """Local. An uninitialised spectrum."""
        return DistArray(self._target, self._target.end.allocated(self.out_dtype), self._r2c_axis)

    def coordinates(self, lengths: Lengths = 2 * np.pi) -> Mesh:
        """i L / m along each axis of the field, as Plan.coordinates() has them."""
        return self._plan.coordinates(lengths)

    def wavenumbers(self, lengths: Lengths = 2 * np.pi, *, nyquist: bool = True) -> Mesh:
        """2 pi k / L along each transformed axis of the spectrum, ascending, as Plan.wavenumbers()
        has them."""
        return self._plan.wavenumbers(lengths, nyquist=nyquist)

    def forward(self, field: DistArray, out: Optional[DistArray] = None) -> DistArray:
        """Collective. The spectrum of a padded field, without what is beyond n/2.

        field: of in_global_shape, in_layout and in_dtype; it is kept. out: a spectrum to write to,
        otherwise a new one. Raises BadRequest on every rank if an array is another one.
        """
        agreed(self.comm, lambda: self._require(field, out, False))
        out = self.empty_out() if out is None else out
        self._transform.forward(field.local, out.local)
        out._r2c_axis = self._r2c_axis
        return out

    def backward(self, spectrum: DistArray, out: Optional[DistArray] = None) -> DistArray:
        """Collective. The values of a field at the padded points, from its spectrum, which is kept.

        out: a padded field to write to, otherwise a new one. Raises as forward() does.
        """
        agreed(self.comm, lambda: self._require(out, spectrum, True))
        out = self.empty_in() if out is None else out
        self._transform.backward(out.local, spectrum.local)
        out._r2c_axis = none
        return out

    def _require(self, field: Optional[DistArray], spectrum: Optional[DistArray],
                 backward: bool) -> None:
        """Raises BadRequest unless the arrays are the plan's; None is one that is to be made."""
        if isinstance(self._transform, Closed):
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
            known, needed = spectrum._r2c_axis, self._r2c_axis
            if known is not None and needed is not None and known != needed:
                raise BadRequest(f"of the spectrum {described(known)}, of the plan's "
                                 f"{described(needed)}")

    def close(self) -> None:
        """Local. Releases the plan, whose uses then raise BadRequest."""
        self._transform.close()
        self._transform = cast(Transform, Closed("plan"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return (f"<weft.PaddedPlan {self.in_dtype} {self.in_global_shape} {self.in_layout} -> "
                f"{self.out_dtype} {self.out_global_shape} {self.out_layout}>")


def _asked_for(shape: Numbers, axes: Optional[Numbers], given: dict[str, Any],
               padding: Union[float, Sequence[float]], scale: Optional[ScaleLike]) -> _Asked:
    lengths = tuple(numbers("shape", shape))
    if not 1 <= len(lengths) <= 6 or min(lengths) < 1:
        raise BadRequest(f"shape={lengths}: 1 to 6 lengths of at least 1 are needed")
    chosen = tuple(range(len(lengths)) if axes is None else axes_of(axes, len(lengths)))
    if not chosen or len(set(chosen)) != len(chosen) or max(chosen) >= len(lengths):
        raise BadRequest(f"axes={chosen} of a shape of {len(lengths)} axes: each may be named once")
    kind, precision = element_of({name: word for name, word in given.items() if word is not None})
    if kind not in ("c2c", "r2c"):
        raise BadRequest(f"kind={kind!r}: padded transforms are 'c2c' or 'r2c'")
    factors = [float(factor) for factor in np.broadcast_to(padding, len(chosen))]
    if not all(1 <= factor < float("inf") for factor in factors):
        raise BadRequest(f"padding={padding}: factors of 1 and more are needed")
    padded, kept = list(lengths), list(lengths)
    for axis, factor in zip(chosen, factors):
        padded[axis] = floor(lengths[axis] * factor + 1e-9)
    if kind == "r2c":
        kept[chosen[-1]] = lengths[chosen[-1]] // 2 + 1
    short, full = (prod(every[axis] for axis in chosen) for every in (lengths, padded))
    forward, backward = (_factor(word, short) for word in scale_text(scale or "none").split("/"))
    return _Asked(kind, precision, chosen, lengths, tuple(padded), tuple(kept),
                 (forward * short / full, backward))


def _factor(word: str, count: int) -> float:
    named = {"none": 1.0, "n": 1 / count, "symmetric": 1 / sqrt(count)}
    return named[word] if word in named else float(word)


def _layouts(asked: _Asked, ranks: int) -> list[str]:
    """Of the spectrum, in which the first of the axes is whole, and of the field, in which the last
    one is. From one axis to the next at most one cut changes: the next axis, if it is cut, gives
    its cut to the one before."""
    others = [*asked.axes[1:], *(a for a in range(len(asked.shape)) if a not in asked.axes)]
    if not others:
        return ["single", "single"]
    slabs = ranks <= min(asked.kept[axis] for axis in (asked.axes[0], others[0]))
    parts = [ranks] if slabs or len(others) < 2 else _two_factors(ranks)
    cut = others[: len(parts)]
    layouts = []
    for number, axis in enumerate(asked.axes):
        if axis in cut:
            cut[cut.index(axis)] = asked.axes[number - 1]
        layouts.append(f"cut({','.join(f'{a}:{p}' for a, p in zip(cut, parts))})")
    return [layouts[0], layouts[-1]]


def _two_factors(ranks: int) -> list[int]:
    """The most equal two factors."""
    small = max(factor for factor in range(1, int(sqrt(ranks)) + 1) if ranks % factor == 0)
    return [small, ranks // small]
