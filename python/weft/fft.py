"""numpy.fft for distributed arrays:

    x = weft.DistArray.from_function(function, (64, 64, 64), layout="slab(0)")
    spectrum = weft.fft.rfftn(x)         # where it falls: spectrum.layout
    again = weft.fft.irfftn(spectrum)    # back in x.layout

All functions are collective over the array's communicator; arguments, defaults and results are
numpy's, those of dctn, idctn, dstn and idstn scipy.fft's (without s). Of these, s and n have to be the array's own lengths (no padding, no truncation), except
that those of irfft, irfft2 and irfftn say whether the last axis has 2(m-1) real values (the default)
or 2m-1. A spectrum that rfftn made knows both, the halved axis and its length (`x.halved`): irfftn
of it takes them, where numpy takes the last axis and 2(m-1), and refuses axes that end with another
one. Results are new arrays; `out` is a DistArray to write to instead, whose layout is then that
of the result. `layout` asks for a layout of the result; by default it is where it falls, which
takes the fewest exchanges.

Arrays are of float32, float64, complex64 or complex128; real ones are made complex where numpy does
so, by a copy, and integers are made float64. Plans are made at the first call and kept (release()).
Every rank raises the same BadRequest for arguments that do not fit.
"""

from __future__ import annotations

import functools
from typing import Optional

import numpy as np

from .communicator import agreed
from .distarray import DistArray
from .distribution import Distribution
from .end import Shape
from .errors import BadRequest
from .halved import Known, described, transformed
from .prepared import Question, prepared, release
from .problem import Numbers, axes_of, norms, numbers

__all__ = ["dctn", "dstn", "fft", "fft2", "fftn", "idctn", "idstn", "ifft", "ifft2", "ifftn", "irfft",
           "irfft2", "irfftn", "release", "rfft", "rfft2", "rfftn"]

_single = (np.dtype(np.float32), np.dtype(np.complex64))


def fftn(a: DistArray, s: Optional[Numbers] = None, axes: Optional[Numbers] = None,
         norm: Optional[str] = None, out: Optional[DistArray] = None, *,
         layout: Optional[str] = None) -> DistArray:
    """Collective. The transform along axes (None: all), exponent -1; complex, of a's shape."""
    return _run("c2c", False, a, s, axes, norm, out, layout)


def ifftn(a: DistArray, s: Optional[Numbers] = None, axes: Optional[Numbers] = None,
          norm: Optional[str] = None, out: Optional[DistArray] = None, *,
          layout: Optional[str] = None) -> DistArray:
    """Collective. The inverse of fftn."""
    return _run("c2c", True, a, s, axes, norm, out, layout)


def rfftn(a: DistArray, s: Optional[Numbers] = None, axes: Optional[Numbers] = None,
          norm: Optional[str] = None, out: Optional[DistArray] = None, *,
          layout: Optional[str] = None) -> DistArray:
    """Collective. fftn of a real array; the last of axes keeps n/2+1 values."""
    return _run("r2c", False, a, s, axes, norm, out, layout)


def irfftn(a: DistArray, s: Optional[Numbers] = None, axes: Optional[Numbers] = None,
           norm: Optional[str] = None, out: Optional[DistArray] = None, *,
           layout: Optional[str] = None) -> DistArray:
    """Collective. The inverse of rfftn, real; of an odd length give s, unless rfftn made the array."""
    return _run("r2c", True, a, s, axes, norm, out, layout)


def dctn(x: DistArray, type: int = 2, axes: Optional[Numbers] = None, norm: Optional[str] = None,
         *, orthogonalize: Optional[bool] = None, layout: Optional[str] = None) -> DistArray:
    """Collective. scipy.fft.dctn: the cosine transform of type 1 to 4 along axes (None: all).

    orthogonalize: None is True of norm="ortho", otherwise False, as scipy has it.
    """
    return real_to_real("dct", False, x, type, axes, norm, orthogonalize, layout)


def idctn(x: DistArray, type: int = 2, axes: Optional[Numbers] = None, norm: Optional[str] = None,
          *, orthogonalize: Optional[bool] = None, layout: Optional[str] = None) -> DistArray:
    """Collective. The inverse of dctn."""
    return real_to_real("dct", True, x, type, axes, norm, orthogonalize, layout)


def dstn(x: DistArray, type: int = 2, axes: Optional[Numbers] = None, norm: Optional[str] = None,
         *, orthogonalize: Optional[bool] = None, layout: Optional[str] = None) -> DistArray:
    """Collective. scipy.fft.dstn: the sine transform of type 1 to 4; otherwise as dctn."""
    return real_to_real("dst", False, x, type, axes, norm, orthogonalize, layout)


def idstn(x: DistArray, type: int = 2, axes: Optional[Numbers] = None, norm: Optional[str] = None,
          *, orthogonalize: Optional[bool] = None, layout: Optional[str] = None) -> DistArray:
    """Collective. The inverse of dstn."""
    return real_to_real("dst", True, x, type, axes, norm, orthogonalize, layout)


def fft2(a: DistArray, s: Optional[Numbers] = None, axes: Numbers = (-2, -1),
         norm: Optional[str] = None, out: Optional[DistArray] = None, *,
         layout: Optional[str] = None) -> DistArray:
    """Collective. fftn along two axes, the last ones."""
    return _run("c2c", False, a, s, axes, norm, out, layout)


def ifft2(a: DistArray, s: Optional[Numbers] = None, axes: Numbers = (-2, -1),
          norm: Optional[str] = None, out: Optional[DistArray] = None, *,
          layout: Optional[str] = None) -> DistArray:
    """Collective. The inverse of fft2."""
    return _run("c2c", True, a, s, axes, norm, out, layout)


def rfft2(a: DistArray, s: Optional[Numbers] = None, axes: Numbers = (-2, -1),
          norm: Optional[str] = None, out: Optional[DistArray] = None, *,
          layout: Optional[str] = None) -> DistArray:
    """Collective. rfftn along two axes, the last ones."""
    return _run("r2c", False, a, s, axes, norm, out, layout)


def irfft2(a: DistArray, s: Optional[Numbers] = None, axes: Numbers = (-2, -1),
           norm: Optional[str] = None, out: Optional[DistArray] = None, *,
           layout: Optional[str] = None) -> DistArray:
    """Collective. The inverse of rfft2."""
    return _run("r2c", True, a, s, axes, norm, out, layout)


def fft(a: DistArray, n: Optional[int] = None, axis: int = -1, norm: Optional[str] = None,
        out: Optional[DistArray] = None, *, layout: Optional[str] = None) -> DistArray:
    """Collective. fftn along one axis."""
    return _run("c2c", False, a, n, axis, norm, out, layout)


def ifft(a: DistArray, n: Optional[int] = None, axis: int = -1, norm: Optional[str] = None,
         out: Optional[DistArray] = None, *, layout: Optional[str] = None) -> DistArray:
    """Collective. The inverse of fft."""
    return _run("c2c", True, a, n, axis, norm, out, layout)


def rfft(a: DistArray, n: Optional[int] = None, axis: int = -1, norm: Optional[str] = None,
         out: Optional[DistArray] = None, *, layout: Optional[str] = None) -> DistArray:
    """Collective. rfftn along one axis."""
    return _run("r2c", False, a, n, axis, norm, out, layout)


def irfft(a: DistArray, n: Optional[int] = None, axis: int = -1, norm: Optional[str] = None,
          out: Optional[DistArray] = None, *, layout: Optional[str] = None) -> DistArray:
    """Collective. The inverse of rfft; of an odd length give n, unless rfft made the array."""
    return _run("r2c", True, a, n, axis, norm, out, layout)


def _run(kind: str, inverse: bool, a: DistArray, s: Optional[Numbers], axes: Optional[Numbers],
         norm: Optional[str], out: Optional[DistArray], layout: Optional[str],
         kinds: str = "") -> DistArray:
    """The plan of all functions is that of the forward transform, which the inverse runs back."""
    if not isinstance(a, DistArray):
        raise TypeError(f"weft.fft takes a weft.DistArray, not a {type(a).__name__}: "
                        "DistArray.from_global() makes one")
    question, values = agreed(
        a.comm, lambda: (_question(kind, inverse, a, s, axes, norm)._replace(kinds=kinds),
                         _cast(a, kind == "r2r" or (kind == "r2c" and not inverse))))
    if out is not None or layout is not None:
        asked, shape = layout, _result_shape(question, inverse)
        layout = agreed(a.comm, lambda: _layout_of_result(question, inverse, a, out, asked, shape))
    ends = (layout, a.layout) if inverse else (a.layout, layout)
    use = prepared(question, a.comm, *ends)
    target = use.source if inverse else use.target
    dtype = use.plan.in_dtype if inverse else use.plan.out_dtype
    result = DistArray(target, target.end.allocated(dtype)) if out is None else out
    halved = transformed(kind, inverse, question.shape, question.axes, a._halved)
    if inverse:
        use.transform.backward(result.local, values.local)
    else:
        use.transform.forward(values.local, result.local)
    result._halved = halved
    return result


def real_to_real(family: str, inverse: bool, x: DistArray, type: int, axes: Optional[Numbers],
                 norm: Optional[str], orthogonalize: Optional[bool],
                 layout: Optional[str]) -> DistArray:
    """A cosine (family "dct") or sine ("dst") transform, or its inverse."""
    if not isinstance(x, DistArray):
        raise TypeError(f"weft.fft takes a weft.DistArray, not a {x.__class__.__name__}: "
                        "DistArray.from_global() makes one")
    chosen = agreed(x.comm, lambda: _real_axes(family, x, type, axes))
    if orthogonalize is None:
        orthogonalize = norm == "ortho"
    ends = _weighted_ends(family, type) if orthogonalize else ((), ())
    before, after = (ends[1], ends[0]) if inverse else ends
    if before:
        x = agreed(x.comm, lambda: _cast(x, True)).copy()
        _weight(x, chosen, before, np.sqrt(2))
    result = _run("r2r", inverse, x, None, chosen, norm, None, layout, f"{family}{type}")
    _weight(result, chosen, after, np.sqrt(0.5))
    return result


def _real_axes(family: str, x: DistArray, type: int, axes: Optional[Numbers]) -> Shape:
    """The axes, which have to be long enough."""
    if type not in (1, 2, 3, 4):
        raise BadRequest(f"type={type!r}: it is 1, 2, 3 or 4")
    chosen = _axes(x.ndim, None, None if axes is None else tuple(axes_of(axes, x.ndim)))
    for axis in chosen:
        if family == "dct" and type == 1 and x.global_shape[axis] < 2:
            raise BadRequest(f"axis {axis} has the length {x.global_shape[axis]}, but type 1 needs "
                             "at least 2")
    return chosen


def _weighted_ends(family: str, type: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Which values along an axis orthogonal transforms have times sqrt 2 before the transform, and
    by sqrt 2 after it; -1: the last."""
    if type == 1 and family == "dct":
        return (0, -1), (0, -1)
    end = 0 if family == "dct" else -1
    return ((end,) if type == 3 else ()), ((end,) if type == 2 else ())


def _weight(x: DistArray, axes: Shape, ends: tuple[int, ...], factor: float) -> None:
    """Multiplies the values at those ends of each axis."""
    for box, view in zip(x.boxes, x.views):
        for axis in axes:
            for end in ends:
                place = end % x.global_shape[axis]
                if box[axis].start <= place < box[axis].stop:
                    view[(slice(None),) * axis + (place - box[axis].start,)] *= factor


def _question(kind: str, inverse: bool, a: DistArray, s: Optional[Numbers],
              axes: Optional[Numbers], norm: Optional[str]) -> Question:
    """What is asked for; raises BadRequest if that is nothing."""
    lengths = None if s is None else tuple(numbers("s", s))
    chosen = None if axes is None else tuple(axes_of(axes, a.ndim))
    return _checked(kind, inverse, a.global_shape, a.dtype in _single, lengths, chosen, norm, a._halved)


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


def _result_shape(question: Question, inverse: bool) -> Shape:
    shape = list(question.shape)
    if question.kind == "r2c" and not inverse:
        shape[question.axes[-1]] = shape[question.axes[-1]] // 2 + 1
    return tuple(shape)


def _layout_of_result(question: Question, inverse: bool, a: DistArray, out: Optional[DistArray],
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


def _cast(a: DistArray, real: bool) -> DistArray:
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
