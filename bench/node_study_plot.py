#!/usr/bin/env python3
"""What node_study measured, beside what is asked of weft; and a picture.

usage: node_study_plot.py RESULTS.json... [--plot STUDY.svg]        the picture needs matplotlib
"""

import argparse
import json

from pyplot import pyplot

# The most that weft's time may be of FFTW-MPI's best and of MKL's threads, two ranks.
ASKED = {
    "c2c:f64:64x64x64": (0.75, None),
    "c2c:f64:128x128x128": (0.62, None),
    "c2c:f64:200x180x150": (0.45, None),
    "c2c:f64:197x233x189": (0.55, None),
    "c2c:f64:256x256x256": (0.32, 0.65),
    "c2c:f64:384x384x384": (0.36, None),
    "c2c:f64:512x512x512": (0.36, None),
    "r2c:f64:256x256x256": (0.36, 1.0),
}
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


def table(studies):
    print("| problem | ranks | weft / FFTW-MPI | asked | weft / MKL threads | asked | returning / weft"
          " | with weft's arrays | of two copies |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (problem, ranks), study in studies.items():
        asked = ASKED.get(problem, (None, None)) if ranks == 2 else (None, None)
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


def picture(studies, path):
    plt = pyplot()
    shown = ("weft", "weft-returning", "weft-messages", "fftw-mpi", "fftw-threads", "mkl-threads")
    two = {problem: study for (problem, ranks), study in studies.items() if ranks == 2}
    figure, axes = plt.subplots(figsize=(11, 4.5), layout="constrained")
    width = 0.8 / len(shown)
    for i, runner in enumerate(shown):
        values = []
        for study in two.values():
            mine, best = seconds(study, runner, "forward"), best_of_fftw_mpi(study, "forward")
            values.append(mine / best if mine and best else 0)
        axes.bar([x + i * width for x in range(len(two))], values, width, label=runner)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks([x + 0.4 for x in range(len(two))], [p.replace(":f64:", " ") for p in two],
                    rotation=30, ha="right", rotation_mode="anchor")
    axes.set_ylabel("time / FFTW-MPI's best, forward")
    axes.set_title("two ranks, or two threads of one process")
    axes.legend(ncols=3, fontsize="small")
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+")
    parser.add_argument("--plot", help="write a picture to this file")
    arguments = parser.parse_args()
    studies = {}
    for name in arguments.results:
        with open(name) as file:
            for line in file:
                record = json.loads(line)
                key = record["problem"], record["ranks"]
                studies.setdefault(key, {})[record["runner"]] = record
    table(studies)
    if arguments.plot:
        picture(studies, arguments.plot)


main()
