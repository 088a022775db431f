#!/usr/bin/env python3
"""[schulz]'s MPI_Alltoallv from his MPI_Alltoall: what the tables of one say of the other.

usage: bench/schulz_study.py [--json FILE]

MPICH's MPI_Alltoallv sends one message to each, for which MPI_Alltoall of two processors, of one node and of two
tells the time of a message, and that of the largest messages the contention. So it is predicted from the tables of
MPI_Alltoall alone, and told beside those of MPI_Alltoallv (bench/schulz/tables.json).
"""

import argparse
import json
import math
from pathlib import Path

import numpy
from scipy.optimize import nnls

import papers
from origin import origin

PER_NODE = {"jaguar": 2, "helics": 4}


def printed(machine, what):
    """A table of section 5: by the bytes of a message and the number of processors."""
    rows = {}
    table = papers.table("schulz", f"section 5, {machine}, {what}")
    for one in papers.records(table):
        rows.setdefault(one["bytes"], {})[one["ranks"]] = one[table["cell"]]
    return rows


def fitted(machine, per_node):
    """Microseconds of a message inside and between nodes by size, and the contention by processors."""
    rows = printed(machine, "alltoall")
    processors = list(next(iter(rows.values())))
    two = 2 * per_node
    inside = {size: row[per_node] / (per_node - 1) for size, row in rows.items()}
    between = {size: max(0, row[two] - row[per_node]) / per_node for size, row in rows.items()}
    # latency and seconds a byte, least squares of what is relative
    sizes = numpy.array(sorted(between))
    seconds = numpy.array([between[size] for size in sizes])
    latency, per_byte = nnls(numpy.stack([1 / seconds, sizes / seconds], axis=1), numpy.ones(len(sizes)))[0]
    largest = max(rows)
    contention = {}
    for count in processors:
        if count <= per_node:
            continue
        message = (rows[largest][count] - rows[largest][per_node]) / (count - per_node)
        contention[count] = max(1, (message - latency) / (between[largest] - latency))
    return inside, between, latency, per_byte, contention


def predicted(machine, per_node):
    inside, between, latency, per_byte, contention = fitted(machine, per_node)
    floor = min(between.values())
    alltoall = printed(machine, "alltoall")
    for size, ratios in printed(machine, "alltoallv over alltoall").items():
        for count, ratio in ratios.items():
            near = min(count, per_node) - 1
            far = max(0, count - per_node)
            transfer = max(0, between[size] - floor)
            seconds = near * inside[size] + far * (floor + transfer * contention.get(count, 1))
            yield {"bytes": size, "processors": count, "measured_us": ratio * alltoall[size][count],
                   "predicted_us": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json")
    parser.add_argument("--weft", default="build/bin/weft", help="whose commit the file names")
    options = parser.parse_args()
    lines = []
    for name, per_node in PER_NODE.items():
        some = [{"machine": name, **line} for line in predicted(name, per_node)]
        lines += some
        logs = numpy.array([math.log(line["predicted_us"] / line["measured_us"]) for line in some])
        _, _, latency, per_byte, _ = fitted(name, per_node)
        print(f"{name}: latency {latency:.1f} us, {1 / per_byte:.0f} MB/s; {len(some)} times of MPI_Alltoallv, geometric mean of "
              f"predicted over measured {math.exp(logs.mean()):.2f}, within a factor of {math.exp(numpy.median(abs(logs))):.2f} in "
              f"half, {math.exp(numpy.quantile(abs(logs), 0.9)):.2f} in nine tenths")
    if options.json:
        Path(options.json).write_text("".join(json.dumps(line) + "\n" for line in [{"origin": origin(options.weft)}, *lines]))


if __name__ == "__main__":
    main()
