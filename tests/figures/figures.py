#!/usr/bin/env python3
"""Every figure of README.md, docs/ and the tables of bench/results is what the files there give, or has a reason why not.

usage: figures.py [SOURCE]

docs/figures.txt says of each figure which expression it is (results.py and the files beside it have the words), and of
each other number with a unit or a decimal point why there is none. So a figure that is typed in, or whose file has
changed, fails.
"""
import re
import sys
from pathlib import Path

import engines
import gpus
import model
import nodes
import packages
import results
import scale
import tables
import tuning

sys.path.append(str(Path(__file__).parents[1] / "cli"))
from expectations import finish, require  # noqa: E402

SOURCE = Path(sys.argv[1]) if len(sys.argv) > 1 else results.SOURCE
REASONS = {"version", "setting", "paper", "counted", "not kept"}
OF_RESULTS = "bench/results/README.md"  # its tables are computed, but its prose may have other figures
UNIT = r"(?:ms|us|ns|s|seconds|minutes|[kMGT]B/s|GFLOP/s|%|percent|times|cycles)(?![\w/])"
NUMBER = re.compile(r"(?<![\w.^/<-])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w^]|\.\d)")
# Of whom a number is the version; rates of links that were set.
VERSION = re.compile(r"(?:MPI|MPICH|FFTW|MKL|CUDA|cuFFT|NCCL|nvcc|hipcc|Python|numpy|SimGrid|GCC|CMake|Debian|driver)\s+$")
# What expressions may use.
MODULES = (results, nodes, packages, engines, tuning, gpus, model, scale, tables)
WORDS = {name: value for module in MODULES for name, value in vars(module).items()}
EXPRESSION = re.compile(r"\{([^{}]+?)(?::(\.?\d*[fdg%]?))?\}")


def pages():
    return {str(path.relative_to(SOURCE)): path.read_text()
            for path in [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md")), SOURCE / OF_RESULTS]}


def blanked(text):
    """Prose as long as the text: spaces instead of code, which other tests run, and of addresses."""
    for pattern in (r"^```.*?^```", r"^    .*?$", r"`[^`\n]*`", r"\]\([^)\n]*\)", r"https?://\S+"):
        text = re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.M | re.S)
    return text


class Page:
    """A page's text with single spaces, and where in it a number is accounted for."""

    def __init__(self, text):
        places, previous = [], " "
        for place, letter in enumerate(text):
            letter = " " if letter.isspace() else letter
            if letter != " " or previous != " ":
                places.append(place)
            previous = letter
        self.text = "".join(" " if text[place].isspace() else text[place] for place in places)
        prose = blanked(text)
        self.prose = "".join(" " if prose[place].isspace() else prose[place] for place in places)
        self.told = bytearray(len(self.text))

    def find(self, words):
        found = [match.start() for match in re.finditer(re.escape(words), self.text)]
        return found[0] if len(found) == 1 else None

    def tell(self, begin, end):
        self.told[begin:end] = b"\1" * (end - begin)

    def figures(self):
        """Numbers with a decimal point, with a unit, or out of so many."""
        for match in NUMBER.finditer(self.prose):
            after, before = self.prose[match.end():match.end() + 12], self.prose[:match.start()]
            counted = re.match(r" of (?:the )?\d", after) or re.search(r"\d of (?:the )?$", before[-9:])
            if "." in match.group() or re.match(r"(?: ?| to [\d.]+ )" + UNIT, after) or counted:
                if not VERSION.search(before[-12:]):
                    yield match


def evaluated(words):
    """The words with the values of their expressions, and where in them the values are."""
    text, spans, last = "", [], 0
    for match in EXPRESSION.finditer(words):
        text += words[last:match.start()]
        value = eval(match[1], dict(WORDS))  # pylint: disable=eval-used
        shown = format(value, match[2] or "")
        spans.append((len(text), len(text) + len(shown)))
        text, last = text + shown, match.end()
    return text + words[last:], spans


def blocks(text):
    """The page, the files or the reason, and the lines of each block."""
    page, head = None, None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("= "):
            page, head = line[2:], None
        elif line.startswith(("< ", "! ")):
            head = line
        elif line and not line.startswith("#"):
            yield number, page, head, line


def check_figure(number, page, files, line):
    results.used.clear()
    try:
        words, spans = evaluated(line)
    except Exception as error:  # pylint: disable=broad-except
        require(False, f"docs/figures.txt:{number}: {type(error).__name__}: {error}")
        return
    require(spans, f"docs/figures.txt:{number} has no expression: {line}")
    require(results.used <= set(files), f"docs/figures.txt:{number} is made of {results.used}, not of {files}")
    begin = page.find(words)
    require(begin is not None, f"docs/figures.txt:{number}: the page does not say, exactly once: {words}")
    for low, high in spans if begin is not None else []:
        page.tell(begin + low, begin + high)


def check_told(number, page, reason, line):
    require(reason in REASONS, f"docs/figures.txt:{number}: '{reason}' is none of {sorted(REASONS)}")
    begin = page.find(line)
    require(begin is not None, f"docs/figures.txt:{number}: the page does not say, exactly once: {line}")
    if begin is not None:
        require(any(begin <= one.start() < begin + len(line) for one in page.figures()),
                f"docs/figures.txt:{number} has no figure: {line}")
        page.tell(begin, begin + len(line))


def check():
    all_pages = {name: Page(text) for name, text in pages().items()}
    count = 0
    for number, name, head, line in blocks((SOURCE / "docs" / "figures.txt").read_text()):
        if name not in all_pages or head is None:
            require(False, f"docs/figures.txt:{number} is of no page, or names neither files nor a reason")
        elif head.startswith("< "):
            check_figure(number, all_pages[name], head[2:].split(), line)
            count += 1
        else:
            check_told(number, all_pages[name], head[2:], line)
    for name, page in all_pages.items():
        for match in page.figures() if name != OF_RESULTS else []:
            shown = page.text[max(0, match.start() - 50):match.end() + 30]
            require(all(page.told[match.start():match.end()]),
                    f"{name}: docs/figures.txt does not say where {match.group()} is from: ..{shown}..")
    return count


def check_itself():
    """That it finds what it is for."""
    page = Page("It takes 0.5 of\nthe time, 3 ms,\n5 of 7, FFTW 3.3, `0.7` and 12 runs.\n\n    0.8 s\n")
    require([match.group() for match in page.figures()] == ["0.5", "3", "5", "7"], "figures of a text")
    require(page.find("of the time, 3") is not None and page.find("o") is None, "words across lines, once")
    require(evaluated("a {2 / 3:.2f} b") == ("a 0.67 b", [(2, 6)]), "expressions")


if __name__ == "__main__":
    check_itself()
    print(f"{check()} lines of figures")
    finish()
