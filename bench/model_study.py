#!/usr/bin/env python3
"""How near does the model come? Calibrates a virtual cluster, predicts transforms there and measures them.

usage: sudo bench/model_study.py --json FILE [--weft build/bin/weft] [--mpi openmpi] [--hosts 2,4]
           [--links 1gbit,2gbit/100] [--shapes 64x64x64] [--via alltoallv] [--seconds 20] [--repeat 9]
       bench/model_study.py --table FILE..

A link is a rate, or a rate and microseconds of latency each way (bench/cluster/README.md). Each line of the
JSON is one transform on one cluster: the median of the slowest rank's seconds, and what was predicted by the
description that `weft calibrate` had just written there. The table tells predicted over measured.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from origin import origin_of

CLUSTER = Path(__file__).parent / "cluster" / "cluster"


def words(text):
    return text.split(",")


def run(*command):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def up(hosts, link):
    rate, _, latency = link.partition("/")
    run(CLUSTER, "vup", hosts, rate, latency) if latency else run(CLUSTER, "up", hosts, rate)


def measure(options, hosts, link, folder):
    """The lines of one cluster that is up."""
    launch = [CLUSTER, "run", options.mpi, "-n", hosts, options.weft]
    machine = folder / "cluster.json"
    run(*launch, "calibrate", "--seconds", options.seconds, "--output", machine)
    for shape in options.shapes:
        for via in options.via:
            text = f"c2c:f64:{shape}; via={via}; decomposition={options.decomposition}"
            printed = run(*launch, "bench", text, "--repeat", options.repeat, "--json")
            measured = json.loads(next(line for line in printed.splitlines() if line.startswith("{")))
            predicted = json.loads(run(options.weft, "predict", text, "--ranks", hosts, "--machine", machine,
                                       "--json"))["predictions"][0]
            yield {"hosts": hosts, "link": link, "problem": text, "plan": measured["plan"],
                   "measured_s": measured["forward_s"], "predicted_s": predicted["seconds"],
                   "work_s": predicted["work"], "exchange_s": predicted["exchange"],
                   **origin_of(measured), "cores": measured["cores"],
                   "compiler": measured["compiler"], "machine": json.loads(machine.read_text())}


def study(options):
    options.weft = os.path.abspath(options.weft)
    with open(options.json, "w", encoding="utf-8") as results, tempfile.TemporaryDirectory() as folder:
        for hosts in map(int, options.hosts):
            for link in options.links:
                up(hosts, link)
                try:
                    for line in measure(options, hosts, link, Path(folder)):
                        print(row(line), flush=True)
                        results.write(json.dumps(line) + "\n")
                        results.flush()
                finally:
                    run(CLUSTER, "down")


def ratio(line):
    return line["predicted_s"] / line["measured_s"]["median"]


def row(line):
    return (f"{line['hosts']} hosts, {line['link']:12} {line['problem'].split(':')[2]:52} "
            f"measured {1e3 * line['measured_s']['median']:9.3f} ms, predicted {1e3 * line['predicted_s']:9.3f}, "
            f"ratio {ratio(line):.2f}")


def read(files):
    return [json.loads(text) for name in files for text in Path(name).read_text().splitlines()]


def table(lines):
    for line in lines:
        print(row(line))
    within = sum(abs(math.log(ratio(line))) <= math.log(1.25) for line in lines)
    print(f"{within} of {len(lines)} within 25%")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json")
    parser.add_argument("--table", nargs="+", metavar="FILE")
    parser.add_argument("--weft", default="build/bin/weft")
    parser.add_argument("--mpi", default="openmpi")
    parser.add_argument("--hosts", type=words, default=["2", "4"])
    parser.add_argument("--links", type=words,
                        default=["100mbit", "300mbit", "1gbit", "3gbit", "300mbit/100", "300mbit/1000"])
    parser.add_argument("--shapes", type=words, default=["32x32x32", "64x64x64", "128x128x128"])
    parser.add_argument("--via", type=words, default=["alltoallv", "isend-waitall", "kway(2)"])
    parser.add_argument("--decomposition", default="slab")
    parser.add_argument("--seconds", default="20")
    parser.add_argument("--repeat", default="9")
    options = parser.parse_args()
    if options.table:
        table(read(options.table))
    elif options.json:
        study(options)
    else:
        parser.error("give --json or --table; python3 bench/plots draws")


if __name__ == "__main__":
    main()
