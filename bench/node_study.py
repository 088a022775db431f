#!/usr/bin/env python3
"""The whole of node_study on two ranks, on one instruction set after the other, with MKL beside it.

usage: node_study.py --out DIRECTORY [--build build/bin] [--vectors AVX3,AVX2] [--launch "mpiexec -n 2"]
                     [--mkl LIBRARIES [--amd]] [--priority] [--quick]

Writes node_avx512.json or node_avx2.json, and with --mkl node_avx512_mkl.json or node_avx2_mkl.json.
Ranks are bound to cores, but rank 0 beside MKL, whose threads need all of them. --priority takes a
real-time priority (as root), which is not given to MKL: its threads wait by spinning and would starve
each other.
"""

import argparse
import os
import shlex
import subprocess
import tempfile

NAMES = {"AVX3": "node_avx512", "AVX2": "node_avx2"}
SHAPES = "64x64x64,128x128x128,200x180x150,256x256x256"
# 512x512x512 takes 2 GiB for each array, which few runners have room for.
FEW = ["--only", "weft,fftw-mpi"]
PARTS = [
    ["--shapes", SHAPES, "--kinds", "c2c,r2c", "--seconds", "1.5"],
    ["--shapes", "384x384x384", "--kinds", "c2c", "--seconds", "3"],
    ["--shapes", "512x512x512", "--kinds", "c2c", "--repeat", "7", *FEW],
]
BESIDE_MKL = ["--only", "weft,mkl-threads"]
MKL_PARTS = [
    ["--shapes", SHAPES, "--kinds", "c2c,r2c", "--seconds", "1", *BESIDE_MKL],
    ["--shapes", "384x384x384", "--kinds", "c2c", "--seconds", "3", *BESIDE_MKL],
    ["--shapes", "512x512x512", "--kinds", "c2c", "--repeat", "7", *BESIDE_MKL],
]


# MKL_DEBUG_CPU_TYPE for an MKL that knows it (2019): without, it takes its oldest kernels on AMD.
AMD_TYPES = {"AVX3": "7", "AVX2": "5"}
# MKL's OpenMP binds rank 0 to the first core and its other threads to those behind it.
BIND_OTHERS = """if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then exec "$@"; fi
exec taskset -c "$OMPI_COMM_WORLD_RANK" "$@" """


def mkl_environment(arguments, vectors):
    """Two threads on two cores that sleep while other runners have their turn."""
    environment = {
        "LD_LIBRARY_PATH": arguments.mkl,
        "MKL_THREADING_LAYER": "INTEL",
        "MKL_NUM_THREADS": "2",
        "MKL_DYNAMIC": "FALSE",
        "KMP_BLOCKTIME": "0",
        "KMP_AFFINITY": "granularity=fine,compact",
    }
    if vectors == "AVX2":
        environment["MKL_ENABLE_INSTRUCTIONS"] = "AVX2"
    if arguments.amd:
        environment["MKL_DEBUG_CPU_TYPE"] = AMD_TYPES[vectors]
    return environment


def run(command, environment, parts, path):
    with open(path, "w") as whole:
        for part in parts:
            with tempfile.NamedTemporaryFile(mode="r", suffix=".json") as file:
                subprocess.run([*command, *part, "--json", file.name], check=True,
                               env={**os.environ, **environment})
                whole.write(file.read())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="directory that the JSON is written to")
    parser.add_argument("--build", default="build/bin")
    parser.add_argument("--vectors", default="AVX3,AVX2", help="instruction sets")
    parser.add_argument("--launch", default="mpiexec -n 2", help="of Open MPI")
    parser.add_argument("--mkl", help="where MKL's libraries are, and its OpenMP's")
    parser.add_argument("--amd", action="store_true", help="MKL is of 2019, the processor AMD's")
    parser.add_argument("--priority", action="store_true", help="run by chrt, but beside MKL")
    parser.add_argument("--quick", action="store_true", help="without 384 and 512")
    arguments = parser.parse_args()
    parts = slice(0, 1 if arguments.quick else None)
    program = os.path.join(arguments.build, "node_study")
    launch = shlex.split(arguments.launch)
    first = ["chrt", "-f", "50"] if arguments.priority else []
    for vectors in arguments.vectors.split(","):
        environment = {"WEFT_VECTORS": vectors}
        name = os.path.join(arguments.out, NAMES[vectors])
        run([*first, *launch, "--bind-to", "core", program], environment, PARTS[parts], name + ".json")
        if arguments.mkl:
            run([*launch, "--bind-to", "none", "sh", "-c", BIND_OTHERS, "sh", program],
                {**environment, **mkl_environment(arguments, vectors)}, MKL_PARTS[parts],
                name + "_mkl.json")


main()
