"""Transforms: plans bound with or without arrays."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Optional, cast

from . import _weft
from .errors import BadRequest, Closed
from .part import Part, Views, addresses, arrays_text, fields_of, look_at

if TYPE_CHECKING:
    from typing_extensions import Self


class Transform:
    """A plan bound to two arrays, `input` and `output` (of fields: lists), which it keeps alive.

    Made by Plan.bind. Both are None if it was bound without arrays: then calls take them. close(),
    the end of a `with` block or the last reference releases it; that is local, and the plan may be
    released before. A started transform is completed before its release, which may wait for other
    ranks.
    """

    def __init__(self, bound: _weft.Transform, parts: tuple[Part, Part], on_device: bool, input: Any,
                 output: Any, kept: Any, frozen: bool = False) -> None:
        self._bound = bound
        self._parts = parts
        self._on_device = on_device
        self._kept = kept  # what has the memory that was bound
        self._frozen = frozen  # a rank's input is read-only
        # Whether results are DistArrays, which learn what they are.
        self._told = any(hasattr(array, "distribution")
                         for end in (input, output) for array in fields_of(end))
        self._given: Optional[Views] = None  # the arrays of the last start, which are to stay
        self._stream: Any = None
        # The stream that is set, of the arrays of the last call or `stream`.
        self._follows: Optional[int] = None
        self.input = input
        self.output = output

    def close(self) -> None:
        """Local. Releases the transform and its arrays: later uses raise BadRequest."""
        self._bound = cast(_weft.Transform, Closed("transform"))
        self._kept = self._given = self.input = self.output = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if isinstance(self._bound, Closed):
            return "<weft.Transform, closed>"
        bound = "arrays given to each call" if self.input is None else "bound"
        return f"<weft.Transform {self.plan!r}, {bound}: {arrays_text(*self._parts)}>"

    @property
    def plan(self) -> str:
        """The text of the plan that runs: Plan(transform.plan, comm) is an equal plan."""
        return self._bound.plan_text()

    def forward(self, input: Any = None, output: Any = None) -> None:
        """Collective. From the input array into the output array; other threads run meanwhile.

        Without bound arrays the call takes them (of several fields: lists): any arrays with the
        dtype, shape and strides of plan.empty(), other ones at each call. They need no planning or
        communication (docs/arrays.md). Raises BadRequest on this rank alone, before anything has
        started, if an array does not fit, overlaps another one, is in other memory than `memory` of
        bind() or, with engine="fftw", is not aligned to 16 bytes; and if the transform was bound to
        arrays. The input array may be read-only, unless the plan is in place or may destroy its
        input.
        """
        self.start_forward(input, output)
        self.wait()

    def backward(self, input: Any = None, output: Any = None) -> None:
        """Collective. The reverse of forward(): from the output array into the input array. An
        output array that is an argument may be read-only, as the input of forward(). Raises
        BadRequest on every rank if the transform was bound to an input array that is read-only on
        one."""
        self.start_backward(input, output)
        self.wait()

    def start_forward(self, input: Any = None, output: Any = None) -> None:
        """Local. Starts forward(); test() or wait() completes it.

        Until then do not touch the arrays. Any number of transforms may be started; all ranks start
        them in the same order, and wait for them in any order (docs/overlap.md). Raises BadRequest,
        on this rank alone, if the transform is started already.
        """
        self._start(False, input, output)

    def start_backward(self, input: Any = None, output: Any = None) -> None:
        """Local. Starts backward(), as start_forward() starts forward()."""
        self._start(True, input, output)

    @property
    def stream(self) -> Any:
        """The stream of the device with which transforms are ordered; None: no order, so arrays
        must be ready when a transform is started.

        Set it, while nothing is started, to a number (a cudaStream_t), or to a stream of CuPy or
        PyTorch. A transform then runs after the work that was put into the stream before its start,
        and before the work that is put there after its completion (on one rank: after its start).
        Raises BadRequest if it is no stream of the device, or the plan is computed on the host.
        Without it, arguments that name a stream (`__cuda_array_interface__`) are used in the order
        of that stream.
        """
        return self._stream

    @stream.setter
    def stream(self, stream: Any) -> None:
        self._follow(None if stream is None else _handle(stream))
        self._stream = stream

    def _follow(self, handle: Optional[int]) -> None:
        if handle is None:
            if self._follows is not None:
                self._bound.unset_stream()
        elif handle != self._follows:
            self._bound.set_stream(handle)
        self._follows = handle

    def _start(self, backward: bool, input: Any, output: Any) -> None:
        if (input is None) != (output is None):
            raise BadRequest("one array is given; give both, input and output, or none")
        if input is None:
            if backward and self._frozen:
                raise BadRequest("the input array of a rank is read-only, but backward() writes to it")
            self._bound.start(backward)
            if self._told:
                self._tell(backward, self.input, self.output)
            return
        stream = None if self._stream is None else _handle(self._stream)
        ends, complaint = look_at(self._parts, input, output, stream, backward)
        if complaint:
            raise BadRequest(complaint)
        if stream is None and self._on_device:
            self._follow(_named_by(ends))
        self._bound.start_on(backward, *addresses(ends))
        self._given = ends
        self._tell(backward, input, output)

    def _tell(self, backward: bool, input: Any, output: Any) -> None:
        """Results that are DistArrays learn which one is the r2c axis."""
        for array in fields_of(input if backward else output):
            if hasattr(array, "distribution"):
                array._r2c_axis = self._parts[0 if backward else 1].r2c_axis

    def test(self) -> bool:
        """Advances all transforms that this thread has started; True if this one is complete, or
        was not started."""
        return self._bound.test()

    def wait(self) -> None:
        """Waits until the transform is complete, and advances all others; other threads run
        meanwhile."""
        self._bound.wait()


def _handle(stream: Any) -> int:
    """The number of a stream: of CuPy (ptr), of PyTorch (cuda_stream), of others."""
    for name in ("ptr", "cuda_stream"):
        if (number := getattr(stream, name, None)) is not None:
            return int(number)
    if (protocol := getattr(stream, "__cuda_stream__", None)) is not None:
        _, number = protocol() if callable(protocol) else protocol
        return int(number)
    try:
        return operator.index(stream)
    except TypeError:
        raise BadRequest(f"the stream is of {type(stream).__name__}; give a stream of CuPy or "
                         "PyTorch, or its number") from None


def _named_by(ends: Views) -> Optional[int]:
    """The one stream that arrays name; None if none does."""
    named = {view.stream for views in ends for view in views} - {None}
    if len(named) > 1:
        raise BadRequest(f"the arrays name {len(named)} streams; set the transform's stream to the "
                         "one in which all of them are ready")
    return named.pop() if named else None
