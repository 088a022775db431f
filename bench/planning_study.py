#!/usr/bin/env python3
"""Is the plan that weft takes by default among the fastest, by the event clock or by SimGrid's SMPI?

usage: bench/planning_study.py --json FILE [--weft build/bin/weft] [--sizes 32,64,128] [--ranks 64,256,1024]
           [--per-node 1,4,64] [--networks tree,torus] [--smpi build/simulated/simulated.so] [--jobs 2]
       bench/planning_study.py --table FILE

Each line of the JSON is one problem on one machine: seconds of weft's default plan and of its rivals, which are slabs,
pencils on all grids of powers of two, and, where both ends are given, the default on a half, a quarter, .. a 64th of
the ranks. By SMPI (one rank a node, 64 ranks) all of them go by MPI_Alltoallv; by the clock the default may use memory
that the ranks of a node share.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from origin import origin
from simulated_study import HOP, LINK, RECEIVE, SEND, machine, smpi

NETWORKS = {
    "tree": lambda nodes: {"shape": "tree", "taper": 0.5, "leaf": 8} if nodes > 8 else {"shape": "full"},
    "torus": lambda nodes: {"shape": "torus", "dimensions": 3, "link": LINK},
}


def machine_of(network, per_node, ranks):
    one = machine("fat-tree-64")
    nodes = max(1, ranks // per_node)
    one.update(name=f"{network}-{per_node}", ranks_per_node=per_node, network=NETWORKS[network](nodes),
               inside={"latency": 5e-7, "bandwidth": 5e9, "overhead": 2e-7},
               between={"latency": SEND + RECEIVE + 4 * HOP, "bandwidth": LINK, "overhead": SEND + RECEIVE},
               memory={"cache": 1 << 20, "copy_rate": 8e9, "pack_rate": 4e9},
               engines={"native": {"rate": 5e9}})
    return one


def rivals(problem, size, ranks, given):
    ways = ["decomposition=slab"] if ranks <= size else []
    factor = 2
    while factor < ranks:
        if max(factor, ranks // factor) <= size:
            ways.append(f"decomposition=pencil({factor}x{ranks // factor})")
        factor *= 2
    if given:
        ways += [f"shrink={ranks >> shift}" for shift in range(1, 7) if ranks >> shift >= 1]
    return [f"{problem}; {way}" for way in ways]


def plan_text(weft, text, ranks, file):
    done = subprocess.run([weft, "plan", text, "--ranks", str(ranks), "--machine", file], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip().splitlines()[-1] if done.returncode == 0 else None


def by_clock(options, texts, file):
    seconds = {}
    for text in texts:
        done = subprocess.run([options.weft, "simulate", text, "--machine", file, "--json"], capture_output=True,
                              text=True, check=True)
        seconds[text] = json.loads(done.stdout)["simulations"][0]["simulated_s"]
    return seconds


def study_one(options, case):
    network, per_node, ranks, size, given = case
    problem = f"c2c:f64:{size}x{size}x{size}" + (" in=brick out=brick" if given else "")
    if options.smpi:
        problem += "; via=alltoallv"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "machine.json"
        described = machine("fat-tree-64") if options.smpi else machine_of(network, per_node, ranks)
        file.write_text(json.dumps(described))
        own = plan_text(options.weft, problem, ranks, file)
        plans = {text: plan_text(options.weft, text, ranks, file) for text in rivals(problem, size, ranks, given)}
        texts = list(dict.fromkeys([own] + [plan for plan in plans.values() if plan]))
        seconds = smpi(options.smpi, "fat-tree-64", texts) if options.smpi else by_clock(options, texts, file)
    fastest = min(seconds, key=seconds.get)
    return {"network": network, "ranks_per_node": per_node, "ranks": ranks, "problem": problem,
            "by": "smpi" if options.smpi else "clock", "default": own, "default_s": seconds[own], "fastest": fastest,
            "fastest_s": seconds[fastest], "rivals": len(seconds) - 1}


def table(lines):
    for given in (False, True):
        some = [line for line in lines if ("in=brick" in line["problem"]) == given]
        if not some:
            continue
        ratios = sorted(line["default_s"] / line["fastest_s"] for line in some)
        near = sum(ratio <= 1.05 for ratio in ratios)
        print(f"{'given' if given else 'free'} ends: default within 5% of the fastest in {near} of {len(some)}, "
              f"median {ratios[len(ratios) // 2]:.3f}, at most {ratios[-1]:.2f}")
    for line in sorted(lines, key=lambda line: -line["default_s"] / line["fastest_s"])[:12]:
        print(f"{line['default_s'] / line['fastest_s']:.2f}  {line['network']} of {line['ranks_per_node']} a node, "
              f"{line['ranks']} ranks, {line['problem']}\n      {line['default']}\n      {line['fastest']}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)

    def numbers(words):
        return [int(word) for word in words.split(",")]

    parser.add_argument("--json")
    parser.add_argument("--table")
    parser.add_argument("--weft", default="build/bin/weft")
    parser.add_argument("--sizes", type=numbers, default="32,64,128")
    parser.add_argument("--ranks", type=numbers, default="64,256,1024")
    parser.add_argument("--per-node", type=numbers, default="1,4,64")
    parser.add_argument("--networks", type=lambda text: text.split(","), default="tree,torus")
    parser.add_argument("--smpi")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.table:
        lines = [json.loads(text) for text in Path(options.table).read_text().splitlines()]
        return table([line for line in lines if "default" in line])
    if not options.json:
        parser.error("give --json or --table")
    cases = [(network, per_node, ranks, size, given)
             for network in (["tree"] if options.smpi else options.networks)
             for per_node in ([1] if options.smpi else options.per_node)
             for ranks in ([64] if options.smpi else options.ranks)
             for size in options.sizes for given in (False, True) if ranks <= size * size]
    with ThreadPoolExecutor(options.jobs) as pool:
        lines = list(pool.map(lambda case: study_one(options, case), cases))
    text = [json.dumps({"origin": origin(options.weft)})] + [json.dumps(line) for line in lines]
    Path(options.json).write_text("\n".join(text) + "\n")
    return table(lines)


if __name__ == "__main__":
    sys.exit(main())
