"""Whole tables of bench/results/README.md, for docs/figures.txt: their rows as the page has them, in one line."""
import contextlib
import importlib
import io
import re
import sys

from engines import engine_cell
from nodes import node, node_problems, over
from results import RESULTS, SOURCE, both, document, line, lines, mean, used

sys.path.append(str(SOURCE / "bench"))
import overlap_table as overlap_tables  # noqa: E402


def rows(cells):
    """`| a | b | | c | d |`"""
    return " ".join("| " + " | ".join(some) + " |" for some in cells)


def script_table(script, *arguments):
    """The rows that a script of bench/ prints of a file, without their head."""
    used.update(name for name in arguments if name.endswith(".json"))
    before, sys.argv = sys.argv, [script, *(str(RESULTS / name) if name.endswith(".json") else name for name in arguments)]
    text = io.StringIO()
    try:
        with contextlib.redirect_stdout(text):
            importlib.import_module(script).main()
    finally:
        sys.argv = before
    return " ".join(text.getvalue().splitlines()[2:])


def preload_table():
    return rows([f"{case['n']} {case['kind']}, {case['order']}, {case['rigour']}", f"{case['fftw_s']:.4f}",
                 f"{case['weft_s']:.4f}", f"{case['fftw_s'] / case['weft_s']:.2f}",
                 f"{case['fftw_planning_s']:.3f}, {case['weft_planning_s']:.3f}"]
                for case in document("fftw_preload.json")["cases"])


def node_table(name):
    """Problems by size: milliseconds of `shared`, and it and messages over FFTW-MPI's best."""
    def size(problem):
        return eval(problem.split(":")[2].replace("x", "*")), problem  # pylint: disable=eval-used

    def row(problem):
        digits = 1 if "512x512x512" in problem else 2
        messages = bool(lines(name, problem=problem, ranks=2, runner="weft-messages"))
        return [problem, ", ".join(f"{1e3 * seconds:.{digits}f}" for seconds in node(name, problem, "weft")),
                both(over(name, problem)), both(over(name, problem, runner="weft-messages")) if messages else "-"]
    return rows(map(row, sorted(node_problems(name), key=size)))


def mkl_table():
    names = ("node_avx512_mkl.json", "node_avx2_mkl.json")
    problems = ["c2c:f64:64x64x64", "r2c:f64:64x64x64", "c2c:f64:128x128x128", "r2c:f64:128x128x128",
                "c2c:f64:200x180x150", "r2c:f64:200x180x150", "c2c:f64:256x256x256", "r2c:f64:256x256x256",
                "c2c:f64:384x384x384", "c2c:f64:512x512x512"]
    return rows([problem, *(both(over(name, problem, "mkl-threads")) for name in names)] for problem in problems)


def overlap_table(name, mpi):
    used.add(name)
    ((_, by_rate),) = [one for one in overlap_tables.read([RESULTS / name]).items() if one[0][0] == mpi]
    text = io.StringIO()
    is_batch = any("batch" in runners for runners in by_rate.values())
    with contextlib.redirect_stdout(text):
        (overlap_tables.batch_table if is_batch else overlap_tables.table)(by_rate)
    table = " ".join(text.getvalue().splitlines()[2:]).replace("| none |", f"| unshaped | {mpi} |")
    table = re.sub(r"\| ([\d.]+)gbit\+([\d.]+)ms \|", rf"| \1 Gbit/s, \2 ms | {mpi} |", table)
    return re.sub(r"\| ([\d.]+)gbit \|", rf"| \1 Gbit/s | {mpi} |", table)


def overlap_384(mpi):
    """Only some runners took part."""
    used.add("overlap_384.json")
    full = overlap_table("overlap_384.json", mpi).strip("| ").split(" | ")
    left_out = {3, 8, 9}  # blocking, TH-0, TH
    return rows([[cell for place, cell in enumerate(full) if place not in left_out]])


def instruction_table():
    return rows([one["problem"], str(one["ranks"]), str(one["kernels"]), str(one["rest"]), str(one["allocating"])]
                for one in document("instruction_count.json"))


def by_hand_table():
    columns = [("alltoallv", "012"), ("alltoallv", "102"), ("alltoallw", "012"), ("isend-waitall", "012"),
               ("isend-waitall", "102")]
    shapes = dict.fromkeys(str(one["shape"]) for one in document("exchange_by_hand.json"))

    def cell(shape, method, order):
        (one,) = [one for one in document("exchange_by_hand.json")
                  if str(one["shape"]) == shape and one["method"] == method and str(one["order"]) == order]
        return f"{one['ratio']:.2f}"
    return rows([re.sub(r"[\[\]]", "", shape).replace(", ", "x"), *(cell(shape, *column) for column in columns)]
                for shape in shapes)


def exchange_table():
    methods = ["alltoallv", "alltoall", "alltoallw", "ialltoallv", "send", "sendrecv", "isend-waitall",
               "isend-waitsome", "persistent", "one-sided", "fftw"]

    def cell(name, method, size):
        found = lines(name, method=method, ranks=2, bytes=size)
        return f"{found[0]['ratio']:.2f}" if found else "-"
    return rows([f"`{method}`", *(cell(name, method, size) for name in ("exchange_openmpi.json", "exchange_mpich.json")
                                  for size in (1, 1024, 65536))] for method in methods)


def compared(runner):
    """New over old in each direction, geometric means, and the slowest case."""
    summary = {one["direction"]: one["geometric_mean"] for one in document("node_compare.json")["summary"]
               if one["runner"] == runner}
    slowest = max((one for one in document("node_compare.json")["cases"] if one["runner"] == runner),
                  key=lambda one: one["ratio"])
    return f"{summary['forward']:.3f} | {summary['backward']:.3f} | {slowest['ratio']:.3f}"


def simulated_slab(via):
    """Microseconds of slabs of 64x64x64 on the fat tree of 64 ranks."""
    return 1e6 * line("simulated.json", platform="fat-tree-64", asked=f"c2c:f64:64x64x64; decomposition=slab; via={via}")[
        "simulated_s"]


def calls_over_batch(mpi):
    found = {one["runner"]: one["forward_s"]["median"] for one in lines("overlap_batch.json", rate="1gbit+2.8ms")
             if one["mpi"].startswith(mpi)}
    return found["calls"] / found["batch"]


PATTERNS = ("lines", "lanes", "lines-to-lanes", "lanes-to-lines")


def engine_means(group):
    """`native` over FFTW and over MKL, geometric means of c2c f64 in L2, by pattern, of engine_study.json."""
    def cell(pattern):
        found = lines("engine_study.json", study="lines", kind="c2c", precision="f64", pattern=pattern, level="L2",
                      group=group, distance=None, filled=True)
        return both([mean(one["engines"]["native"]["gflops"] / one["engines"][other]["gflops"] for one in found)
                     for other in ("fftw", "mkl")])
    return " | ".join(map(cell, PATTERNS))


def cube(shape, threads):
    one = line("engine_study.json", study="cube", kind="c2c", precision="f64", shape=shape, threads=threads)
    return both([one["engines"]["native"]["gflops"] / one["engines"][other]["gflops"] for other in ("fftw", "mkl")])


def engine_cells(name, group, other, precision):
    return " | ".join(engine_cell(name, pattern, group, other, precision) for pattern in PATTERNS)


def scale_table():
    """Seconds to plan and to lower, and to make the engine's plans, and MB, before and now."""
    def cells(one):
        seconds = " + ".join(f"{one[key]:.3f}" for key in ("plan_s", "lower_s", "engine_s") if key in one)
        return [seconds, f"{one['peak_mb']:.0f} MB"]
    return rows([now["case"], *cells(line("scale_before.json", case=now["case"])), *cells(now)]
                for now in document("scale_after.json"))


def two_ranks_table():
    result = []
    for shape in ([256, 256, 256], [128, 128, 128]):
        weft, fftw = (line("two_ranks_c2c.json", shape=shape, library=library) for library in ("weft", "fftw-mpi"))
        for direction in ("forward", "backward"):
            times = [one[direction + "_s"] for one in (weft, fftw)]
            result.append(["x".join(map(str, shape)), direction,
                           *(f"{one['median']:.4f} [{one['q1']:.4f}, {one['q3']:.4f}]" for one in times),
                           f"{times[0]['median'] / times[1]['median']:.2f}"])
    return rows(result)
