"""What a PaddedPlan is made of: for each axis a transform of padded lines and their cut."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, prod, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np

from .distribution import Distribution
from .end import Shape
from .errors import BadRequest
from .padding import Line
from .plan import Plan
from .problem import Numbers, ScaleLike, axes_of, element_of, numbers, scale_text
from .transform import Transform

if TYPE_CHECKING:
    from mpi4py import MPI


class Asked(NamedTuple):
    """What a PaddedPlan is made for."""

    kind: str
    precision: str
    axes: Shape
    shape: Shape  # n
    padded: Shape  # m
    kept: Shape  # n, n/2+1 where halved
    scale: tuple[float, float]


class Stage(NamedTuple):
    """One axis: its transform at m points and, if it is padded, the cut between m and n.

    `spectral` is the layout in which the axis is whole; the transform's other end has that of the
    next stage. `full` has the axis at m, `short` at n.
    """

    line: Line
    spectral: str
    transform: Transform
    full: Any
    short: Any


def asked_for(shape: Numbers, axes: Optional[Numbers], given: dict[str, Any],
           padding: Union[float, Sequence[float]], scale: Optional[ScaleLike]) -> Asked:
    lengths = tuple(numbers("shape", shape))
    if not 1 <= len(lengths) <= 6 or min(lengths) < 1:
        raise BadRequest(f"shape={lengths}: 1 to 6 lengths of at least 1 are needed")
    chosen = tuple(range(len(lengths)) if axes is None else axes_of(axes, len(lengths)))
    if not chosen or len(set(chosen)) != len(chosen) or max(chosen) >= len(lengths):
        raise BadRequest(f"axes={chosen} of a shape of {len(lengths)} axes: each may be named once")
    kind, precision = element_of({name: word for name, word in given.items() if word is not None})
    if kind not in ("c2c", "r2c"):
        raise BadRequest(f"kind={kind!r}: padded transforms are 'c2c' or 'r2c'")
    factors = [float(factor) for factor in np.broadcast_to(padding, len(chosen))]
    if not all(1 <= factor < float("inf") for factor in factors):
        raise BadRequest(f"padding={padding}: factors of 1 and more are needed")
    padded, kept = list(lengths), list(lengths)
    for axis, factor in zip(chosen, factors):
        padded[axis] = floor(lengths[axis] * factor + 1e-9)
    if kind == "r2c":
        kept[chosen[-1]] = lengths[chosen[-1]] // 2 + 1
    short, full = (prod(every[axis] for axis in chosen) for every in (lengths, padded))
    forward, backward = (_factor(word, short) for word in scale_text(scale or "none").split("/"))
    return Asked(kind, precision, chosen, lengths, tuple(padded), tuple(kept),
                 (forward * short / full, backward))


def _factor(word: str, count: int) -> float:
    named = {"none": 1.0, "n": 1 / count, "symmetric": 1 / sqrt(count)}
    return named[word] if word in named else float(word)


def _layouts(asked: Asked, ranks: int) -> list[str]:
    """For each transformed axis a layout in which it is whole. From one to the next at most one cut
    axis changes: the next one, if it is cut, gives its cut to the one before."""
    others = [*asked.axes[1:], *(a for a in range(len(asked.shape)) if a not in asked.axes)]
    if not others:
        return ["single"]
    slabs = ranks <= min(asked.kept[axis] for axis in (asked.axes[0], others[0]))
    parts = [ranks] if slabs or len(others) < 2 else _two_factors(ranks)
    cut = others[: len(parts)]
    layouts = []
    for number, axis in enumerate(asked.axes):
        if axis in cut:
            cut[cut.index(axis)] = asked.axes[number - 1]
        layouts.append(f"cut({','.join(f'{a}:{p}' for a, p in zip(cut, parts))})")
    return layouts


def _two_factors(ranks: int) -> list[int]:
    """The most equal two factors."""
    small = max(factor for factor in range(1, int(sqrt(ranks)) + 1) if ranks % factor == 0)
    return [small, ranks // small]


def stages_of(asked: Asked, comm: MPI.Comm) -> list[Stage]:
    """Collective. The stages in the order of backward()."""
    layouts = _layouts(asked, comm.size)
    stages = []
    now = list(asked.kept)  # The shape before the stage, in backward()'s order.
    for number, axis in enumerate(asked.axes):
        halved = asked.kind == "r2c" and number == len(asked.axes) - 1
        short = tuple(now)
        now[axis] = asked.padded[axis]
        plan = Plan(tuple(now), comm, kind="r2c" if halved else "c2c", precision=asked.precision,
                    axes=axis, input=layouts[min(number + 1, len(layouts) - 1)],
                    output=layouts[number], scale=asked.scale if number == 0 else "none")
        line = Line(axis, asked.shape[axis], asked.padded[axis], halved)
        place = Distribution.of_layout(short, layouts[number], comm)
        stages.append(Stage(line, layouts[number], plan.bind(),
                            plan.empty_out() if line.pads else None,
                            place.end.allocated(plan.out_dtype) if number > 0 else None))
    return stages
