"""A plan bound to arrays."""


class Transform:
    """Transforms between two arrays, which it keeps alive: `input` and `output`; of fields, lists.

    Made by Plan.bind. Releasing it is local; the plan may be gone before.
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
