"""Coordinates and wave numbers of a part of an array, which broadcast as those of numpy.ogrid do.

    coordinates((4,), (slice(1, 3),), 8.0, np.float64)              # ([2, 4],)
    wavenumbers((4,), (slice(0, 4),), 2 * np.pi, none, np.float64)  # ([0, 1, -2, -1],)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .end import Shape, Slices
from .errors import BadRequest
from .r2c_axis import R2cAxis

Lengths = Union[float, Sequence[float], NDArray[np.floating[Any]]]
Mesh = tuple[NDArray[np.floating[Any]], ...]


def coordinates(shape: Shape, box: Slices, lengths: Lengths, dtype: DTypeLike) -> Mesh:
    """i L / n of each axis of `shape` within the box, which may have a batch axis besides."""
    spans = spans_of(lengths, len(shape))
    values = [np.arange(cut.start, cut.stop) * (span / extent)
              for extent, cut, span in zip(shape, box, spans)]
    return _open(values, len(box), dtype)


def wavenumbers(shape: Shape, box: Slices, lengths: Lengths, r2c_axis: R2cAxis, dtype: DTypeLike,
                nyquist: bool = True) -> Mesh:
    """2 pi k / L of each axis, with k of numpy.fft.fftfreq, of the r2c axis of rfftfreq; without
    nyquist 0 for k = n/2 and -n/2."""
    spans = spans_of(lengths, len(shape))
    values = []
    for axis, (extent, cut, span) in enumerate(zip(shape, box, spans)):
        k, n = np.arange(cut.start, cut.stop), extent
        if axis == r2c_axis.axis:
            n = r2c_axis.n
            if not nyquist and n == 0:
                raise BadRequest(f"nyquist=False, but axis {axis} has {extent} values of {2 * extent - 2}"
                                 f" or {2 * extent - 1}, which this array does not know: arrays of "
                                 "weft.fft.rfftn do, and plan.wavenumbers()")
        else:
            k = np.where(k > (n - 1) // 2, k - n, k)
        if not nyquist:
            k = np.where(2 * abs(k) == n, 0, k)
        values.append(k * (2 * np.pi / span))
    return _open(values, len(box), dtype)


def spans_of(lengths: Lengths, dims: int) -> list[float]:
    """One length for each axis. Raises BadRequest unless there are so many, all positive."""
    spans = [float(span) for span in np.atleast_1d(np.asarray(lengths, float)).ravel()]
    if np.ndim(lengths) == 0:
        spans *= dims
    if len(spans) != dims:
        raise BadRequest(f"{len(spans)} lengths for a shape of {dims} axes; give one number, or one "
                         "for each axis")
    if not all(0 < span < float("inf") for span in spans):
        raise BadRequest(f"lengths={lengths}: lengths are positive numbers")
    return spans


def _open(values: list[NDArray[Any]], dims: int, dtype: DTypeLike) -> Mesh:
    return tuple(line.astype(dtype).reshape((1,) * axis + (-1,) + (1,) * (dims - axis - 1))
                 for axis, line in enumerate(values))
