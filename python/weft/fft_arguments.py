"""What weft.fft's arguments ask for, read as numpy reads them."""

from __future__ import annotations

import functools
from typing import Optional

import numpy as np

from .distarray import DistArray
from .distribution import Distribution
from .end import Shape
from .errors import BadRequest
from .r2c_axis import Known, described
from .prepared import Question
from .problem import Numbers, axes_of, norms, numbers

_single = (np.dtype(np.float32), np.dtype(np.complex64))


def real_axes(family: str, x: DistArray, type: int, axes: Optional[Numbers]) -> Shape:
    """The axes, which have to be long enough."""
    if type not in (1, 2, 3, 4):
        raise BadRequest(f"type={type!r}: it is 1, 2, 3 or 4")
    chosen = _axes(x.ndim, None, None if axes is None else tuple(axes_of(axes, x.ndim)))
    for axis in chosen:
        if family == "dct" and type == 1 and x.global_shape[axis] < 2:
            raise BadRequest(f"axis {axis} has the length {x.global_shape[axis]}, but type 1 needs "
                             "at least 2")
    return chosen


def question_of(kind: str, inverse: bool, a: DistArray, s: Optional[Numbers],
                axes: Optional[Numbers], norm: Optional[str]) -> Question:
    """What is asked for; raises BadRequest if that is nothing."""
    lengths = None if s is None else tuple(numbers("s", s))
    chosen = None if axes is None else tuple(axes_of(axes, a.ndim))
    return _checked(kind, inverse, a.global_shape, a.dtype in _single, lengths, chosen, norm, a._r2c_axis)


@functools.lru_cache(256)
def _checked(kind: str, inverse: bool, extents: Shape, single: bool, lengths: Optional[Shape],
             axes: Optional[Shape], norm: Optional[str], known: Known) -> Question:
    chosen = _axes(len(extents), lengths, axes)
    shape = list(extents)
    if kind == "r2c" and inverse:
        if known is not None and known.axis >= 0:
            if axes is None and known.axis in chosen:
                place = chosen.index(known.axis)
                chosen = _with_last(chosen, place)
                lengths = None if lengths is None else _with_last(lengths, place)
            if chosen[-1] != known.axis:
                raise BadRequest(f"axes={chosen}: the last one is that with n/2+1 values, but of the "
                                 f"array {described(known)}; give axes that end with it")
        real = known.n if known is not None else 0
        shape[chosen[-1]] = _real_length(shape[chosen[-1]], lengths, real)
    for axis, length in zip(chosen, lengths or ()):
        if length != shape[axis]:
            raise BadRequest(f"s={lengths}: the array has {shape[axis]} values along axis {axis}, "
                             "and distributed arrays are neither padded nor cut")
    scale = norms.get(norm or "backward")
    if scale is None:
        raise BadRequest(f"norm={norm!r}: it is 'backward', 'ortho' or 'forward'")
    order = (*sorted(chosen[:-1]), chosen[-1]) if kind == "r2c" else tuple(sorted(chosen))
    return Question(kind, "f32" if single else "f64", tuple(shape), order, scale, 0)


def _axes(dims: int, lengths: Optional[Shape], axes: Optional[Shape]) -> Shape:
    """The transformed axes, of which numpy takes the last ones where only s is given."""
    if axes is None:
        count = dims if lengths is None else len(lengths)
        axes = tuple(range(dims - count, dims))
    if lengths is not None and len(lengths) != len(axes):
        raise BadRequest(f"s has {len(lengths)} lengths for {len(axes)} axes")
    if not axes or len(set(axes)) != len(axes) or not 0 <= min(axes) <= max(axes) < dims:
        raise BadRequest(f"axes={axes} of an array of {dims} axes: name some of 0 to {dims - 1}, each "
                         "once")
    return axes


def _with_last(entries: Shape, place: int) -> Shape:
    """The same, that one the last."""
    return (*entries[:place], *entries[place + 1:], entries[place])


def _real_length(kept: int, lengths: Optional[Shape], known: int) -> int:
    """How many real values belong to so many complex ones; known: what they were made of, or 0."""
    if lengths is None and known:
        return known
    if lengths is None:
        if kept == 1:
            raise BadRequest("one value along the last axis belongs to one real value: give s (n)")
        return 2 * (kept - 1)
    if lengths[-1] // 2 + 1 != kept or lengths[-1] < 1:
        raise BadRequest(f"s ends with {lengths[-1]}, but {kept} values along the last axis belong "
                         f"to {2 * (kept - 1)} or {2 * kept - 1} real ones")
    return lengths[-1]


def result_shape(question: Question, inverse: bool) -> Shape:
    shape = list(question.shape)
    if question.kind == "r2c" and not inverse:
        shape[question.axes[-1]] = shape[question.axes[-1]] // 2 + 1
    return tuple(shape)


def layout_of_result(question: Question, inverse: bool, a: DistArray, out: Optional[DistArray],
                      layout: Optional[str], shape: Shape) -> str:
    """Raises BadRequest unless the result fits the layout, or `out` can take it."""
    if out is None:
        return Distribution.of_layout(shape, str(layout), a.comm).layout
    if layout is not None:
        raise BadRequest("layout and out are given; the layout of out is the result's")
    bits = 32 if question.precision == "f32" else 64
    real = question.kind == "r2r" or (question.kind == "r2c" and inverse)
    dtype = np.dtype(f"float{bits}" if real else f"complex{2 * bits}")
    if out.global_shape != shape or out.dtype != dtype:
        raise BadRequest(f"out has shape {out.global_shape} and dtype {out.dtype}, the result has "
                         f"{shape} and {dtype}")
    if out.comm != a.comm:
        raise BadRequest("out is distributed over another communicator")
    return out.layout


def cast(a: DistArray, real: bool) -> DistArray:
    """The array in the dtype that the transform takes; copied only where that is another one."""
    single = a.dtype in _single
    if real:
        if a.dtype.kind == "c":
            raise BadRequest(f"dtype {a.dtype}: rfft, dctn and their like take real arrays")
        dtype = np.dtype(np.float32 if single else np.float64)
    else:
        dtype = np.dtype(np.complex64 if single else np.complex128)
    if a.dtype == dtype:
        return a
    if a.dtype not in _single and a.dtype not in (np.float64, np.complex128) and (
            a.dtype.kind not in "biu"):
        raise BadRequest(f"dtype {a.dtype}: transforms take float32, float64, complex64 and "
                         "complex128")
    return a.astype(dtype)
