"""Plans that are kept for calls which name a problem and arrays, not a plan.

They are kept with the communicator, and released with it or when many others have been used since.
All ranks make the same calls, so all keep the same plans.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from .distribution import Distribution
from .end import Shape
from .plan import Plan
from .transform import Transform

if TYPE_CHECKING:
    from mpi4py import MPI

limit = 64
"""So many requests a communicator are kept."""


class Question(NamedTuple):
    """What is to be done, whatever the layouts."""

    kind: str
    precision: str
    shape: Shape  # of the real array
    axes: Shape  # for r2c the last one is the r2c axis
    scale: str
    element_bytes: int
    kinds: str = ""  # of r2r, all alike


class Prepared(NamedTuple):
    """A plan with a transform that is bound to no arrays, and the distributions of its ends."""

    plan: Plan
    transform: Transform
    source: Distribution
    target: Distribution


Request = tuple[Question, Optional[str], Optional[str]]
_keyval: list[int] = []


def prepared(question: Question, comm: MPI.Comm, source: Optional[str],
             target: Optional[str]) -> Prepared:
    """Collective. The plan with these layouts at its ends; None: where it falls."""
    kept = _kept(comm)
    request = (question, source, target)
    found = kept.get(request)
    if found is None:
        found = made(question, comm, source, target)
        kept[question, found.source.layout, found.target.layout] = found
    # The way back, which is asked for by the layout where this one ends, is the way it came.
    if source is not None:
        kept[question, None, found.target.layout] = found
    if target is not None:
        kept[question, found.source.layout, None] = found
    kept[request] = found
    kept.move_to_end(request)
    while len(kept) > limit:
        kept.popitem(last=False)
    return found


def release(comm: Optional[MPI.Comm] = None) -> None:
    """Local. Releases the plans that weft.fft and DistArray keep for a communicator (None:
    COMM_WORLD, or default_communicator's); all ranks do so between the same calls."""
    from .communicator import communicator

    _kept(communicator(comm)[0]).clear()


def made(question: Question, comm: MPI.Comm, source: Optional[str],
         target: Optional[str]) -> Prepared:
    """Collective. The plan as prepared() has it, but not kept."""
    source, target = source or "free", target or "free"
    if question.kind == "redistribute":
        plan = Plan(question.shape, comm, kind="redistribute", input=source, output=target,
                    element_bytes=question.element_bytes)
    else:
        plan = Plan(question.shape, comm, kind=question.kind, precision=question.precision,
                    axes=question.axes, kinds=question.kinds or None, scale=question.scale,
                    input=source, output=target)
    return Prepared(plan, plan.bind(),
                    Distribution(plan._plan, False, plan.in_global_shape, source, comm),
                    Distribution(plan._plan, True, plan.out_global_shape, target, comm))


def _kept(comm: MPI.Comm) -> OrderedDict[Request, Prepared]:
    from mpi4py import MPI

    if not _keyval:
        _keyval.append(MPI.Comm.Create_keyval())
    kept: Any = comm.Get_attr(_keyval[0])
    if kept is None:
        kept = OrderedDict()
        comm.Set_attr(_keyval[0], kept)
    return kept  # type: ignore[no-any-return]
