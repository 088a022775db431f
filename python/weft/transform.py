"""A plan bound to arrays."""


class Transform:
    """Transforms between two arrays, which it keeps alive: `input` and `output`; of fields, lists.

    Made by Plan.bind. Releasing it is local; the plan may be gone before. One that is released
    while it is started is completed first, which may wait for other ranks.
    """

    def __init__(self, bound, input, output, workspace):
        self._bound = bound
        self._workspace = workspace
        self.input = input
        self.output = output

    def forward(self):
        """Collective. From the input array into the output array; other threads run meanwhile."""
        self._bound.forward()

    def backward(self):
        """Collective. The reverse: from the output array into the input array."""
        self._bound.backward()

    def start_forward(self):
        """Local. Starts what forward() does; test() and wait() complete it.

        Until then the arrays are not to be touched. Any number of transforms may be started; all
        ranks start theirs in the same order, and wait for them in any order (docs/overlap.md).
        Raises BadRequest, on this rank alone, if it is started already.
        """
        self._bound.start_forward()

    def start_backward(self):
        """Local. Starts what backward() does."""
        self._bound.start_backward()

    def test(self):
        """Takes all that this thread has started as far as it can go now; True if this transform
        is complete, or was not started."""
        return self._bound.test()

    def wait(self):
        """Waits until it is complete, while all others go on; other threads run meanwhile."""
        self._bound.wait()
