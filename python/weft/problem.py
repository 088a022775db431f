"""Arguments as the text of a problem (docs/text.md)."""

import operator


def problem_text(shape, kind="c2c", precision="f64", batch=1, axes=None, halved=None,
                 input="free", output="free", cut="balanced", scale="none", in_place=False,
                 may_destroy_input=False, element_bytes=None, choice="", decomposition=None,
                 shrink=None, via=None, pack=None, tile=None, engine=None, effort=None,
                 threads=None, chunk=None):
    """The text; raises TypeError where an argument is no number or no list of numbers.

    via is a name, or a dict of names by move.
    """
    element = _element(kind, precision, element_bytes)
    head = f"{_word(kind)}:{element}:{'x'.join(_numbers(shape))}*{operator.index(batch)}"
    words = [head, f"in={_word(input)}", f"out={_word(output)}", f"cut={_word(cut)}"]
    if axes is not None:
        words.append(f"axes={','.join(_numbers(axes))}")
    if halved is not None:
        words.append(f"halved={operator.index(halved)}")
    if not isinstance(scale, str):
        scale = "/".join(str(factor) for factor in scale)
    words.append(f"scale={_word(scale)}")
    if in_place:
        words.append("in_place")
    if may_destroy_input:
        words.append("may_destroy_input")
    chosen = dict(decomposition=decomposition, shrink=shrink, pack=pack, tile=tile, engine=engine,
                  effort=effort, threads=threads, chunk=chunk)
    if isinstance(via, dict):
        chosen.update({f"via[{operator.index(move)}]": name for move, name in via.items()})
    else:
        chosen["via"] = via
    items = [f"{name}={_word(value)}" for name, value in chosen.items() if value is not None]
    return "; ".join([" ".join(words), *([choice] if choice else []), *items])


def _element(kind, precision, element_bytes):
    """What follows the kind: the precision, or how many bytes an element has."""
    if (kind == "redistribute") != (element_bytes is not None):
        raise TypeError(f"kind={kind!r} with element_bytes={element_bytes!r}: 'redistribute' needs "
                        "them, other kinds have none")
    return _word(precision) if element_bytes is None else str(operator.index(element_bytes))


def _word(value):
    """Without blanks, so that it stays one word: the parser says what is wrong with it."""
    return "".join(str(value).split())


def _numbers(values):
    if hasattr(values, "__index__"):
        values = [values]
    return [str(operator.index(value)) for value in values]
