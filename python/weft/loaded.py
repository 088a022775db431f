"""Whether the extension module can be used here; if not, importing this says why.

A wheel is of one MPI, whose library the extension module loads. Another MPI's has other handles.
"""

from __future__ import annotations

import sys

from . import built
from .errors import Error

_advice = "build weft with the MPI of this machine: CMAKE_ARGS=-DMPI_CXX_COMPILER=mpicxx pip install ."

try:
    from . import _weft
except ImportError as error:
    raise ImportError(f"weft was built with {built.mpi} and cannot be loaded here: {error}; "
                      f"{_advice}") from error

from .communicator import require_same_mpi  # noqa: E402  It needs the extension module.


def require_kind(needed: str, running: str) -> None:
    """Raises ImportError if one of these is Open MPI and the other is not. MPICH's ABI is that of
    MPIs of several names."""
    unknown = needed.split()[0] == "MPI"
    if unknown or needed.startswith("Open MPI") == running.startswith("Open MPI"):
        return
    raise ImportError(f"weft was built with {needed}, but the MPI that runs here says it is "
                      f"'{running.splitlines()[0] if running else ''}'; {_advice}")


require_kind(built.mpi, _weft.mpi_library().strip("\0\n "))
if "mpi4py.MPI" in sys.modules:  # Otherwise the first plan looks at it.
    try:
        require_same_mpi(sys.modules["mpi4py.MPI"])
    except Error as error:
        raise ImportError(str(error)) from None
