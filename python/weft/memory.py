"""Memory that is lent to transforms."""

from __future__ import annotations

import operator
from typing import Any, Optional, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from . import _weft
from .errors import BadRequest
from .view import View, view_of


def workspace(bytes: SupportsIndex) -> NDArray[np.uint8]:
    """Memory for Plan.bind: a numpy array of `bytes` bytes (uint8), aligned to 64 bytes.

    Local. Raises BadRequest if the number is negative, Error(SYSTEM) if there is not enough.
    """
    count = operator.index(bytes)
    if count < 0:
        raise BadRequest(f"a workspace of a negative size: {count}; it has 0 bytes or more")
    return _weft.allocate(count)


def view_of_workspace(array: Any) -> tuple[Optional[View], str]:
    """How a workspace lies in memory, and what is wrong with it; None is no workspace."""
    if array is None:
        return None, ""
    try:
        view = view_of(array)
    except Exception as error:  # Of any package's: all ranks have to learn of it.
        return None, f"the workspace is of {type(array).__name__}, which cannot be used: {error}"
    if view is None:
        return None, f"the workspace is of {type(array).__name__}; weft.workspace() makes one"
    in_a_row = view.size < 2 or view.strides == (1,)
    if view.dtype != np.uint8 or len(view.shape) != 1 or not in_a_row:
        return None, (f"the workspace is of dtype {view.dtype}, shape {view.shape}, strides "
                      f"{view.strides}; it has to be of bytes (uint8) in a row, as "
                      "weft.workspace() is")
    return view, "" if view.writeable else "the workspace is read-only"
