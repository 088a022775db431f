"""numpy.fft for distributed arrays:

    x = weft.DistArray.from_function(function, (64, 64, 64), layout="slab(0)")
    spectrum = weft.fft.rfftn(x)         # in spectrum.layout
    again = weft.fft.irfftn(spectrum)    # back in x.layout

All functions are collective over the array's communicator. Arguments, defaults and results are
numpy's; those of dctn, idctn, dstn and idstn are scipy.fft's (without s). s and n must be the
lengths of the array (no padding, no truncation). s and n of irfft, irfft2 and irfftn choose whether
the last axis has 2(m-1) real values (the default) or 2m-1. A spectrum that rfftn made knows both,
the r2c axis and its length (`x.r2c_axis`): irfftn of it takes them, where numpy takes the last axis
and 2(m-1), and refuses axes that end with another one. Results are new arrays, or `out`, a
DistArray whose layout the result gets. `layout` is the layout of the result; by default it is the
one that takes the fewest exchanges.

Arrays have dtype float32, float64, complex64 or complex128. Where numpy does so, real arrays are
copied to complex ones, and integers to float64. Plans are made at the first call and kept;
release() frees them. Every rank raises the same BadRequest for arguments that do not fit.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from .communicator import agreed
from .distarray import DistArray
from .end import Shape
from .fft_arguments import cast, layout_of_result, question_of, real_axes, result_shape
from .r2c_axis import transformed
from .prepared import prepared, release
from .problem import Numbers

__all__ = ["dctn", "dstn", "fft", "fft2", "fftn", "idctn", "idstn", "ifft", "ifft2", "ifftn", "irfft",
           "irfft2", "irfftn", "release", "rfft", "rfft2", "rfftn"]


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
        a.comm, lambda: (question_of(kind, inverse, a, s, axes, norm)._replace(kinds=kinds),
                         cast(a, kind == "r2r" or (kind == "r2c" and not inverse))))
    if out is not None or layout is not None:
        asked, shape = layout, result_shape(question, inverse)
        layout = agreed(a.comm, lambda: layout_of_result(question, inverse, a, out, asked, shape))
    ends = (layout, a.layout) if inverse else (a.layout, layout)
    use = prepared(question, a.comm, *ends)
    target = use.source if inverse else use.target
    dtype = use.plan.in_dtype if inverse else use.plan.out_dtype
    result = DistArray(target, target.end.allocated(dtype)) if out is None else out
    r2c_axis = transformed(kind, inverse, question.shape, question.axes, a._r2c_axis)
    if inverse:
        use.transform.backward(result.local, values.local)
    else:
        use.transform.forward(values.local, result.local)
    result._r2c_axis = r2c_axis
    return result


def real_to_real(family: str, inverse: bool, x: DistArray, type: int, axes: Optional[Numbers],
                 norm: Optional[str], orthogonalize: Optional[bool],
                 layout: Optional[str]) -> DistArray:
    """A cosine (family "dct") or sine ("dst") transform, or its inverse."""
    if not isinstance(x, DistArray):
        raise TypeError(f"weft.fft takes a weft.DistArray, not a {x.__class__.__name__}: "
                        "DistArray.from_global() makes one")
    chosen = agreed(x.comm, lambda: real_axes(family, x, type, axes))
    if orthogonalize is None:
        orthogonalize = norm == "ortho"
    ends = _weighted_ends(family, type) if orthogonalize else ((), ())
    before, after = (ends[1], ends[0]) if inverse else ends
    if before:
        x = agreed(x.comm, lambda: cast(x, True)).copy()
        _weight(x, chosen, before, np.sqrt(2))
    result = _run("r2r", inverse, x, None, chosen, norm, None, layout, f"{family}{type}")
    _weight(result, chosen, after, np.sqrt(0.5))
    return result


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
