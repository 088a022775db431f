"""A plan bound to arrays, or to none yet."""

from .errors import BadRequest


class Transform:
    """Transforms between two arrays, which it keeps alive: `input` and `output`; of fields, lists.

    Made by Plan.bind. Both are None if it was bound to no arrays: then calls are given them.
    Releasing it is local; the plan may be gone before. One that is released while it is started is
    completed first, which may wait for other ranks.
    """

    def __init__(self, bound, plan, input, output, workspace):
        self._bound = bound
        self._plan = plan
        self._workspace = workspace
        self._given = None  # the arrays of what was started last, which are to stay
        self.input = input
        self.output = output

    @property
    def plan(self):
        """The text of the plan that runs: Plan(transform.plan, comm) is an equal plan."""
        return self._bound.plan_text()

    def forward(self, input=None, output=None):
        """Collective. From the input array into the output array; other threads run meanwhile.

        Bound to no arrays it is given them (of several fields: lists): any with the dtype, shape
        and strides of plan.empty(), others at each call. Nothing is planned or communicated for it
        (docs/arrays.md). Raises BadRequest on this rank alone, before anything has started, if an
        array does not fit, overlaps another one or, with engine="fftw", is not aligned to 16 bytes;
        and if it was bound to arrays.
        """
        self.start_forward(input, output)
        self.wait()

    def backward(self, input=None, output=None):
        """Collective. The reverse: from the output array into the input array."""
        self.start_backward(input, output)
        self.wait()

    def start_forward(self, input=None, output=None):
        """Local. Starts what forward() does; test() and wait() complete it.

        Until then the arrays are not to be touched. Any number of transforms may be started; all
        ranks start theirs in the same order, and wait for them in any order (docs/overlap.md).
        Raises BadRequest, on this rank alone, if it is started already.
        """
        self._start(False, input, output)

    def start_backward(self, input=None, output=None):
        """Local. Starts what backward() does."""
        self._start(True, input, output)

    def _start(self, backward, input, output):
        if (input is None) != (output is None):
            raise BadRequest("one array is given; give both, input and output, or none")
        if input is None:
            self._bound.start(backward)
            return
        addresses = self._plan.addresses(input, output)
        self._bound.start_on(backward, *addresses)
        self._given = input, output

    def test(self):
        """Takes all that this thread has started as far as it can go now; True if this transform
        is complete, or was not started."""
        return self._bound.test()

    def wait(self):
        """Waits until it is complete, while all others go on; other threads run meanwhile."""
        self._bound.wait()
