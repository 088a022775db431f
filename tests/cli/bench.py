#!/usr/bin/env python3
"""What `weft bench` prints and returns; never how long anything takes.

usage: bench.py WEFT WITH_FFTW_MPI WITH_EMULATED_GPU LAUNCHER...    as in bench.py weft 1 1 mpiexec -n
"""

import json
import math
import subprocess
import sys
import tempfile

from expectations import expect, finish

weft, with_fftw_mpi, with_emulated_gpu, launcher = (
    sys.argv[1], sys.argv[2] == "1", sys.argv[3] == "1", sys.argv[4:])

KEYS = {
    "library", "engine", "kind", "precision", "shape", "ranks", "threads", "grid", "in", "out",
    "in_place", "batch", "mpi", "plan", "repeat", "forward_s", "backward_s", "ratio",
    "ratio_backward", "gflops", "workspace_bytes", "breakdown", "moved_bytes", "bytes_per_s",
    "processor", "cores", "nodes", "compiler", "versions", "vectors", "commit",
}  # fmt: skip
PARTS = {"fft", "pack", "exchange", "unpack", "other"}


def bench(ranks, *arguments):
    """The exit code, the standard output and the standard error."""
    command = [*launcher, str(ranks), weft, "bench", *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def records(ranks, *arguments):
    code, output, errors = bench(ranks, *arguments, "--json")
    expect(f"exit code 0 of {' '.join(arguments)}", code == 0)
    if code != 0:
        print(output, errors)
    return json.loads(output)["results"]


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9)


def check_record(record, repeat, threads=1):
    name = record["library"]
    expect(f"{name}: the keys", set(record) == KEYS)
    for seconds in record["forward_s"], record["backward_s"]:
        expect(f"{name}: the quartiles' names", set(seconds) == {"median", "q1", "q3"})
        expect(f"{name}: their order", 0 < seconds["q1"] <= seconds["median"] <= seconds["q3"])
    flops = 5 if record["kind"] == "c2c" else 2.5
    size = math.prod(record["shape"])
    rate = 1e-9 * flops * size * math.log2(size) * record["batch"] / record["forward_s"]["median"]
    expect(f"{name}: GFLOP/s by 5 N log2 N", close(record["gflops"]["forward"], rate))
    expect(f"{name}: repeats and threads", (record["repeat"], record["threads"]) == (repeat, threads))
    expect(f"{name}: the process grid", math.prod(record["grid"]) == record["ranks"])
    expect(f"{name}: a machine", bool(record["processor"]) and record["cores"] >= 1)
    expect(f"{name}: an MPI", "MPI" in record["mpi"])


def check_breakdown(record):
    for times in record["breakdown"].values():
        expect("the parts of a transform", set(times) == PARTS)
        expect("no part below zero", min(times.values()) >= 0 and times["fft"] > 0)


def check_tiles():
    """[song]'s bars and a trace of every rank's operations, in order and without overlap."""
    with tempfile.TemporaryDirectory() as folder:
        trace = f"{folder}/trace.json"
        code, output, errors = bench(2, "c2c:f64:16x12x10", "--pack", "sender", "--tile",
                                     "(axis:2,T:3,W:1,F:4)", "--repeat", "2", "--breakdown",
                                     "--trace", trace)
        expect("tiles are timed", code == 0)
        if code != 0:
            print(output, errors)
            return
        bars = output[output.index("where the time goes"):]
        for bar in "FFTz", "FFTy", "Pack", "Unpack", "FFTx", "Wait", "Test":
            expect(f"the bar {bar}, both ways", bars.count(f"{bar} ") == 2)
        with open(trace, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
    expect("a trace of both ranks", {event["pid"] for event in events} == {0, 1})
    for rank in 0, 1:
        mine = [event for event in events if event["pid"] == rank]
        ends = [event["ts"] + event["dur"] for event in mine]
        after = all(begin["ts"] >= end - 1e-3 for begin, end in zip(mine[1:], ends))
        expect(f"rank {rank}: one operation after the other", after)
        expect(f"rank {rank}: tiles of both directions",
               {event["cat"] for event in mine} == {"forward", "backward"})


def check_threads():
    (record,) = records(2, "c2c:f64:16x12x10", "--repeat", "2", "--threads", "3")
    check_record(record, 2, threads=3)


def check_alone():
    (record,) = records(2, "r2c:f32:16x12x10*2", "--via", "alltoallv", "--repeat", "3")
    check_record(record, 3)
    check_breakdown(record)
    expect("weft alone has no ratio", record["ratio"] is None)
    expect("kind", (record["kind"], record["precision"]) == ("r2c", "f32"))
    expect("shape", (record["shape"], record["batch"]) == ([16, 12, 10], 2))
    expect("where it falls", record["in"] == "slab(0)@b012" and record["out"].startswith("slab(1)"))
    expect("the plan", record["plan"].startswith("r2c:f32:16x12x10*2 in=free out=free; ranks=2"))
    # Half of the 16 x 12 x 6 complex numbers of each field change hands.
    expect("bytes between ranks", record["moved_bytes"] == 16 * 12 * 6 * 2 * 8 // 2)
    expect("bandwidth", record["bytes_per_s"]["forward"] > 0)


def check_one_rank():
    (record,) = records(1, "c2c:f64:8x8x8 in_place", "--engine", "reference", "--repeat", "1")
    check_record(record, 1)
    expect("engine", record["engine"] == "reference")
    expect("in place", record["in_place"] is True)
    expect("nothing between ranks", record["moved_bytes"] == 0 and record["bytes_per_s"] is None)


def check_engine():
    ours, engine = records(1, "r2c:f64:8x9x7 out=free@120 may_destroy_input", "--against",
                           "engine", "--repeat", "1", "--effort", "estimate")
    expect("the engine beside weft", engine["library"] == "engine" and ours["ratio"] > 0)
    expect("the same layouts", engine["out"] == ours["out"])
    code, output, errors = bench(2, "8x8", "--against", "engine")
    expect("the engine is serial", code == 3 and "there are 2 ranks" in output + errors)
    code, output, errors = bench(1, "8x8", "--scale", "n/none", "--against", "engine")
    expect("scaling is another step", code == 3 and "more than one call" in output + errors)


def check_refusals(*cases):
    for ranks, text, code, *arguments in cases:
        found, output, errors = bench(ranks, "8x6x4", *arguments)
        expect(f"exit code {code} of {arguments}", found == code)
        expect(f"said once: {text}", (output + errors).count(text) == 1)


def check_gpu():
    for problem in ("c2c:f64:8x9x7 out=slab(0)@210", "r2c:f32:8x6x4*3", "c2r:f64:8x6x5",
                    "c2c:f32:12x10 in_place"):
        pair = records(1, problem, "--space", "emulated", "--device-arrays", "--against", "cufft",
                       "--repeat", "1")
        expect("cuFFT beside weft", [one["library"] for one in pair] == ["weft", "cufft"])
        expect("a device is timed as a whole", all(one["breakdown"] is None for one in pair))
    check_refusals(
        (2, "one GPU, but there are 2 ranks", 3, "--space", "emulated", "--against", "cufft"),
        (1, "does not scale", 3, "--space", "emulated", "--scale", "n/none", "--against", "cufft"))


def check_cufftmp():
    # Slabs of equal and of different sizes; signals of even and of odd lengths.
    for ranks, problem in ((1, "r2c:f64:8x6x5"), (2, "c2c:f32:12x10"), (3, "c2c:f64:8x10x7"),
                           (3, "r2c:f32:7x5x6"), (3, "c2r:f64:4x7x5")):
        pair = records(ranks, problem, "--space", "emulated", "--against", "cufftmp", "--repeat", "2")
        for record in pair:
            check_record(record, 2)
        theirs = pair[1]
        expect("cuFFTMp beside weft", theirs["library"] == "cufftmp" and theirs["in_place"])
        signal = "out" if problem.startswith("c2r") else "in"
        spectrum = "in" if signal == "out" else "out"
        digits = "012"[:len(theirs["shape"])]
        expect("its slabs", (theirs[signal], theirs[spectrum]) ==
               (f"slab(0)@{digits}", f"slab(1)@{digits}"))
    against = ("--space", "emulated", "--against", "cufftmp")
    for text, *arguments in (
        ("not a batch of 2", "8x6x4*2"),
        ("2 and 3 dimensions, not 4", "4x4x4x4"),
        ("signal in slab(0)", "8x6x4", "--in", "slab(1)"),
        ("spectrum in slab(1)", "8x6x4", "--out", "slab(1)@102"),
        ("2 and 1 are not 2", "2x1x8"),
    ):
        code, output, errors = bench(2, *arguments, *against)
        expect(f"exit code 3 of {arguments}", code == 3)
        expect(f"said once: {text}", (output + errors).count(text) == 1)
    check_refusals((2, "add space=", 3, "--against", "cufftmp"))


def check_no_cufftmp():
    code, output, errors = bench(2, "8x6x4", "--against", "cufftmp")
    # With CUDA's own it is built, but the plan is computed on the host.
    said = [text for text in ("cufftmp: not built:", "add space=") if text in output + errors]
    expect("cuFFTMp is not here", code == 3 and len(said) == 1)


def check_device():
    for arrays in ("--device-arrays", "--pinned-arrays"):
        (record,) = records(2, "8x6x4", "--space", "fake", arrays, "--repeat", "1", "--unchecked")
        expect(f"{arrays}: by the device", "space=fake" in record["plan"])
    # The host's waiting for the device is no operation of the program.
    code, output, _ = bench(1, "8x6x4", "--space", "fake", "--device-arrays", "--breakdown",
                            "--account", "--repeat", "1")
    expect("the account on a device", code == 0 and output.count("account of rank 0") == 2)
    check_refusals((1, "add space=", 2, "--device-arrays"),
                   (1, "add space=", 3, "--against", "cufft"))


def check_text():
    code, output, _ = bench(2, "12x10x8", "--repeat", "2", "--via", "alltoallv")
    words = ("2 repeats", "GFLOP/s", "exchange", "between ranks", "slab(0)@012")
    expect("the table", code == 0 and all(word in output for word in words))


def check_account():
    code, output, _ = bench(2, "12x10x8", "--repeat", "2", "--via", "shared", "--account")
    expect("the account", code == 0 and output.count("account of rank 0") == 2)
    passes = [line.split() for line in output.splitlines() if " pass " in line]
    expect("two passes there and two back", len(passes) == 4)
    part = str(12 * 10 * 8 * 16 // 2)
    expect("each reads and writes a rank's part",
           all((row[3], row[4]) == (part, part) for row in passes))
    expect("shared memory sends nothing", "between ranks," not in output)
    code, _, errors = bench(2, "8x8", "--account", "--json")
    expect("not both of --account and --json", code == 2 and "--account" in errors)


def check_bad_requests():
    for text, *arguments in (
        ("at least 1", "8x8", "--repeat", "0"),
        ("at least 1", "8x8", "--repeat", "-2"),
        ("--repeat", "8x8", "--repeat", "often"),
        ("'abacus' is unknown", "8x8", "--against", "abacus"),
        ("no problem is given",),
        ("'eight'", "c2c:f64:8xeight"),
        ("for 3 ranks", "c2c:f64:8x8; ranks=3"),
    ):
        code, output, errors = bench(2, *arguments)
        expect(f"exit code 2 of {arguments}", code == 2)
        expect(f"said once: {text}", (output + errors).count(text) == 1)


def check_competitor():
    for kind, precision in ("c2c", "f64"), ("r2c", "f64"), ("c2r", "f32"), ("c2c", "f32"):
        # Odd lengths and three ranks leave parts of different sizes.
        problem = f"{kind}:{precision}:13x10x7*2"
        pair = records(3, problem, "--against", "fftw-mpi", "--repeat", "2")
        expect("two libraries", [one["library"] for one in pair] == ["weft", "fftw-mpi"])
        ours, theirs = pair
        for record in pair:
            check_record(record, 2)
            ratio = ours["forward_s"]["median"] / theirs["forward_s"]["median"]
            expect("ratio of the medians", close(record["ratio"], ratio))
        expect("no look into FFTW-MPI", theirs["breakdown"] is None)
        expect("transposed", "TRANSPOSED" in theirs["plan"])
    _, theirs = records(2, "8x6x4", "--out", "slab(0)", "--against", "fftw-mpi", "--repeat", "1")
    expect("normal order", "normal order" in theirs["plan"] and theirs["out"] == "slab(0)@012")
    for text, *arguments in (
        ("slab(0), row-major", "8x8", "--in", "slab(1)"),
        ("slab(1) with axis 1 slowest", "8x8x8", "--out", "slab(2)"),
        ("two and more dimensions", "64"),
        ("all axes", "8x8", "--axes", "0"),
        ("the last axis", "8x8", "--kind", "r2c", "--r2c-axis", "0"),
        ("the last axis", "8x8", "--kind", "r2c", "--halved", "0"),
        ("does not scale", "8x8", "--scale", "n/none"),
    ):
        code, output, errors = bench(2, *arguments, "--against", "fftw-mpi")
        expect(f"exit code 3 of {arguments}", code == 3 and text in output + errors)
    code, _, errors = bench(1, "8x8", "--against", "fftw-mpi", "--against", "fftw-mpi")
    expect("a competitor given twice", code == 2 and "twice" in errors)


def check_no_competitor():
    code, output, errors = bench(2, "8x8", "--against", "fftw-mpi")
    expect("FFTW-MPI is not here", code == 3 and "not in this build" in output + errors)


check_alone()
check_threads()
check_tiles()
check_one_rank()
check_engine()
check_device()
if with_emulated_gpu:
    check_gpu()
    check_cufftmp()
else:
    check_no_cufftmp()
check_text()
check_account()
check_bad_requests()
if with_fftw_mpi:
    check_competitor()
else:
    check_no_competitor()
finish()
