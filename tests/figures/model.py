"""Of the model beside papers, simulations and a cluster, and what is counted."""
import math
import re
import statistics
import sys

from results import SOURCE, document, lines

sys.path.append(str(SOURCE / "bench"))
import simulated_study  # noqa: E402


def simulated_cases():
    """The plans of each simulated machine and shape."""
    cases = {}
    for one in document("simulated.json"):
        if "asked" in one:
            cases.setdefault((one["platform"], one["asked"].split(";")[0]), []).append(one)
    return list(cases.values())


def simulated_plans():
    return [len(some) for some in simulated_cases()]


def simulated_tau():
    return [simulated_study.tau(some, "predicted_s") for some in simulated_cases()]


def simulated_best():
    """Simulated seconds of the plan that is predicted to be the fastest, over those of the fastest."""
    return [min(some, key=lambda one: one["predicted_s"])["simulated_s"] / min(one["simulated_s"] for one in some)
            for some in simulated_cases()]


def simulated_ratios():
    return [one["predicted_s"] / one["simulated_s"] for some in simulated_cases() for one in some]


def model_near(shape="", via=""):
    """Which are within a factor of 1.25."""
    return [abs(math.log(one["predicted_s"] / one["measured_s"]["median"])) <= math.log(1.25)
            for one in document("model_study.json") if f":{shape}" in one["problem"] and f"via={via}" in one["problem"]]


def model_ratios():
    return [one["predicted_s"] / one["measured_s"]["median"] for one in document("model_study.json")]


def schulz(name):
    """The geometric mean of predicted over measured times."""
    return math.exp(statistics.fmean(math.log(one["predicted_us"] / one["measured_us"])
                                     for one in lines("schulz.json", machine=name)))


def volume_row(ranks):
    """MB of slabs, pencils, rows, the default and the least."""
    found = {one["name"]: int(one["total_bytes"]) / 1e6 for one in document("volume_256.csv") if one["ranks"] == str(ranks)}
    names = ("slab", "pencil square", "row-wise", "default", "least volume")
    return " | ".join(f"{found[name]:.1f}" if name in found else "" for name in names).replace("|  |", "| |").lstrip()


def methods():
    """How many exchange methods have a name: all rows but p2p, which is what methods are made of."""
    rows = (SOURCE / "include" / "weft" / "methods.def").read_text()
    names = re.findall(r"^WEFT_(?:REGION_TRANSPORT|OPTIONAL_TRANSPORT|TRANSPORT|METHOD)\((\w+)", rows, re.MULTILINE)
    return len([name for name in names if name != "p2p"])


def clock_over_cluster():
    return [one["simulated_s"] / one["measured_s"] for one in lines("cluster_clock.json", hosts=8)]
