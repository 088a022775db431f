"""How a transform is done on the ranks of a communicator."""

from . import _weft
from .communicator import communicator
from .errors import BadRequest
from .memory import view_of_workspace
from .part import Part, slices_of
from .problem import problem_text
from .transform import Transform


class Plan:
    """A plan of a text, or of arguments:

        Plan("r2c:f64:64x64x64 in=slab(0)", comm)
        Plan(shape=(64, 64, 64), kind="r2c", input="slab(0)", comm=comm)

    Collective over comm, a communicator of mpi4py (None: COMM_WORLD). Arguments have the names and
    values of docs/text.md: shape, kind, precision, batch, axes, halved, input, output (a text, as
    weft.boxes() gives one), cut, scale (a text, or a pair of factors), in_place, may_destroy_input,
    element_bytes (of kind="redistribute"); and how to do it: decomposition, shrink, via (of
    weft.via, or a dict by move), pack, tile, engine, effort, threads, chunk, or all of it as a
    text, choice (`via=alltoallw; engine=fftw`).

    Raises the same Error on every rank: BadRequest (a ValueError: not well formed, does not fit the
    ranks, or the ranks disagree), or Error with the code NOT_AVAILABLE or SYSTEM.
    """

    def __init__(self, text=None, comm=None, **problem):
        self._comm, address = communicator(comm)
        text, complaint = _asked(text, problem)
        self._plan = _weft.plan_of(text, address, complaint)
        self._look()

    @classmethod
    def for_ranks(cls, text=None, ranks=0, **problem):
        """Local: a plan for a number of ranks (0: the text's) without MPI, to look at."""
        text, complaint = _asked(text, problem)
        if complaint:
            raise TypeError(complaint)
        plan = cls.__new__(cls)
        plan._comm = None
        plan._plan = _weft.plan_for_ranks(text, ranks)
        plan._look()
        return plan

    def _look(self):
        self._in = Part(self._plan, output=False)
        self._out = Part(self._plan, output=True)

    @property
    def ranks(self):
        """How many ranks the plan is for."""
        return self._plan.ranks()

    @property
    def rank(self):
        """The rank of this process in the communicator; 0 without MPI."""
        return self._plan.rank()

    @property
    def text(self):
        """One line that says everything: Plan(text, comm) is an equal plan."""
        return self._plan.text()

    def explain(self):
        """Its stages and layouts in the notation of the papers, one a line."""
        return self._plan.explain()

    @property
    def in_slices(self):
        """What this rank owns of the global input array: a tuple of slices, one for each axis.

        Axes are those of the shape, n/2+1 long where halved; a batch is the last axis. A rank that
        owns nothing has empty slices; one that owns several boxes, a list of tuples.
        """
        return self._in.slices

    @property
    def out_slices(self):
        """What this rank owns of the global output array."""
        return self._out.slices

    def in_boxes(self, rank):
        """What any rank owns of the input: a list of tuples of slices, empty if it owns nothing."""
        return slices_of(self._plan.boxes(False, rank))

    def out_boxes(self, rank):
        """What any rank owns of the output."""
        return slices_of(self._plan.boxes(True, rank))

    @property
    def in_shape(self):
        """The shape of this rank's input array, in the order of the problem's axes.

        Where this rank owns several boxes, the array is memory for all of them, and the shape
        counts its elements: (n,). in_views() tells where the boxes lie in it.
        """
        return self._in.shape

    @property
    def out_shape(self):
        """The shape of this rank's output array, like in_shape."""
        return self._out.shape

    @property
    def in_strides(self):
        """The strides of this rank's input array in bytes, as numpy has them."""
        return self._in.strides

    @property
    def out_strides(self):
        """The strides of this rank's output array, like in_strides."""
        return self._out.strides

    @property
    def in_order(self):
        """The input's axes in memory, slowest first."""
        return self._in.order

    @property
    def out_order(self):
        """The output's axes in memory, slowest first."""
        return self._out.order

    @property
    def in_dtype(self):
        """The input's dtype; to redistribute, bytes, for which any dtype of their size will do."""
        return self._in.dtype

    @property
    def out_dtype(self):
        return self._out.dtype

    @property
    def workspace_bytes(self):
        """Bytes that a transform needs for its work on this rank: its own, or weft.workspace()."""
        return self._plan.workspace_bytes(self.rank)

    @property
    def region_bytes(self):
        """Bytes of memory shared within the node that it uses besides, where via="shared"."""
        return self._plan.region_bytes(self.rank)

    def empty_in(self, dtype=None):
        """An uninitialised array for this rank's input, aligned for speed.

        Its axes are the problem's, whatever their order in memory: where that is not row-major, the
        array is a transposed view, and padding leaves gaps in it. Where this rank owns several
        boxes, it is one-dimensional: see in_views(). dtype is for kind="redistribute", any of
        element_bytes. Local; raises BadRequest if dtype does not fit.
        """
        return self._in.empty(_weft.allocate(self._in.bytes), dtype)

    def empty_out(self, dtype=None):
        """An uninitialised array for this rank's output."""
        return self._out.empty(_weft.allocate(self._out.bytes), dtype)

    def empty(self, dtype=None):
        """The arrays of input and output; of an in-place plan, two views of the same memory.

        In place, lines of a real array have the gaps that their complex ends need.
        """
        if not self._plan.in_place():
            return self.empty_in(dtype), self.empty_out(dtype)
        memory = _weft.allocate(max(self._in.bytes, self._out.bytes))
        return self._in.empty(memory, dtype), self._out.empty(memory, dtype)

    def in_views(self, array):
        """The boxes of this rank's input array: a list of views of it, one for each of
        in_boxes(rank), with the problem's axes.

        Local; raises BadRequest if the array is not as empty_in() makes them.
        """
        return self._in.views(array)

    def out_views(self, array):
        """The boxes of this rank's output array."""
        return self._out.views(array)

    def bind(self, input=None, output=None, workspace=None, fields=1, memory=None):
        """Collective. A Transform between two arrays, which are used where they lie.

        Arrays are numpy's or, of a plan that is computed on a device (space=), a device's, such as
        CuPy's or PyTorch's (docs/devices.md). dtype, shape and strides must be those of empty();
        contents are kept. Lists of arrays are fields, all transformed by one call. workspace, of
        weft.workspace() or bytes of the device, may be shared by transforms that never run at the
        same time; without it a transform has its own.

        Without arrays: a Transform whose calls are given them, forward(input, output), others at
        each call if need be; `fields`: lists of so many, unless it is 1; memory="device": of the
        device, otherwise the host's.

        Raises the same BadRequest on every rank, which quotes what the array has and what the plan
        needs, or says what is wrong with the workspace or the number of fields.
        """
        if self._comm is not None and not self._comm:
            raise BadRequest("the plan's communicator has been freed; bind before, or plan anew")
        lent, complaint = view_of_workspace(workspace)
        where = (0, 0) if lent is None else (lent.address, lent.nbytes)
        if input is None and output is None:
            if memory not in (None, "host", "device"):
                complaint = f"memory is {memory!r}, it can be 'host' or 'device'"
            if not isinstance(fields, int):
                complaint, fields = f"fields is {fields!r}, a whole number is needed", 1
            bound = self._plan.bind_fields(fields, memory == "device", *where, complaint)
            return Transform(bound, self, None, None, [lent])
        ends, wrong = self._look_at(input, output, None)
        if memory is not None:
            wrong = wrong or "memory= is for binding to no arrays; arrays tell it themselves"
        bound = self._plan.bind(*_addresses(ends), *where, wrong or complaint)
        return Transform(bound, self, input, output, [*ends, lent])

    def look_at(self, input, output, stream):
        """Local. How the arrays of a call lie in memory, a list for each end; raises BadRequest if
        they are not as empty() makes them. stream: where they are going to be used."""
        ends, complaint = self._look_at(input, output, stream)
        if complaint:
            raise BadRequest(complaint)
        return ends

    def _look_at(self, input, output, stream):
        """The views of both ends' arrays, and what is wrong with these."""
        ends = []
        for part, arrays in ((self._in, input), (self._out, output)):
            views, complaint = part.look_at(_fields(arrays), stream)
            if complaint:
                return ([], []), complaint
            ends.append(views)
        return ends, ""

    @property
    def on_device(self):
        """Whether it is computed on a device (space=)."""
        return self._plan.on_device()

    def __eq__(self, other):
        return isinstance(other, Plan) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def __repr__(self):
        return f"weft.Plan({self.text!r})"


def _asked(text, problem):
    """The text that is asked for, and what is wrong with the arguments."""
    if text is not None:
        given = ", ".join(problem)
        return str(text), f"the problem is given as a text and as arguments ({given})" if given else ""
    try:
        return problem_text(**problem), ""
    except TypeError as error:
        return "", str(error)


def _fields(arrays):
    return list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]


def _addresses(ends):
    return [[view.address for view in views] for views in ends]
