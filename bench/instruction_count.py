#!/usr/bin/env python3
"""Counts the instructions of one forward transform of small sizes, with valgrind's callgrind.

usage: instruction_count.py WEFT [--mpiexec mpiexec] [--ranks 1 2] [--sizes 8 16 32 64] [--json FILE]

The instructions of rank 0 are those of a run with more repeats less those of one with fewer. They
are told apart by what they do: kernels (the arithmetic), waiting (of which there is any amount),
allocating (of which there must be none), and the rest, which is weft's own.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from origin import origin

FEW, MANY = 2, 7
KINDS = {
    "allocating": re.compile(r"\b(malloc|calloc|realloc|free|operator (new|delete))\b"),
    "kernels": re.compile(r"native::N_"),
    "waiting": re.compile(r"CountedRegion::|let_others_work|sched_yield|[MP]?MPI_|"
                          r"opal_|ompi_|mca_|MPID|MPIDI"),
}
LINE = re.compile(r"^\s*([\d,]+) \(\s*[\d.]+%\)\s+(\S.*)$")


def kind_of(function):
    for kind, pattern in KINDS.items():
        if pattern.search(function):
            return kind
    return "rest"


def counts(arguments, size, ranks, repeat, folder):
    """Instructions by kind within all calls of Transform::forward on rank 0."""
    out = pathlib.Path(folder) / f"callgrind.{size}.{ranks}.{repeat}"
    weft = [arguments.weft, "bench", f"c2c:f64:{size}x{size}x{size}; effort=estimate",
            "--repeat", str(repeat)]
    counted = ["valgrind", "--tool=callgrind", "--toggle-collect=weft::Transform::forward()",
               f"--callgrind-out-file={out}", *weft]
    command = [arguments.mpiexec, "-n", "1", *counted]
    if ranks > 1:
        command += [":", "-n", str(ranks - 1), *weft]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    text = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", str(out)],
                          check=True, capture_output=True, text=True).stdout
    result = dict.fromkeys([*KINDS, "rest"], 0)
    for line in text.splitlines():
        found = LINE.match(line)
        if found and "PROGRAM TOTALS" not in line:
            result[kind_of(found[2])] += int(found[1].replace(",", ""))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weft")
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--sizes", type=int, nargs="+", default=[8, 16, 32, 64])
    parser.add_argument("--json")
    arguments = parser.parse_args()
    records = []
    with tempfile.TemporaryDirectory() as folder:
        for ranks in arguments.ranks:
            for size in arguments.sizes:
                few = counts(arguments, size, ranks, FEW, folder)
                many = counts(arguments, size, ranks, MANY, folder)
                record = {"study": "instructions", "problem": f"c2c:f64:{size}x{size}x{size}",
                          "ranks": ranks, **origin(arguments.weft)}
                record |= {kind: max(0, round((many[kind] - few[kind]) / (MANY - FEW))) for kind in many}
                records.append(record)
                print("{problem}, {ranks} ranks: kernels {kernels}, rest {rest}, allocating "
                      "{allocating}, waiting {waiting}".format(**record), flush=True)
    if arguments.json:
        pathlib.Path(arguments.json).write_text("".join(json.dumps(r) + "\n" for r in records))
    if any(record["allocating"] for record in records):
        sys.exit("something is allocated while a transform runs")


if __name__ == "__main__":
    main()
