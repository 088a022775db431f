"""mpi4py's communicators, as the library sees them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from . import _weft
from .errors import Code, Error

if TYPE_CHECKING:
    from mpi4py import MPI

Result = TypeVar("Result")

_default: ContextVar[Optional[Any]] = ContextVar("weft_default_communicator", default=None)

_mpi: list[Any] = []
"""mpi4py's module, once it is known to use the same MPI."""


def require_same_mpi(mpi: Any) -> None:
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


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else ""


@contextlib.contextmanager
def default_communicator(comm: MPI.Comm) -> Iterator[None]:
    """Within a `with` block, comm=None means `comm` instead of COMM_WORLD; also where plans are
    unpickled:

        with weft.default_communicator(comm):
            plan = pickle.loads(data)      # collective over comm

    Local; for the thread, or the task of asyncio, that enters the block.
    """
    token = _default.set(comm)
    try:
        yield
    finally:
        _default.reset(token)


def communicator(comm: Optional[MPI.Comm]) -> tuple[MPI.Comm, int]:
    """The communicator (None: the default one) and the address of its handle."""
    if not _mpi:
        from mpi4py import MPI  # initialises MPI, which a plan without a communicator need not

        require_same_mpi(MPI)
        _mpi.append(MPI)
    MPI = _mpi[0]
    if comm is None:
        chosen = _default.get()
        comm = MPI.COMM_WORLD if chosen is None else chosen
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm is {comm!r}, but has to be a communicator of mpi4py")
    address: int = MPI._addressof(comm)
    return comm, address


def agreed(comm: MPI.Comm, work: Callable[[], Result]) -> Result:
    """Collective. What `work`, which communicates with nobody, returns.

    If it raises on one rank, every rank raises BadRequest with that text, which names the rank
    unless all failed.
    """
    _, address = communicator(comm)
    result, complaint = [], ""
    try:
        result.append(work())
    except Exception as error:  # Of any kind: the other ranks must not wait for this one.
        complaint = str(error) or type(error).__name__
    _weft.agree(address, complaint)
    return result[0]


def token_of(comm: Optional[MPI.Comm]) -> Optional[str]:
    """What a pickled plan keeps of its communicator; None: it has none."""
    if comm is None:
        return None
    from mpi4py import MPI

    return "self" if comm == MPI.COMM_SELF else "world"


def restored_communicator(token: str) -> Optional[MPI.Comm]:
    """The communicator of an unpickled plan; None: the default one."""
    from mpi4py import MPI

    return MPI.COMM_SELF if token == "self" else None
