"""What the expressions of docs/figures.txt may use: the files of bench/results, and what is computed from them.

Each function returns a number, or the words of a table's cell."""
import collections
import csv
import functools
import itertools
import json
import math
import re
import statistics
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2]
RESULTS = SOURCE / "bench" / "results"
sys.path.append(str(SOURCE / "bench"))
import simulated_study  # noqa: E402

DIRECTIONS = ("forward_s", "backward_s")
used = set()  # the files that the figures of one block are made of


@functools.cache
def read(name):
    """All of a file: its document, its lines, or the rows of a CSV."""
    text = (RESULTS / name).read_text()
    if name.endswith(".csv"):
        return list(csv.DictReader(text.splitlines()))
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def document(name):
    used.add(name)
    return read(name)


def lines(name, **members):
    """The lines of a file that have these members."""
    return [line for line in document(name) if all(line.get(key) == value for key, value in members.items())]


def line(name, **members):
    found = lines(name, **members)
    if len(found) != 1:
        raise LookupError(f"{name} has {len(found)} lines of {members}")
    return found[0]


def processor(name):
    """The only one that a file names."""
    (found,) = {one["processor"] for one in document(name) if "processor" in one}
    return found


def mean(values):
    return statistics.geometric_mean(values)


def both(values):
    """Forward and backward, as a cell has them."""
    return ", ".join(f"{value:.2f}" for value in values)


def span(values, digits=2, joined=" to "):
    """The least and the largest."""
    values = list(values)
    return f"{min(values):.{digits}f}{joined}{max(values):.{digits}f}"


def of(values, bound=lambda value: value):
    """`5 of 7`: for how many a claim holds."""
    values = list(values)
    return f"{sum(map(bool, map(bound, values)))} of {len(values)}"


def floored(value, digits=1):
    """Of `at least`: cut, not rounded."""
    return math.floor(value * 10**digits) / 10**digits


def listed(values):
    values = [f"{value:.0f}" for value in values]
    return ", ".join(values[:-1]) + " and " + values[-1]


# One node: bench/node_study.


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


# Two hosts: bench/overlap_study.


def overlap(rate, runner, name="overlap_openmpi.json"):
    return line(name, rate=rate, runner=runner)["forward_s"]["median"]


def overlaps(runner, other):
    """The ratios at all rates that have both."""
    found = collections.defaultdict(dict)
    for one in document("overlap_openmpi.json"):
        found[one["rate"]][one["runner"]] = one["forward_s"]["median"]
    return [some[runner] / some[other] for some in found.values() if runner in some and other in some]


# Engines: bench/engine_study.

POWERS = (16, 32, 64, 128, 256, 512, 1024)


def engine_lines(name, precision="f64", **members):
    return lines(name, study="lines", precision=precision, **members)


def engine_ratio(one, other):
    """The other engine's time over native's."""
    engines = one["engines"]
    return engines[other]["seconds"]["median"] / engines["native"]["seconds"]["median"]


def engine_cell(name, pattern, group, other="fftw", precision="f64"):
    """The geometric mean over a group of lengths, and the length with the least."""
    found = {one["length"]: engine_ratio(one, other)
             for one in engine_lines(name, precision, kind="c2c", pattern=pattern, level="L2", distance=None)
             if (one["length"] in POWERS) == (group == "powers")}
    least = min(found, key=found.get)
    return f"{mean(found.values()):.2f} ({least}: {found[least]:.2f})"


def engine_least(name, pattern, length, other="fftw", precision="f64"):
    (one,) = engine_lines(name, precision, kind="c2c", pattern=pattern, level="L2", distance=None, length=length)
    return engine_ratio(one, other)


R2R = ("engine_study_r2r_epyc.json", "engine_study_r2r_epyc_avx2.json")
KINDS = {"II": ("dct2", "dst2"), "III": ("dct3", "dst3"), "IV": ("dct4", "dst4"), "I": ("dct1", "dst1")}
LENGTHS = {"powers of two": POWERS, "products": (12, 60, 360, 1000),
           "odd": (15, 17, 63, 65, 255, 257, 1023, 1025)}


def kinds_cell(name, lengths, pattern, kind):
    """The time over that of r2c, its largest, and the time over FFTW's."""
    to_r2c, to_fftw = collections.defaultdict(list), []
    for length in LENGTHS[lengths]:
        r2c = engine_lines(name, kind="r2c", pattern=pattern, length=length)
        for each in KINDS[kind]:
            for one in engine_lines(name, kind=each, pattern=pattern, length=length):
                if r2c:
                    to_r2c[length].append(native_seconds(one) / native_seconds(r2c[0]))
                to_fftw.append(1 / engine_ratio(one, "fftw"))
    everything = [ratio for some in to_r2c.values() for ratio in some]
    worst = max(to_r2c, key=lambda length: max(to_r2c[length]))
    return f"{mean(everything):.2f} ({worst}: {max(everything):.2f}), {mean(to_fftw):.2f}"


def kind_ratios(names, lengths, kinds):
    """Of each kind and length over r2c of that length, in both patterns."""
    found = []
    for name, pattern, length, kind in itertools.product(names, ("lines", "lanes"), lengths, kinds):
        r2c = engine_lines(name, kind="r2c", pattern=pattern, length=length)
        for one in engine_lines(name, kind=kind, pattern=pattern, length=length) if r2c else []:
            found.append(native_seconds(one) / native_seconds(r2c[0]))
    return found


def native_seconds(one):
    """Of a line."""
    return one["engines"]["native"]["seconds"]["median"] / one["batch"]


# Tuning: bench/tune_study.


def tuned(places=None):
    """Problems on these places: `one` rank, `node` with two, `hosts`."""
    def place(one):
        return "hosts" if one["network"] != "node" else "one" if one["ranks"] == 1 else "node"
    return [one for one in document("tune_problems.json") if places is None or place(one) in places]


def seconds_of(one):
    return {name: value["median"] for name, value in one["seconds"].items()}


def gains(places=None):
    """Tuned over default."""
    return [seconds_of(one)["tuned"] / seconds_of(one)["default"] for one in tuned(places)]


def over_methods(one):
    seconds = seconds_of(one)
    return seconds["tuned"] / min(value for name, value in seconds.items() if name.startswith("via="))


def near_estimate(name):
    return [seconds_of(one)["tuned"] / seconds_of(one)[name] >= 1 / 1.15 for one in tuned()]


def kept_default(places=None):
    return [one["default"].split("; ", 2)[2] == one["tuned"] for one in tuned(places)]


def overhead(one, runs=100):
    """[duy]: the part that tuning takes of tuning and so many runs, there and back."""
    return one["tuning_s"] / (one["tuning_s"] + runs * seconds_of(one)["tuned"])


def overheads():
    return [overhead(one) for one in tuned(["node", "hosts"])]


def break_even():
    """Transforms there and back that win back what finding a faster plan took."""
    found = []
    for one in tuned(["node", "hosts"]):
        gain = seconds_of(one)["default"] - seconds_of(one)["tuned"]
        if gain > 0:
            found.append(one["tuning_s"] / gain)
    return found


def quicker_than_patient(places=None):
    return [one["tuning_s"] <= one["fftw_patient_s"] for one in tuned(places)]


def random_points(network, problem="c2c:f64:128x128x128"):
    (one,) = lines("tune_points.json", what="random points", network=network, problem=problem)
    seconds = [point[1] for point in one["points"]]
    return max(seconds) / min(seconds)


def searches(network, search, problem="c2c:f64:128x128x128"):
    return lines("tune_points.json", what="search", network=network, search=search, problem=problem)


def median_after(network):
    """Runs after which [song]'s simplex had one of the best percentile, where it had."""
    return statistics.median(one["best_percentile_after"] for one in searches(network, "simplex")
                             if one["best_percentile_after"])


def near_best(shape, ranks):
    """On how many machines the tuner is within 5% of the fastest of all plans."""
    (one,) = [one for one in lines("tune_synthetic.json", study="tune_synthetic", search="tuner", ranks=ranks)
              if one["problem"].endswith(shape)]
    return one["within_5_percent"]


def search_results(*searches_of):
    return [one["within_5_percent"] for one in lines("tune_synthetic.json", study="tune_synthetic")
            if one["search"] in searches_of]


def crossed_at(here, tuned_on):
    """The time of a plan that was tuned elsewhere over that of the one tuned here."""
    one = line("tune_cross.json", here=here)
    seconds = [each["median"] for each in one["seconds"]]
    return seconds[one["tuned_on"].index(tuned_on)] / seconds[one["tuned_on"].index(here)]


def places():
    return [one["here"] for one in document("tune_cross.json")]


def crossed(here=None, but=None):
    return [crossed_at(one["here"], other) for one in document("tune_cross.json") for other in one["tuned_on"]
            if here in (None, one["here"]) and other != but]


# GPUs: tests/gpu/run.


def gpu():
    return document("gpu_h200.json")["timing"]


def gpu_transforms(kind="", engine="native"):
    return [one for one in gpu()["transforms"] if one["what"].startswith(kind) and one["what"].endswith(engine)]


def gpu_both(kind):
    return [one[key] for one in gpu_transforms(kind) for key in ("ratio", "ratio_backward")]


def gpu_row(what, digits=3):
    one = line_of(gpu()["transforms"], what + " native")
    return (f"{1e3 * one['weft_s']:.{digits}f} | {one['ratio']:.3f} | {one['ratio_backward']:.3f} | "
            f"{100 * one['weft_of_roof']:.0f}")


def gpu_batch_of_roof():
    """Three passes over the array at the rate of a copy, which reads and writes."""
    batch = gpu()["batch"]
    passes = 3 * 2 * 16 * batch["fields"] * batch["side"] ** 3
    return 100 * passes / gpu()["copy_bytes_per_s"] / batch["together_s"]


def gpu_cufft_copy():
    """The engine cufft's backward r2c, which keeps its input, over cuFFT's own, which does not: 256^3."""
    return line_of(gpu()["transforms"], "r2c f64 256x256x256 cufft")["ratio_backward"]


def line_of(some, what):
    (one,) = [one for one in some if one["what"] == what]
    return one


def gpu_ranks(ranks, travel):
    """Milliseconds of ranks that share the GPU."""
    (one,) = [one for one in gpu()["ranks"] if one["ranks"] == ranks and one["travel"] == travel]
    return 1e3 * one["weft_s"]


def missed_bounds():
    return of((one["holds"] for one in document("gpu_h200.json")["judged"] if "cuFFT's own" in one["what"]),
              lambda holds: not holds)


def gpu_copies(*words):
    return [100 * one["of_copy"] for one in gpu()["kernels"] if one["what"].split()[0] in words]


# The model beside papers and simulations.


def titan(ranks):
    """A row of [gholami] Table 1."""
    cells = []
    for where, what in (("GPU", "total"), ("GPU", "comm"), ("CPU", "total")):
        one = line("device_study.json", figure="[gholami] Table 1", where=where, ranks=ranks, what=what)
        cells += [f"{one['printed']:.3f}", f"{one['predicted']:.3f}", f"{one['predicted'] / one['printed']:.2f}"]
    return " | ".join(cells)


def printed(figure):
    return [one["predicted"] for one in lines("device_study.json", figure=figure) if "series" not in one]


def printed_ratios(**members):
    return [one["predicted"] / one["printed"] for one in lines("device_study.json", **members) if "printed" in one]


def simulated_row(platform, shape):
    """Plans, Kendall's tau, the predicted best over the best, and predicted over simulated seconds."""
    some = [one for one in document("simulated.json")
            if one.get("platform") == platform and f":{shape};" in one.get("asked", "")]
    best = min(one["simulated_s"] for one in some)
    chosen = min(some, key=lambda one: one["predicted_s"])["simulated_s"]
    return (f"{len(some)} | {simulated_study.tau(some):.2f} | {chosen / best:.2f} | "
            + span(one["predicted_s"] / one["simulated_s"] for one in some))


def model_near(shape="", via=""):
    """Which are within a factor of 1.25."""
    return [abs(math.log(one["predicted_s"] / one["measured_s"]["median"])) <= math.log(1.25)
            for one in document("model_study.json") if f":{shape}" in one["problem"] and f"via={via}" in one["problem"]]


def model_ratios():
    return [one["predicted_s"] / one["measured_s"]["median"] for one in document("model_study.json")]


def schulz(name):
    """Times, geometric mean of predicted over measured, and factors that hold for a half and for nine tenths."""
    logs = [math.log(one["predicted_us"] / one["measured_us"]) for one in lines("schulz.json", machine=name)]
    sizes = sorted(map(abs, logs))

    def quantile(part):
        place = part * (len(sizes) - 1)
        low = math.floor(place)
        return sizes[low] + (place - low) * (sizes[min(low + 1, len(sizes) - 1)] - sizes[low])
    return (len(logs), math.exp(statistics.fmean(logs)), math.exp(quantile(0.5)), math.exp(quantile(0.9)))


def schulz_ratios(name, processors):
    return [one["predicted_us"] / one["measured_us"] for one in lines("schulz.json", machine=name, processors=processors)]


def volume_row(ranks):
    """MB of slabs, pencils, rows, the default and the least."""
    found = {one["name"]: int(one["total_bytes"]) / 1e6 for one in document("volume_256.csv") if one["ranks"] == str(ranks)}
    names = ("slab", "pencil square", "row-wise", "default", "least volume")
    return " | ".join(f"{found[name]:.1f}" if name in found else "" for name in names).replace("|  |", "| |").lstrip()


def methods():
    """How many exchange methods have a name: all rows but p2p, which is what methods are made of."""
    rows = (SOURCE / "include" / "weft" / "methods.def").read_text()
    names = re.findall(r"^WEFT_(?:REGION_TRANSPORT|TRANSPORT|METHOD)\((\w+)", rows, re.MULTILINE)
    return len([name for name in names if name != "p2p"])


def preload_ratios():
    return [one["weft_s"] / one["fftw_s"] for one in document("fftw_preload.json")["cases"]]
