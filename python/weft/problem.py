"""Arguments as the text of a problem (docs/text.md), in weft's spellings and in numpy's."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, SupportsIndex, TypedDict, Union

import numpy as np
from numpy.typing import DTypeLike

if TYPE_CHECKING:
    from numpy.typing import NDArray

Numbers = Union[SupportsIndex, Iterable[SupportsIndex], "NDArray[np.integer[Any]]"]
ScaleLike = Union[str, float, Sequence[Union[str, float]]]
ViaLike = Union[str, Mapping[int, str]]


class ChoiceArguments(TypedDict, total=False):
    """How it is done: the fields of a choice, by their names in its text."""

    decomposition: Optional[str]
    shrink: Optional[SupportsIndex]
    via: Optional[ViaLike]
    pack: Optional[str]
    carrier: Optional[str]
    wire: Optional[str]
    space: Optional[str]
    tile: Optional[str]
    engine: Optional[str]
    effort: Optional[str]
    threads: Optional[SupportsIndex]
    reproducible: Optional[bool]
    chunk: Optional[SupportsIndex]
    tuning: Optional[str]


class _Question(TypedDict, total=False):
    shape: Optional[Numbers]
    kind: Optional[str]
    precision: Optional[DTypeLike]
    dtype: Optional[DTypeLike]
    batch: Optional[SupportsIndex]
    axes: Optional[Numbers]
    r2c_axis: Optional[SupportsIndex]
    kinds: Union[str, Sequence[str], None]
    modes: Optional[Numbers]
    even_modes: Optional[str]
    inside: Optional[Numbers]
    sparse: Optional[bool]
    input: Optional[str]
    output: Optional[str]
    cut: Optional[str]
    scale: Optional[ScaleLike]
    in_place: Optional[bool]
    may_destroy_input: Optional[bool]
    element_bytes: Optional[SupportsIndex]
    choice: Optional[str]


class ProblemArguments(_Question, ChoiceArguments, total=False):
    """The arguments of Plan that say what is transformed and how (see there)."""


_names = tuple(ProblemArguments.__annotations__)
_renamed = {"halved": "r2c_axis"}  # earlier spellings
_precisions = {"single": "f32", "double": "f64", "float32": "f32", "float64": "f64",
               "complex64": "f32", "complex128": "f64", "float": "f64", "complex": "f64"}
# What numpy.fft calls norm.
norms = {"backward": "none/n", "ortho": "symmetric/symmetric", "forward": "n/none"}


def asked(text: object, arguments: Mapping[str, Any]) -> tuple[str, str]:
    """The text that is asked for by a text, or by a shape and arguments, of which None are not
    given; and what is wrong with them."""
    given = {name: value for name, value in arguments.items() if value is not None}
    if isinstance(text, str):
        names = ", ".join(given)
        return text, f"the problem is given as a text and as arguments ({names})" if given else ""
    try:
        if isinstance(text, (bytes, bytearray)):  # Which are sequences of numbers as well.
            raise TypeError(f"the problem is {type(text).__name__}; give a str, as in "
                            'Plan("c2c:f64:64x64x64")')
        if text is not None:
            if "shape" in given:
                raise TypeError(f"the shape is given twice: {text} and shape={given['shape']}")
            given["shape"] = text
        return problem_text(given), ""
    except Exception as error:  # Of any package's numbers: all ranks have to learn of it.
        return "", str(error) or type(error).__name__


def problem_text(given: Mapping[str, Any]) -> str:
    """The text of the arguments that are given; raises TypeError that names the wrong one."""
    given = {_renamed.get(name, name): value for name, value in given.items()}
    for name in given:
        if name not in _names:
            raise TypeError(_unknown(name))
    if "shape" not in given:
        raise TypeError('the shape is missing: give a text, as Plan("c2c:f64:64x64x64"), or a '
                        "shape, as Plan((64, 64, 64))")
    shape = shape_of(given["shape"])
    kind, element = element_of(given)
    batch = _number("batch", given.get("batch", 1))
    words = [f"{_word(kind)}:{element}:{'x'.join(map(str, shape))}*{batch}"]
    words += [f"in={_word(given.get('input', 'free'))}", f"out={_word(given.get('output', 'free'))}"]
    if "cut" in given:
        words.append(f"cut={_word(given['cut'])}")
    if "axes" in given:
        axes = axes_of(given["axes"], len(shape))
        words.append(f"axes={','.join(str(axis) for axis in axes)}")
    if "r2c_axis" in given:
        words.append(f"r2c_axis={_axis('r2c_axis', _number('r2c_axis', given['r2c_axis']), len(shape))}")
    if "kinds" in given:
        kinds = given["kinds"]
        words.append(f"kinds={_word(kinds if isinstance(kinds, str) else ','.join(kinds))}")
    for name in ("modes", "inside"):
        if name in given:
            words.append(f"{name}={'x'.join(map(str, numbers(name, given[name])))}")
    if "even_modes" in given:
        words.append(f"even_modes={_word(given['even_modes'])}")
    words.append(f"scale={scale_text(given.get('scale', 'none'))}")
    words += [name for name in ("in_place", "may_destroy_input", "sparse") if given.get(name)]
    return "; ".join([" ".join(words), *_items(given)])


def _items(given: Mapping[str, Any]) -> list[str]:
    """What says how to do it."""
    items = [given["choice"]] if given.get("choice") else []
    for name, hint in ChoiceArguments.__annotations__.items():
        value = given.get(name)
        if name == "via" and isinstance(value, Mapping):
            items += [f"via[{_number('via', redistribution)}]={_word(one)}" for redistribution, one in value.items()]
        elif value is not None:
            items.append(f"{name}={('yes' if value else 'no') if 'bool' in str(hint) else _word(value)}")
    return items


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, _names, 1)
    meant = f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(_names)}"
    return f"there is no argument {name!r}{meant}"


def numbers(name: str, values: Any) -> list[int]:
    """Whole numbers from one, a list or a numpy array; raises TypeError that names the argument."""
    try:
        return [operator.index(values)]
    except TypeError:
        pass
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name}={values!r}: a whole number or a list of them is needed")
    return [_number(name, value) for value in values]


def shape_of(shape: Any) -> list[int]:
    """The lengths of an array; raises TypeError that names the shape, one without any too."""
    result = numbers("shape", shape)
    if not result:
        raise TypeError(f"the shape is {shape!r}, but an array has 1 to 6 dimensions")
    return result


def _number(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is a {type(value).__name__}, a whole number is "
                        "needed") from None


def axes_of(values: Any, dims: int) -> list[int]:
    """Axes as numpy has them: negative ones count from the end of the shape."""
    return [_axis("axes", axis, dims) for axis in numbers("axes", values)]


def _axis(name: str, axis: int, dims: int) -> int:
    if axis < -dims:
        raise TypeError(f"{name}={axis} of a shape of {dims} axes")
    return axis + dims if axis < 0 else axis  # Larger ones are refused with the text.


def element_of(given: Mapping[str, Any]) -> tuple[str, str]:
    """The kind, and what follows it: the precision, or how many bytes an element has."""
    kind, bytes_ = given.get("kind"), given.get("element_bytes")
    if (kind == "redistribute") != (bytes_ is not None):
        raise TypeError(f"kind={kind or 'c2c'!r} with element_bytes={bytes_!r}: 'redistribute' "
                        "needs them, other kinds have none")
    if bytes_ is not None:
        return "redistribute", str(_number("element_bytes", bytes_))
    if kind is None and "kinds" in given:
        kind = _implied_kind(given["kinds"])
    if "dtype" not in given:
        return kind or "c2c", _precision(given.get("precision", "f64"))
    if "precision" in given:
        raise TypeError(f"precision={given['precision']!r} and dtype={given['dtype']!r}: give one")
    dtype = np.dtype(given["dtype"])
    real = dtype.kind != "c"
    kind = kind or ("r2c" if real else "c2c")
    if real != (kind in ("r2c", "r2r")):
        raise TypeError(f"kind={kind!r} with dtype={dtype}: its input is "
                        f"{'complex' if real else 'real'}")
    return kind, _precision(dtype)


def _implied_kind(kinds: Union[str, Sequence[str]]) -> str:
    """That of the Fourier transforms among the kinds of axes, if there are any."""
    every = [word.strip() for word in (kinds.split(",") if isinstance(kinds, str) else kinds)]
    return next((kind for kind in ("r2c", "c2r", "c2c") if kind in every), "r2r")


def _precision(value: Any) -> str:
    if not isinstance(value, str):
        value = np.dtype(value).name
    return _precisions.get(value, _word(value))


def scale_text(value: Any) -> str:
    """Two factors, forward and backward; one is for both."""
    if isinstance(value, str) and value in norms:
        return norms[value]
    factors = [value] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
    text = _word("/".join(str(factor) for factor in factors))
    return text if "/" in text else f"{text}/{text}"


def _word(value: object) -> str:
    """Without blanks, so that it stays one word: the parser says what is wrong with it."""
    return "".join(str(value).split())
