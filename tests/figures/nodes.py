"""Of the studies of a node and of two hosts: bench/node_study, overlap_study and fftw_preload."""
import collections

from results import DIRECTIONS, document, line, lines


def node(name, problem, runner, ranks=2):
    """Seconds of a runner in each direction; for `fftw-mpi` the best of its layouts."""
    found = [one for one in lines(name, problem=problem, ranks=ranks)
             if one["runner"] == runner or (runner == "fftw-mpi" and one["runner"].startswith(runner))]
    return [min(one[direction]["median"] for one in found) for direction in DIRECTIONS]


def over(name, problem, other="fftw-mpi", runner="weft"):
    """weft's time over another's, forward and backward."""
    return [a / b for a, b in zip(node(name, problem, runner), node(name, problem, other))]


def node_problems(name, kind="", but=()):
    found = dict.fromkeys(one["problem"] for one in lines(name, ranks=2))
    return [problem for problem in found if problem.startswith(kind) and problem not in but]


def all_over(name, kind="", other="fftw-mpi", runner="weft", but=()):
    return [ratio for problem in node_problems(name, kind, but)
            if any(one["runner"] == runner for one in lines(name, problem=problem, ranks=2))
            for ratio in over(name, problem, other, runner)]


def small_real():
    """r2c of 64x64x64 over FFTW-MPI where its output returns to the input's layout, and where it goes by messages."""
    return [ratio for name in ("node_avx512.json", "node_avx2.json") for runner in ("weft-returning", "weft-messages")
            for ratio in over(name, "r2c:f64:64x64x64", runner=runner)]


def overlap(rate, runner, name="overlap_openmpi.json"):
    return line(name, rate=rate, runner=runner)["forward_s"]["median"]


def overlaps(runner, other):
    """The ratios at all rates that have both."""
    found = collections.defaultdict(dict)
    for one in document("overlap_openmpi.json"):
        found[one["rate"]][one["runner"]] = one["forward_s"]["median"]
    return [some[runner] / some[other] for some in found.values() if runner in some and other in some]


def preload_ratios():
    return [one["weft_s"] / one["fftw_s"] for one in document("fftw_preload.json")["cases"]]
