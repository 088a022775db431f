"""Memory that is lent to transforms."""

import operator

import numpy as np

from . import _weft
from .errors import BadRequest


def workspace(bytes):
    """Memory for Plan.bind: a numpy array of so many bytes (uint8), aligned to 64.

    Local. Raises BadRequest if the number is negative, Error(SYSTEM) if there is not enough.
    """
    bytes = operator.index(bytes)
    if bytes < 0:
        raise BadRequest(f"a workspace of {bytes} bytes")
    return _weft.allocate(bytes)


def complaint_of_workspace(array):
    """What numpy knows to be wrong with a workspace; empty if nothing is. None is no workspace."""
    if array is None:
        return ""
    if not isinstance(array, np.ndarray):
        return f"the workspace is of {type(array).__name__}; weft.workspace() makes one"
    if array.dtype != np.uint8 or array.ndim != 1 or not array.flags.c_contiguous:
        return (f"the workspace is of dtype {array.dtype}, shape {array.shape}, strides "
                f"{array.strides}; it has to be of bytes (uint8) in a row, as weft.workspace() is")
    return "" if array.flags.writeable else "the workspace is read-only"
