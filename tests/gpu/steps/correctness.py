"""Whether transforms on the GPU are right: weft verify, against the serial reference on the host."""
import os
import re
import shutil

from runner import word_of

# What a transform may be off, as a fraction of its largest value.
bounds = {"f64": 1e-12, "f32": 1e-4}
line = re.compile(r"^  (.+?) +error +(\S+)  bound +(\S+)  (right|WRONG)$", re.M)


def shapes(small, ranks):
    """(shape, whether cuFFT transforms it too). Kernels are compiled for 64, 48, 100 and 128; those
    that are told a length transform 60 and 45; 77 is for cuFFT."""
    if small:
        return [("12x10x9", True)]
    uneven = [("60x45x77", True)]
    return uneven if ranks > 2 else uneven + [("64x64x64", True), ("48x100x128", False)]


def travels(runner):
    """Ways that messages go; directly only where MPI reaches the device's memory."""
    return ["staged", "staged:65536"] + (["direct"] if runner.mpi_reaches else [])


def ways(runner, ranks, kind, precision, library):
    """(travel, engine): all of them with one kind, of which the others have the same messages."""
    yield "staged", "native"
    if library:
        yield "staged", "hipfft" if runner.space == "hip" else "cufft"
    if ranks > 1 and (kind, precision) == ("c2c", "f64"):
        for travel in travels(runner)[1:]:
            yield travel, "native"


def problems(runner, results, ranks, small):
    kinds = [(kind, precision) for kind in ("c2c", "r2c") for precision in ("f64", "f32")]
    for count in ranks:
        for shape, library in shapes(small, count):
            for kind, precision in kinds:
                for travel, engine in ways(runner, count, kind, precision, library):
                    one(runner, results, count, f"{kind}:{precision}:{shape}", travel, engine)


def between_ranks(runner, results, small):
    """How ranks that share the GPU reach each other: regions by memory handles, messages that are
    unpacked as they arrive, a share of the ranks, arrays larger than the memory they may take."""
    shape = "12x10x9" if small else "64x60x48"
    back = " in=slab(0) out=slab(0)"  # Two redistributions, so that two regions take turns.
    bound = 20000 if small else 2 * 10**6
    for ranks in (2, 4):
        for problem in (f"c2c:f64:{shape}", f"c2c:f64:{shape}{back}", f"r2c:f32:{shape}"):
            one(runner, results, ranks, problem, "direct", "native", ("--via", "shared"))
        for travel in ("staged", "staged:4096" if small else "staged:65536"):
            one(runner, results, ranks, f"c2c:f64:{shape}", travel, "native",
                ("--via", "isend-waitsome", "--pack", "receiver"))
        one(runner, results, ranks, f"c2c:f64:{shape}", "staged,share:1of2,weight:3", "native")
    one(runner, results, 1, f"c2c:f64:{shape}", f"memory:{bound}", "native")
    one(runner, results, 2, f"r2c:f64:{shape}", f"memory:{bound}", "native")


def compiled_lengths(space):
    """Those that kernels are compiled for, unless a build names others."""
    root = os.path.abspath(__file__)
    for _ in range(4):
        root = os.path.dirname(root)
    emulated = ("testing", "emulated", "cuda", "lengths.hpp")
    path = emulated if space == "emulated" else ("src", "device", "gpu", "line_shape.hpp")
    with open(os.path.join(root, *path), encoding="utf-8") as file:
        (found,) = re.findall(r"define WEFT_FIXED_LENGTHS\(each\)((?:[^\n]*\\\n)*[^\n]*)", file.read())
    return [int(n) for n in re.findall(r"each\((\d+)\)", found)]


def lengths(runner, results, small):
    """Each length that has a kernel once as the fastest axis, whose lines are contiguous, and once as
    the slowest, whose lines lie side by side; on two ranks these come in segments."""
    upwards = sorted(compiled_lengths(runner.space))
    for slow, fast in zip(upwards, reversed(upwards)):
        for kind in ("c2c:f64", "r2c:f32") if small else ("c2c:f64", "c2c:f32", "r2c:f64", "r2c:f32"):
            one(runner, results, 1, f"{kind}:{slow}x4x{fast}", "staged", "native")
        for precision in ("f64",) if small else ("f64", "f32"):
            one(runner, results, 2, f"c2c:{precision}:{slow}x4x{fast}", "staged", "native")


def copied_across(runner, results, small):
    """Messages that one process reads from the other's memory, as MPI does where it may; some
    containers forbid that."""
    cma = {"OMPI_MCA_btl_vader_single_copy_mechanism": "cma"}
    probe = [runner.weft, "verify", "8x8", "--via", "cma"]
    output, code, _ = runner.call(runner.launched(probe, 2), min(20, runner.left()), {})
    if code == 3:
        print(f"reading another process's memory is left out: {word_of(output)}", flush=True)
        return
    text = "c2c:f64:12x10x9" if small else "c2c:f64:64x60x48"
    one(runner, results, 2, text, "staged", "native", ("--via", "cma"))
    one(runner, results, 2, text, "staged", "native", ("--via", "alltoallv"), cma)


def one(runner, results, ranks, text, travel, engine, options=(), extra=None):
    words = ", ".join([engine, travel] + list(options[1::2]) + ["MPI by CMA"] * bool(extra))
    name = f"verify {text}, {ranks} rank{'s' if ranks > 1 else ''}, {words}"
    command = [runner.weft, "verify", text, "--space", f"{runner.space}({travel})", "--engine", engine,
               *options]
    found = runner.step(name, command, ranks=ranks, seconds=30, extra=extra)
    checks = [{"check": check.strip(), "error": float(error), "bound": float(bound)}
              for check, error, bound, _ in line.findall(found["output"])]
    worst = max((check["error"] for check in checks), default=None)
    allowed = bounds[text.split(":")[1]]
    results.append({"what": name, "problem": text, "ranks": ranks, "travel": travel, "engine": engine,
                    "options": list(options), "worst_error": worst, "allowed": allowed, "checks": checks,
                    "within_weft_bounds": found["ok"],
                    "right": worst is not None and worst <= allowed})


def sanitized(runner, results):
    """NVIDIA's compute-sanitizer, where it is: accesses of kernels, and races in shared memory."""
    program = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if runner.space != "cuda" or not os.access(program, os.X_OK):
        return
    # Kernels are compiled for 64, 16 and 100.
    problems = [(1, "c2c:f64:64x16x100 out=slab(0)@210; engine=cufft"), (1, "c2c:f64:64x16x100; engine=native"),
                (1, "r2c:f32:64x16x100; engine=native"),
                (2, f"c2c:f64:64x16x100; engine=native; space={runner.space}(direct); via=shared")]
    for tool in ("memcheck", "racecheck"):
        for ranks, text in problems:
            if "space=" not in text:
                text += f"; space={runner.space}"
            name = f"{tool} of {text}, {ranks} rank{'s' if ranks > 1 else ''}"
            found = runner.step(name, [program, "--tool", tool, "--error-exitcode", "9", runner.weft,
                                       "verify", text], ranks=ranks, seconds=60)
            results.append({"what": name, "right": found["ok"]})


def random_problems(runner, results, small):
    """As many as there is time for, of all kinds, layouts, methods and tiles."""
    for ranks in (1, 2, 3, 4):
        count = 3 if small else 25
        name = f"{count} random problems, {ranks} ranks"
        found = runner.step(name, [runner.weft, "verify", "--random", str(count), "--seed",
                                   str(100 + ranks)], ranks=ranks, seconds=60,
                            extra={"WEFT_SPACE": runner.space})
        counts = re.search(r": (\d+) right, (\d+) wrong", found["output"])
        right = int(counts.group(1)) if counts else 0
        results.append({"what": name, "ranks": ranks, "of": count, "were_right": right,
                        "right": found["ok"] and right == count})
