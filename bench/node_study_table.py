#!/usr/bin/env python3
"""Table of what node_study measured, beside what is asked of weft. bench/plots draws it.

usage: node_study_table.py RESULTS.json... [--vectors AVX2]
"""

import argparse
import json

# The most that weft's time may be of FFTW-MPI's best, two ranks, with AVX-512 and with AVX2.
ASKED = {
    "c2c:f64:64x64x64": {"AVX3": 0.70, "AVX2": 0.85},
    "c2c:f64:128x128x128": {"AVX3": 0.50, "AVX2": 0.55},
    "c2c:f64:200x180x150": {"AVX3": 0.42, "AVX2": 0.50},
    "c2c:f64:256x256x256": {"AVX3": 0.26, "AVX2": 0.38},
    "c2c:f64:384x384x384": {"AVX3": 0.33, "AVX2": 0.33},
    "c2c:f64:512x512x512": {"AVX3": 0.33, "AVX2": 0.33},
    "r2c:f64:64x64x64": {"AVX3": 0.85, "AVX2": 0.85},
    "r2c:f64:128x128x128": {"AVX3": 0.60, "AVX2": 0.70},
    "r2c:f64:256x256x256": {"AVX3": 0.32, "AVX2": 0.42},
}
# Of FFTW-MPI's best on any other problem, and of MKL's threads on every one.
NEVER_SLOWER = 1.0
DIRECTIONS = ("forward", "backward")


def seconds(study, runner, direction):
    return study[runner][direction + "_s"]["median"] if runner in study else None


def ratio(study, runner, other, direction):
    a, b = seconds(study, runner, direction), seconds(study, other, direction)
    return a / b if a and b else None


def best_of_fftw_mpi(study, direction):
    both = [seconds(study, name, direction) for name in ("fftw-mpi", "fftw-mpi-returning")]
    return min((value for value in both if value), default=None)


def number(value):
    return f"{value:.2f}" if value is not None else "-"


def asked_of(problem, ranks, vectors):
    """Bounds beside FFTW-MPI and beside MKL's threads; only two ranks have any."""
    if ranks != 2:
        return None, None
    return ASKED.get(problem, {}).get(vectors, NEVER_SLOWER), NEVER_SLOWER


def table(studies, vectors):
    print("| problem | ranks | weft / FFTW-MPI | asked | weft / MKL threads | asked | returning / weft"
          " | with weft's arrays | of two copies |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (problem, ranks), study in studies.items():
        asked = asked_of(problem, ranks, vectors)
        cells = {"fftw": [], "mkl": [], "returning": [], "allocated": [],
                 "copies": []}
        for direction in DIRECTIONS:
            weft = seconds(study, "weft", direction)
            best = best_of_fftw_mpi(study, direction)
            cells["fftw"].append(number(weft / best if best else None))
            cells["mkl"].append(number(ratio(study, "weft", "mkl-threads", direction)))
            cells["returning"].append(number(ratio(study, "weft-returning", "weft", direction)))
            cells["allocated"].append(number(
                ratio(study, "weft-returning-allocated", "weft-allocated", direction)))
            copies = ratio(study, "weft", "copy", direction)
            cells["copies"].append(number(copies / 2 if copies else None))
        print(f"| {problem} | {ranks} | {', '.join(cells['fftw'])} | {number(asked[0])} "
              f"| {', '.join(cells['mkl'])} | {number(asked[1])} "
              f"| {', '.join(cells['returning'])} | {', '.join(cells['allocated'])} "
              f"| {', '.join(cells['copies'])} |")


def read(names):
    """{(problem, ranks): {runner: record}}"""
    studies = {}
    for name in names:
        with open(name) as file:
            for line in file:
                record = json.loads(line)
                key = record["problem"], record["ranks"]
                studies.setdefault(key, {})[record["runner"]] = record
    return studies


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+")
    parser.add_argument("--vectors", choices=("AVX3", "AVX2"), default="AVX3",
                        help="the instruction set of the results, whose bounds the table has")
    arguments = parser.parse_args()
    table(read(arguments.results), arguments.vectors)


if __name__ == "__main__":
    main()
