#!/usr/bin/env python3
"""Draws the folders of src and what each sees, from the targets of a build: docs/pictures/layering.svg.

usage: layering.py BUILD [FILE]        needs dot, of Graphviz

cmake --graphviz writes the graph of the build's targets. An arrow leads from a folder to one whose headers it includes.
Arrows that others imply are left out: model sees plan, and program as well, so that the arrow from model to program
stands for both. tests/unit/layering.cpp compares the arrows with src/*.cmake.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDERS = {path.name for path in (HERE.parent.parent / "src").iterdir() if path.is_dir()}
KINDS = {"values: know no MPI, touch no array": ("#dbe9f6", "base geometry exchange plan program model tune"),
         "effects": ("#e4f1dc", "memory threads device kernels fft net run"),
         "public interface": ("#f8e3c8", "api")}


def arrows(build):
    """Pairs of a folder and one that it sees."""
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "targets.dot"
        subprocess.run(["cmake", f"--graphviz={graph}", build], check=True, stdout=subprocess.DEVNULL)
        found = re.findall(r"// weft_(\w+) -> weft_(\w+)$", graph.read_text(), re.MULTILINE)
    return {(one, other) for one, other in found if one in FOLDERS and other in FOLDERS}


def reduced(pairs):
    """Without those that a longer way implies."""
    def leads(one, other, first):
        return any(middle == other or leads(middle, other, False)
                   for start, middle in pairs if start == one and not (first and middle == other))
    return {(one, other) for one, other in pairs if not leads(one, other, True)}


def described(pairs):
    lines = ["digraph {", "rankdir=RL; ranksep=0.35; nodesep=0.25; bgcolor=white;",
             'node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=13, height=0.4];',
             'edge [color="#555555", arrowsize=0.7];']
    for colour, folders in KINDS.values():
        lines += [f'{folder} [fillcolor="{colour}"];' for folder in folders.split()]
    return "\n".join([*lines, *(f"{one} -> {other};" for one, other in sorted(pairs)), "}"])


def main(build, file=HERE / "layering.svg"):
    named = {folder for _, folders in KINDS.values() for folder in folders.split()}
    if named != FOLDERS:
        sys.exit(f"src has other folders than this script: {sorted(named ^ FOLDERS)}")
    drawn = subprocess.run(["dot", "-Tsvg"], input=described(reduced(arrows(build))), text=True, check=True,
                           stdout=subprocess.PIPE).stdout
    Path(file).write_text(re.sub(r"<!--.*?-->\n", "", drawn, flags=re.DOTALL))


main(*sys.argv[1:])
