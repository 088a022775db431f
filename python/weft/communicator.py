"""mpi4py's communicators, as the library sees them."""

from . import _weft
from .errors import Code, Error


def require_same_mpi(mpi):
    """Raises Error(NOT_AVAILABLE) unless mpi4py's module `mpi` and this package use one MPI.

    Two MPI libraries in a process know nothing of each other, and their handles differ.
    """
    theirs = mpi.Get_library_version().strip("\0\n ")
    ours = _weft.mpi_library().strip("\0\n ")
    if mpi._sizeof(mpi.Comm) == _weft.mpi_comm_bytes and theirs == ours:
        return
    raise Error(
        "mpi4py and weft use different MPI libraries; install both with the same one "
        f"(mpi4py: '{_first_line(theirs)}', {mpi._sizeof(mpi.Comm)} bytes a handle; "
        f"weft: '{_first_line(ours)}', {_weft.mpi_comm_bytes} bytes)",
        Code.NOT_AVAILABLE,
    )


def _first_line(text):
    return text.splitlines()[0] if text else ""


def communicator(comm):
    """The communicator (None: COMM_WORLD) and the address of its handle."""
    from mpi4py import MPI  # initialises MPI, which a plan without a communicator need not

    require_same_mpi(MPI)
    if comm is None:
        comm = MPI.COMM_WORLD
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm is {comm!r}, but has to be a communicator of mpi4py")
    return comm, MPI._addressof(comm)
