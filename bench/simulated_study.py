#!/usr/bin/env python3
"""Do the model and the event clock rank the ways to do a transform as SimGrid's SMPI does?

usage: bench/simulated_study.py --json FILE [--weft build/bin/weft] [--simulated build/simulated/simulated.so]
           [--platforms fat-tree-64,torus-64] [--shapes 64x64x64] [--vias alltoallv,sendrecv] [--jobs 2]
       bench/simulated_study.py --again FILE [--weft build/bin/weft]     # predicts once more what FILE has simulated
       bench/simulated_study.py --table FILE

weft's own programs run on SimGrid's SMPI (bench/simulated), on platforms of 64 and 256 nodes that are described here by
a few figures, from which the description of the machine is made that `weft predict` and `weft simulate` take. Each
platform is a line of the JSON, then each plan one: seconds by SMPI, as predicted and by the clock. The table tells Kendall's tau by platform and shape.
"""

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import typing
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from origin import origin

BYTES = 12.5e9        # a second, of a link: 100 Gbit/s
HOP = 3e-7            # seconds, of a link
SEND, RECEIVE = 4e-7, 2e-7  # seconds that a rank itself spends on a message
USABLE = 0.95         # of a link's bytes

MOST_MESSAGES = 1 << 13  # at the same time, for which SimGrid takes seconds; for eight times as many, an hour
TLS_OF_A_RANK = 1 << 15  # bytes for variables of threads; a copy of the library has 12 KiB on pages of their own
COLLECTIVE_BATCH = 4  # messages at a time in SMPI's MPI_Alltoallv, as in MPICH's at that time
LINK = BYTES * USABLE


class Platform(typing.NamedTuple):
    topology: str     # as SimGrid calls it
    parameters: str   # nodes or switches below, above, and parallel links, by level; extents; groups, chassis, routers
    nodes: int        # and nodes, each but the last with parallel links
    ranks_per_node: int
    links: int        # that a message goes through
    network: dict     # as docs/model.md has it


PLATFORMS = {
    "fat-tree-64": Platform("FAT_TREE", "2;8,8;1,8;1,1", 64, 1, 4, {"shape": "tree", "taper": 1, "leaf": 8}),
    "tapered-tree-64": Platform("FAT_TREE", "2;8,8;1,2;1,1", 64, 1, 4, {"shape": "tree", "taper": 0.25, "leaf": 8}),
    "torus-64": Platform("TORUS", "4,4,4", 64, 1, 3,
                         {"shape": "torus", "dimensions": 3, "link": LINK, "extents": [4, 4, 4]}),
    "dragonfly-64": Platform("DRAGONFLY", "4,1;2,1;4,1;2", 64, 1, 6,
                             {"shape": "dragonfly", "blocks": [[2, LINK], [8, 4 * LINK], [16, LINK]]}),
    "torus-8x8-64": Platform("TORUS", "8,8", 64, 1, 4,
                             {"shape": "torus", "dimensions": 2, "link": LINK, "extents": [8, 8]}),
    "nodes-of-4-64": Platform("FAT_TREE", "2;4,4;1,4;1,1", 16, 4, 4, {"shape": "tree", "taper": 1, "leaf": 4}),
    "fat-tree-256": Platform("FAT_TREE", "2;16,16;1,16;1,1", 256, 1, 4, {"shape": "tree", "taper": 1, "leaf": 16}),
    "nodes-of-4-256": Platform("FAT_TREE", "2;8,8;1,8;1,1", 64, 4, 4, {"shape": "tree", "taper": 1, "leaf": 8}),
    "torus-256": Platform("TORUS", "8,8,4", 256, 1, 5,
                          {"shape": "torus", "dimensions": 3, "link": LINK, "extents": [8, 8, 4]}),
    "dragonfly-256": Platform("DRAGONFLY", "8,1;2,1;8,1;2", 256, 1, 6,
                              {"shape": "dragonfly", "blocks": [[2, LINK], [16, 8 * LINK], [32, LINK]]}),
}


def machine(name):
    platform = PLATFORMS[name]
    overhead = SEND + RECEIVE
    return {
        "format": "weft machine", "version": 1, "name": name,
        "ranks_per_node": platform.ranks_per_node,
        "inside": {"latency": overhead + HOP, "bandwidth": 4 * LINK, "overhead": overhead},
        "between": {"latency": overhead + platform.links * HOP, "bandwidth": LINK, "overhead": overhead},
        "injection": LINK,
        "collective_batch": COLLECTIVE_BATCH,
        "network": platform.network,
        "memory": {"cache": 0, "copy_rate": 8e11, "pack_rate": 4e11},
        "engines": {"native": {"rate": 6.7e12}}, "other_engines": "native",
    }


def ranks_on(name):
    return PLATFORMS[name].nodes * PLATFORMS[name].ranks_per_node


def grids(ranks):
    """Decompositions, each with the ranks of its largest group."""
    result = [("slab", ranks)]
    factor = 2
    while factor < ranks:
        result.append((f"pencil({factor}x{ranks // factor})", max(factor, ranks // factor)))
        factor *= 2
    return result


def write_platform(name, folder):
    platform = PLATFORMS[name]
    (folder / "platform.xml").write_text(f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <cluster id="{name}" prefix="node" suffix="" radical="0-{platform.nodes - 1}" speed="1Gf"
             core="{platform.ranks_per_node}" bw="{BYTES:g}Bps" lat="{HOP:g}s" topology="{platform.topology}"
             topo_parameters="{platform.parameters}" sharing_policy="SPLITDUPLEX"
             loopback_bw="{4 * BYTES:g}Bps" loopback_lat="{HOP:g}s"/>
  </zone>
</platform>
""")
    (folder / "hosts").write_text("".join(f"node{i}\n" * platform.ranks_per_node for i in range(platform.nodes)))


def smpi_lines(simulated, name, cases):
    """What SMPI makes of each text on that platform: a line of JSON each."""
    ranks = ranks_on(name)
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        write_platform(name, folder)
        (folder / "machine.json").write_text(json.dumps(machine(name)))
        (folder / "cases").write_text("".join(case + "\n" for case in cases))
        settings = {"host-speed": "1Gf", "simulate-computation": "no", "grow-injected-times": "no", "test": "1e-7",
                    "bw-factor": f"0:{USABLE}", "lat-factor": "0:1", "os": f"0:{SEND}:0", "ois": f"0:{SEND}:0",
                    "or": f"0:{RECEIVE}:0", "coll-selector": "mpich", "tmpdir": where}
        command = ["smpirun", "-np", str(ranks), "-platform", folder / "platform.xml", "-hostfile", folder / "hosts",
                   "--log=root.thresh:critical", *(f"--cfg=smpi/{key}:{value}" for key, value in settings.items()),
                   Path(simulated).resolve(), "--cases", folder / "cases", "--machine", folder / "machine.json",
                   "--json", folder / "results"]
        # Each rank is a copy of the library, whose variables of threads are of the kind that needs room from the
        # start of the process (testing/fake/trap.cpp says why): glibc keeps 512 bytes, enough for three ranks.
        environment = {**os.environ, "GLIBC_TUNABLES": f"glibc.rtld.optional_static_tls={ranks * TLS_OF_A_RANK}"}
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              env=environment)
        results = folder / "results"
        lines = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
        if done.returncode != 0 or len(lines) != len(cases):
            sys.exit(f"{name}: {len(lines)} of {len(cases)} plans\n{done.stdout}{done.stderr}")
        return lines


def smpi(simulated, name, texts):
    """Seconds of each plan by SMPI."""
    return {text: line["simulated_s"] for text, line in zip(texts, smpi_lines(simulated, name, texts))}


def simulate(options, name, shape):
    """The lines of one platform and one shape."""
    ranks = ranks_on(name)
    cases = [f"c2c:f64:{shape}; decomposition={way}; via={via}" for way, largest in grids(ranks)
             for via in options.vias if via != "isend-waitall" or largest * ranks <= MOST_MESSAGES]
    return [{"platform": name, **line} for line in smpi_lines(options.simulated, name, cases)]


def predict(options, lines):
    with tempfile.TemporaryDirectory() as where:
        file = Path(where) / "machine.json"
        for line in lines:
            file.write_text(json.dumps(machine(line["platform"])))
            printed = subprocess.run([options.weft, "predict", line["asked"], "--ranks", str(line["ranks"]), "--machine",
                                      file, "--json"], capture_output=True, text=True, check=True).stdout
            one = json.loads(printed)["predictions"][0]
            clock = json.loads(subprocess.run([options.weft, "simulate", line["plan"], "--machine", file, "--json"],
                                              capture_output=True, text=True, check=True).stdout)["simulations"][0]
            line.update(predicted_s=one["seconds"], clock_s=clock["simulated_s"], work_s=one["work"],
                        exchange_s=one["exchange"])


def write(lines, file, weft):
    names = list(dict.fromkeys(line["platform"] for line in lines))
    text = [json.dumps({"origin": origin(weft)})]
    text += [json.dumps({"machine": machine(name), "topology": PLATFORMS[name].topology,
                        "parameters": PLATFORMS[name].parameters})
            for name in names]
    Path(file).write_text("\n".join(text + [json.dumps(line) for line in lines]) + "\n")


def read(file):
    lines = [json.loads(text) for text in Path(file).read_text().splitlines()]
    return [line for line in lines if "plan" in line]


def study(options):
    pairs = [(name, shape) for name in options.platforms for shape in options.shapes
             if ranks_on(name) <= int(shape.split("x")[0])]
    with ThreadPoolExecutor(options.jobs) as pool:
        lines = [line for some in pool.map(lambda pair: simulate(options, *pair), pairs) for line in some]
    predict(options, lines)
    write(lines, options.json, options.weft)
    table(lines)


def groups(lines):
    result = {}
    for line in lines:
        shape = line["asked"].split(";")[0].split(":")[2]
        result.setdefault((line["platform"], shape), []).append(line)
    return result


def sign(number):
    return (number > 0) - (number < 0)


def tau(lines, by="predicted_s"):
    """Kendall's, of seconds simulated by SMPI and others (tau-b, which takes ties into account)."""
    pairs = [(sign(one["simulated_s"] - other["simulated_s"]), sign(one[by] - other[by]))
             for one, other in itertools.combinations(lines, 2)]
    untied = [sum(pair[side] != 0 for pair in pairs) for side in (0, 1)]
    return sum(a * b for a, b in pairs) / math.sqrt(untied[0] * untied[1]) if all(untied) else math.nan


def table(lines):
    for (name, shape), some in groups(lines).items():
        best = min(some, key=lambda line: line["simulated_s"])
        chosen = min(some, key=lambda line: line["predicted_s"])
        print(f"{name:18}{shape:14}{len(some):4} plans  predicted best takes "
              f"{chosen['simulated_s'] / best['simulated_s']:.2f} of the best", end="")
        for by in ("predicted_s", "clock_s"):
            ratios = sorted(line[by] / line["simulated_s"] for line in some)
            print(f"  {by[:-2]} {ratios[0]:.2f} to {ratios[-1]:.2f}, tau {tau(some, by):.2f}", end="")
        print()
    for by in ("predicted_s", "clock_s"):
        near = sum(abs(line[by] / line["simulated_s"] - 1) <= 0.15 for line in lines)
        print(f"{by[:-2]}: {near} of {len(lines)} within 15%")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json")
    parser.add_argument("--again")
    parser.add_argument("--table")
    parser.add_argument("--weft", default="build/bin/weft")
    parser.add_argument("--simulated", default="build/simulated/simulated.so")
    parser.add_argument("--platforms", default=",".join(PLATFORMS), type=lambda text: text.split(","))
    parser.add_argument("--shapes", default="64x64x64,128x128x128,256x256x256", type=lambda text: text.split(","))
    parser.add_argument("--vias", type=lambda text: text.split(","),
                        default="alltoallv,isend-waitall,isend-waitall-block(8),sendrecv,pairwise,"
                                "kway(2),kway(4),kway(16)")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.json:
        study(options)
    elif options.again:
        lines = read(options.again)
        predict(options, lines)
        write(lines, options.again, options.weft)
        table(lines)
    elif options.table:
        table(read(options.table))
    else:
        parser.error("give --json, --again or --table; python3 bench/plots draws")


if __name__ == "__main__":
    main()
