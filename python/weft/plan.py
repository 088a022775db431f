"""Plans: how a problem is solved on the ranks of a communicator."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, Union, cast

from . import _weft
from .communicator import agreed, communicator, restored_communicator, token_of
from .ends import Ends
from .errors import BadRequest, Closed
from .memory import view_of_workspace
from .part import Part, addresses, arrays_text, look_at
from .problem import Numbers, ProblemArguments, asked
from .transform import Transform

if TYPE_CHECKING:
    from mpi4py import MPI
    from typing_extensions import Self, Unpack


class Plan(Ends):
    """A plan of a text, or of a shape and arguments:

        Plan("r2c:f64:64x64x64 in=slab(0)", comm)
        Plan((64, 64, 64), comm, kind="r2c", input="slab(0)")

    Collective over comm, a communicator of mpi4py (None: COMM_WORLD, or default_communicator's). A
    text is complete (docs/text.md) and takes no other arguments. close() or the end of a `with`
    block closes a plan. Plans with equal texts are equal. A plan is pickled as its text: unpickling
    is collective, over COMM_WORLD or default_communicator's.

    Arguments, of which None stands for the default:

    - text, or shape: 1 to 6 lengths of the array, a tuple, list, numpy array or one number;
    - kind: "c2c" (default; of a real dtype "r2c"), "r2c", "c2r", "r2r", "redistribute";
    - precision: "f64" (default), "f32", or numpy's names and types: np.float32, "single";
      or dtype, that of the input: float32 or float64 mean r2c, complex64 or complex128 c2c;
    - batch: fields transformed in one call, the last axis of arrays if there is more than 1;
    - axes: the transformed ones, a number or a list; negative ones count from the end of the shape;
      r2c_axis: the axis of n/2+1 complex values (default: the last of axes);
    - kinds: "dct1" to "dct4", "dst1" to "dst4", "c2c", "r2c" or "c2r" (along one axis) or "none":
      one for each of axes, as in ("c2c", "dct2", "r2c"), or one for all (docs/kinds.md); without
      `kind` they imply it: "r2c", "c2r" or "c2c" if one of them is that, else "r2r";
    - modes: how many modes the spectrum keeps of each axis of the shape, as in (64, 64, 64):
      forward leaves out the others, backward takes them for zeros; even_modes: the rule for mode
      m/2 of an even number m, "split" (default), "zero" or "keep"; inside: how many points the
      field has along each axis, the first ones (docs/text.md);
    - input, output: layouts, "free" (default), "slab(0)", .., of a spectrum "sphere(16)", or of
      weft.boxes(); with sparse=True boxes may leave elements out; cut: "balanced" (default) or
      "block";
    - scale: a pair of factors, forward and backward, each "none" (default), "n" (1/N), "symmetric"
      (1/sqrt N) or a number; one for both; or numpy's norm: "backward" (none and 1/N), "ortho",
      "forward" (1/N and none). N is the product of the transformed lengths; a length n counts as
      2(n-1) with dct1, as 2(n+1) with dst1, and as 2n with other cosine and sine transforms;
    - in_place, may_destroy_input: False; element_bytes: of kind="redistribute";
    - the choice: decomposition, shrink, via (of weft.via, or a dict by redistribution), pack,
      carrier, wire, space, tile, engine, effort, threads, reproducible, chunk, tuning; or `choice`,
      all of these as a text.

    Raises the same Error on every rank: BadRequest (a ValueError: not well formed, does not fit the
    ranks, or the ranks disagree), or Error with the code NOT_AVAILABLE or SYSTEM. TypeError, on this
    rank alone, if comm is no communicator.
    """

    # Names are checked with their values, so that a misspelling on one rank is an error of all
    # ranks.
    def __init__(self, text: Union[str, Numbers, None] = None, comm: Optional[MPI.Comm] = None,
                 **arguments: Unpack[ProblemArguments]) -> None:
        words, complaint = asked(text, arguments)
        self._comm: Optional[MPI.Comm]
        self._comm, address = communicator(comm)
        self._look(_weft.plan_of(words, address, complaint))

    @classmethod
    def for_ranks(cls, text: Union[str, Numbers, None] = None, ranks: int = 0,
                  **problem: Unpack[ProblemArguments]) -> Self:
        """Local: a plan for a number of ranks (0: the text's) without MPI, to inspect.

        Arguments are those of Plan. Raises BadRequest as Plan does.
        """
        words, complaint = asked(text, problem)
        if complaint:
            raise BadRequest(complaint)
        plan = cls.__new__(cls)
        plan._comm = None
        plan._look(_weft.plan_for_ranks(words, ranks))
        return plan

    def _look(self, plan: _weft.Plan) -> None:
        self._plan = plan
        self._in = Part(plan, output=False)
        self._out = Part(plan, output=True)

    def close(self) -> None:
        """Local. Releases the plan: later uses raise BadRequest. Its transforms stay valid."""
        self._plan = cast(_weft.Plan, Closed("plan"))
        self._in = self._out = cast(Part, self._plan)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def comm(self) -> Optional[MPI.Comm]:
        """The communicator of the plan; None after for_ranks()."""
        return self._comm

    @property
    def ranks(self) -> int:
        """How many ranks the plan is for."""
        return self._plan.ranks()

    @property
    def rank(self) -> int:
        """The rank of this process in the communicator; 0 without MPI."""
        return self._plan.rank()

    @property
    def text(self) -> str:
        """The whole plan in one line: Plan(text, comm) is an equal plan."""
        return self._plan.text()

    def explain(self) -> str:
        """Its stages and layouts in the notation of the papers, one a line."""
        return self._plan.explain()

    @property
    def workspace_bytes(self) -> int:
        """Bytes of workspace that a transform needs on this rank, its own or of
        weft.workspace()."""
        return self._plan.workspace_bytes(self.rank)

    @property
    def region_bytes(self) -> int:
        """Bytes of shared memory of the node that a transform uses in addition, with
        via="shared"."""
        return self._plan.region_bytes(self.rank)

    @property
    def on_device(self) -> bool:
        """Whether the plan is computed on a device (space=)."""
        return self._plan.on_device()

    def bind(self, input: Any = None, output: Any = None, workspace: Any = None, fields: int = 1,
             memory: Optional[str] = None) -> Transform:
        """Collective. A Transform between two arrays, which are used without copies.

        Arrays are numpy's or, if the plan is computed on a device (space=), arrays on the device,
        such as CuPy's or PyTorch's (docs/devices.md). dtype, shape and strides must be those of
        empty(); contents are kept. The input array may be read-only, unless the plan is in place or
        may destroy its input; then backward() is refused. Lists of arrays are fields: one call
        transforms all. workspace is of weft.workspace(), or bytes on the device; transforms that
        never run at the same time may share one. Without it a transform allocates its workspace.

        Without arrays: a Transform that takes them in each call, forward(input, output). `fields`:
        the length of lists of arrays, unless it is 1. memory="device": arrays are on the device,
        otherwise on the host.

        Raises the same BadRequest on every rank, which quotes the values of the array and of the
        plan, or names the mistake in the workspace or the number of fields.
        """
        if self._comm:  # It is null once it is freed.
            agreed(self._comm, lambda: self._plan.ranks())  # Other ranks' plans may be open.
        lent, complaint = view_of_workspace(workspace)
        where = (0, 0) if lent is None else (lent.address, lent.nbytes)
        if input is None and output is None:
            if memory not in (None, "host", "device"):
                complaint = f"memory is {memory!r}, it can be 'host' or 'device'"
            if not isinstance(fields, int):
                complaint, fields = f"fields is {fields!r}, a whole number is needed", 1
            bound = self._plan.bind_fields(fields, memory == "device", *where, complaint)
            return Transform(bound, (self._in, self._out), self.on_device, None, None, lent)
        ends, wrong = look_at((self._in, self._out), input, output, None)
        if memory is not None:
            wrong = wrong or "memory= is for binding to no arrays; arrays tell it themselves"
        bound = self._plan.bind(*addresses(ends), *where, wrong or complaint)
        frozen = not all(view.writeable for view in ends[0])
        frozen = self._plan.on_any(frozen)
        return Transform(bound, (self._in, self._out), self.on_device, input, output, [ends, lent],
                         frozen)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[Callable[..., Plan], tuple[str, Optional[str]]]:
        return _restored, (self.text, token_of(self._comm))

    def __repr__(self) -> str:
        if isinstance(self._plan, Closed):
            return "<weft.Plan, closed>"
        return f"<weft.Plan {self.text!r}, rank {self.rank}: {arrays_text(self._in, self._out)}>"


# So that help() and editors name every argument.
_own = [*inspect.signature(Plan.__init__).parameters.values()][1:-1]
setattr(Plan, "__signature__", inspect.Signature([*_own, *(
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None,
                      annotation=getattr(hint, "__forward_arg__", hint))
    for name, hint in ProblemArguments.__annotations__.items())], return_annotation=None))


def _restored(text: str, where: Optional[str]) -> Plan:
    """A plan from what __reduce__ has kept."""
    if where is None:
        return Plan.for_ranks(text)
    return Plan(text, restored_communicator(where))
