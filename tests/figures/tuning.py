"""Of bench/tune_study."""
import statistics

from results import document, line, lines


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


def beside(other, places=None):
    """Tuned over another plan that was timed beside it."""
    return [seconds_of(one)["tuned"] / seconds_of(one)[other] for one in tuned(places) if other in seconds_of(one)]


def break_even():
    """Transforms there and back that win back what finding a faster plan took."""
    found = []
    for one in tuned(["node", "hosts"]):
        gain = seconds_of(one)["default"] - seconds_of(one)["tuned"]
        if gain > 0:
            found.append(one["tuning_s"] / gain)
    return found


def quicker_than_patient(places=None):
    return [one["tuning_s"] <= one["fftw_patient_s"] for one in tuned(places)
            if isinstance(one["fftw_patient_s"], float)]


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


def in_place(direction):
    """Now over before: the medians of the rounds' medians."""
    rounds = {build: [one[f"{direction}_s"]["median"] for one in lines("in_place.json", build=build)]
              for build in ("before", "now")}
    return statistics.median(rounds["now"]) / statistics.median(rounds["before"])


def in_place_workspace(build):
    return lines("in_place.json", build=build)[0]["workspace_bytes"] / 1e6
