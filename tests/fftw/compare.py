"""Runs a program of FFTW's MPI interface with FFTW alone and with weft's library, and compares what
the two runs recorded and what weft's log says.

    compare.py --ranks 2 --library libweft_fftw3_mpi.so --tolerance 1e-10 PROGRAM
    compare.py --ranks 2 --relinked PROGRAM_WITH_WEFT --tolerance 1e-10 PROGRAM

Words after `--` start MPI programs, as mpiexec and its options do."""
import argparse
import itertools
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--ranks", type=int, required=True)
parser.add_argument("--library", help="to be preloaded")
parser.add_argument("--relinked", help="the program, linked with weft's library in front")
parser.add_argument("--tolerance", type=float, required=True)
parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                    help="a variable of the run with weft")
parser.add_argument("program")
parser.add_argument("mpiexec", nargs="+")
arguments = parser.parse_args()

failures = 0


def expect(right, message):
    global failures
    if not right:
        failures += 1
        print(f"wrong: {message}")


def run(program, variables, folder, limit):
    """The lines that weft has logged. Plans that are measured take `limit` seconds, -1 as long as
    they like."""
    folder.mkdir()
    command = [*arguments.mpiexec, "env", *variables, program, str(folder), limit]
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode != 0:
        print(done.stdout[-4000:], done.stderr[-8000:])
        sys.exit(f"{' '.join(command)} ended with {done.returncode}")
    return [line for line in done.stderr.splitlines() if line.startswith("weft: ")]


def records(path):
    """(kind, name, values) in the order of the file."""
    data = path.read_bytes()
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        kind, name, count = data[at:end].decode().rsplit(" ", 2)
        at = end + 1 + 8 * int(count)
        yield kind, name, struct.unpack_from(f"{count}d", data, end + 1)


def by_name(path):
    """Lists of (kind, values) under their names."""
    return {name: [(kind, values) for kind, _, values in group]
            for name, group in itertools.groupby(records(path), lambda record: record[1])}


def differ(kind, a, b):
    """Why the values of one record are not those of the other, or None."""
    if len(a) != len(b):
        return f"{kind}: {len(a)} values became {len(b)}"
    if kind != "values":
        return None if a == b else f"{kind}: {a[:8]} became {b[:8]}"
    size = max(map(abs, a), default=0.0) or 1.0
    error = max((abs(x - y) for x, y in zip(a, b)), default=0.0) / size
    return None if error <= arguments.tolerance else f"relative error {error}"


def compare(plain, weft):
    """One rank's records of both runs; how many results there were, and the plans that weft has and
    FFTW does not."""
    results, more = 0, []
    first, second = by_name(plain), by_name(weft)
    expect(list(first) == list(second), f"{plain.name}: other names of records")
    for name, group in first.items():
        other = second[name]
        if ("plan", (0.0,)) in group and ("plan", (1.0,)) in other:
            more.append(name)
            group = group[:group.index(("plan", (0.0,)))]
            other = other[:len(group)]
        expect([kind for kind, _ in group] == [kind for kind, _ in other],
               f"{name} on rank {plain.name}: other records")
        for (kind, a), (_, b) in zip(group, other):
            results += kind == "values"
            reason = differ(kind, a, b)
            expect(reason is None, f"{name} on rank {plain.name}: {reason}")
    return results, more


LINE = re.compile(r"weft: fftwf?_mpi_plan_(?P<name>\w+) (?P<shape>[\dx]+)(\*\d+)?: (?P<runner>[^:]+): (?P<rest>.*)")


def check_log(lines):
    """All but one-dimensional transforms, half-complex and Hartley kinds, and real data that is
    transposed in two dimensions are weft's, unless it is off."""
    counts = {"weft": 0, "passed on to FFTW": 0}
    for line in lines:
        match = LINE.fullmatch(line)
        if match is None:
            expect(False, f"this line of the log is not understood: {line}")
            continue
        counts[match["runner"]] = counts.get(match["runner"], 0) + 1
        flat_real = match["rest"].startswith("transposed real data in two dimensions")
        hartley = match["rest"].startswith("R2HC, HC2R and DHT")
        passed = off or hartley or "x" not in match["shape"] or flat_real
        expect(passed == (match["runner"] != "weft"), line)
    return counts


off = "WEFT_FFTW=off" in arguments.set
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    plain_log = run(arguments.program, ["WEFT_FFTW_LOG=1"], folder / "plain", "-1")
    expect(plain_log == [], f"weft is in the plain run: {plain_log[:1]}")
    variables = ["WEFT_FFTW_LOG=1", *arguments.set]
    if arguments.library:
        variables.append(f"LD_PRELOAD={arguments.library}")
    log = run(arguments.relinked or arguments.program, variables, folder / "weft", "-1" if off else "0.3")
    compared = [compare(folder / "plain" / str(rank), folder / "weft" / str(rank))
                for rank in range(arguments.ranks)]
    results = sum(count for count, _ in compared)
    counts = check_log(log)
    expect(counts["passed on to FFTW" if off else "weft"] >= 300, f"few plans: {counts}")
    expect(results >= 600 * arguments.ranks, f"only {results} results were compared")
    print(f"{results} results, {len(compared[0][1])} plans that FFTW does not have, {counts}, "
          f"{failures} failures")
sys.exit(failures != 0)
