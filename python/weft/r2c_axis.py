"""What an array knows of the axis that keeps n/2+1 of its n values, as r2c leaves it.

    R2cAxis(2, 64)     # axis 2 has 33 values, k = 0 .. 32
    none              # there is no r2c axis
    None              # nothing is known
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import NamedTuple, Optional, SupportsIndex, Union

from .end import Shape
from .errors import BadRequest


class R2cAxis(NamedTuple):
    """The r2c axis (-1: there is none), and its length before (0: not known)."""

    axis: int
    n: int


none = R2cAxis(-1, 0)
Known = Optional[R2cAxis]


def shared(every: Iterable[Known]) -> Known:
    """Of arrays that are combined element by element; nothing is known if they contradict."""
    found = set(every) - {None}
    return found.pop() if len(found) == 1 else None


def transformed(kind: str, inverse: bool, shape: Shape, axes: Shape, before: Known) -> Known:
    """Of the result of a transform along these axes; shape: of the real array; before: of what is
    transformed."""
    others = before if before is not None and before.axis not in axes else None
    if len(axes) == len(shape):
        others = none
    if kind == "r2c" and not inverse:
        return R2cAxis(axes[-1], shape[axes[-1]]) if others in (None, none) else None
    if kind == "r2c":
        return none
    if kind == "c2c" and not (before is not None and before.axis in axes):
        return others
    return None


def asked_for(asked: Union[SupportsIndex, str, None], known: Known, dims: int) -> R2cAxis:
    """What wavenumbers() goes by. Raises BadRequest if nobody knows, or the array knows better."""
    if asked is None:
        if known is None:
            raise BadRequest("nothing says which axis of this array is the r2c axis (keeps n/2+1 of n "
                             "values): give r2c_axis=-1 for a spectrum of rfftn, r2c_axis=\"none\" for "
                             "one of fftn")
        return known
    if asked == "none":
        said = none
    elif isinstance(asked, SupportsIndex) and -dims <= operator.index(asked) < dims:
        said = R2cAxis(operator.index(asked) % dims, 0)
    else:
        raise BadRequest(f"r2c_axis={asked!r} of an array of {dims} axes: it is the number of one, or "
                         "\"none\"")
    if known is None:
        return said
    if known.axis != said.axis:
        raise BadRequest(f"r2c_axis={asked!r}, but of this array {described(known)}")
    return known


def described(known: R2cAxis) -> str:
    """In words."""
    return (f"axis {known.axis} is the r2c axis" if known.axis >= 0 else "there is no r2c axis") + (
        f", of {known.n} values" if known.n else "")
