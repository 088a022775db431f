#!/usr/bin/env python3
"""Tables of what bench/overlap_study wrote: overlap_table.py FILE.. (bench/plots draws it)."""

import argparse
import json
import math
import re


def read(files):
    """{(mpi, problem): {rate: {runner: line}}}"""
    studies = {}
    for name in files:
        with open(name, encoding="utf-8") as file:
            for text in file:
                line = json.loads(text)
                mpi = "MPICH" if "MPICH" in line["mpi"] else "Open MPI"
                by_rate = studies.setdefault((mpi, line["problem"]), {})
                by_rate.setdefault(line["rate"], {})[line["runner"]] = line
    return studies


def gigabits(rate):
    number = re.match(r"[0-9.]+(?=gbit)", rate)
    return float(number.group()) if number else math.inf


def is_batch(key):
    return "*" in key[1]


def median(runners, name):
    return runners[name]["forward_s"]["median"] if name in runners else math.nan


def tiles(line):
    """Of a rank."""
    axis, extent = map(int, re.search(r"tile=\(axis:(\d+),T:(\d+)", line["plan"]).groups())
    whole = [int(n) for n in line["problem"].split(":")[2].split("x")][axis]
    return max(whole / (line["ranks"] if axis == 0 else 1) / extent, 1)


def bound(line, waiting, exchange):
    """No scheme that starts as this one can take less: the links are busy from the first tile on,
    or the processors with computation and TCP. `waiting`: the same scheme without overlap."""
    bars = waiting["breakdown_s"]
    last = next(i for i, name in enumerate(bars) if name == "Pack")
    before = [bars[name] for name in list(bars)[:last + 1]]
    # Along x all is done tile by tile; along z the transform along z is not.
    whole = sum(before[:-2]) if len(before) > 2 else 0
    first = whole + (sum(before) - whole) / tiles(line)
    return max(first + exchange, waiting["computation_s"] + line["tcp_s"])


def table(runners_by_rate):
    names = ["fftw-mpi", "blocking", "NEW-0", "NEW", "x-0", "x", "TH-0", "TH", "x-fused-native",
             "alltoall"]
    ratios = ["NEW-0 / best", "FFTW-MPI / best", "FFTW-MPI / native", "exposed", "best / bound"]
    print("| links | " + " | ".join(names + ratios) + " |")
    print("|---" * (len(names) + len(ratios) + 1) + "|")
    for rate in sorted(runners_by_rate, key=gigabits):
        runners = runners_by_rate[rate]
        both = [name for name in ("NEW", "x") if name in runners and name + "-0" in runners]
        if "NEW-0" not in runners or not both:
            continue
        best_name = min(both, key=lambda name: median(runners, name))
        best = median(runners, best_name)
        base = median(runners, "NEW-0")
        waiting = runners[best_name + "-0"]
        computation = waiting["computation_s"]
        exposed = (best - computation) / (base - computation)
        least = bound(runners[best_name], waiting, median(runners, "alltoall"))
        fftw = median(runners, "fftw-mpi")
        values = [base / best, fftw / best, fftw / median(runners, "x-fused-native"), exposed,
                  best / least]
        cells = [f"{1e3 * median(runners, name):.0f}" for name in names]
        cells += [f"{value:.2f}" for value in values]
        print(f"| {rate} | " + " | ".join(cell.replace("nan", "-") for cell in cells) + " |")


def batch_table(runners_by_rate):
    names = ["fftw-mpi", "calls", "batch", "fields", "tiles"]
    names += [name + "-native" for name in names[1:]] + ["alltoall"]
    print("| links | " + " | ".join(names) + " | calls / best | native |")
    print("|---" * (len(names) + 3) + "|")
    for rate in sorted(runners_by_rate, key=gigabits):
        runners = runners_by_rate[rate]
        cells = [f"{1e3 * median(runners, name):.1f}" for name in names]
        for end in ("", "-native"):
            best = min(median(runners, "fields" + end), median(runners, "tiles" + end))
            cells.append(f"{median(runners, 'calls' + end) / best:.2f}")
        print(f"| {rate} | " + " | ".join(cell.replace("nan", "-") for cell in cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    studies = read(arguments.files)
    for (mpi, problem), by_rate in sorted(studies.items()):
        print(f"\n{problem}, {mpi}, milliseconds\n")
        (batch_table if is_batch((mpi, problem)) else table)(by_rate)


if __name__ == "__main__":
    main()
