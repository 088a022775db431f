"""What an array knows of the axis that keeps n/2+1 of its n values, as r2c leaves it.

    Halved(2, 64)     # axis 2 has 33 values, k = 0 .. 32
    none              # no axis is halved
    None              # nothing is known
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import NamedTuple, Optional, SupportsIndex, Union

from .end import Shape
from .errors import BadRequest


class Halved(NamedTuple):
    """The halved axis (-1: there is none), and its length before (0: not known)."""

    axis: int
    n: int


none = Halved(-1, 0)
Known = Optional[Halved]


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
        return Halved(axes[-1], shape[axes[-1]]) if others in (None, none) else None
    if kind == "r2c":
        return none
    if kind == "c2c" and not (before is not None and before.axis in axes):
        return others
    return None


def asked_for(asked: Union[SupportsIndex, str, None], known: Known, dims: int) -> Halved:
    """What wavenumbers() goes by. Raises BadRequest if nobody knows, or the array knows better."""
    if asked is None:
        if known is None:
            raise BadRequest("nothing says which axis of this array is halved (keeps n/2+1 of n "
                             "values): give halved=-1 for a spectrum of rfftn, halved=\"none\" for "
                             "one of fftn")
        return known
    if asked == "none":
        said = none
    elif isinstance(asked, SupportsIndex) and -dims <= operator.index(asked) < dims:
        said = Halved(operator.index(asked) % dims, 0)
    else:
        raise BadRequest(f"halved={asked!r} of an array of {dims} axes: it is the number of one, or "
                         "\"none\"")
    if known is None:
        return said
    if known.axis != said.axis:
        raise BadRequest(f"halved={asked!r}, but of this array {described(known)}")
    return known


def described(known: Halved) -> str:
    """In words."""
    return (f"axis {known.axis} is halved" if known.axis >= 0 else "no axis is halved") + (
        f", of {known.n} values" if known.n else "")
