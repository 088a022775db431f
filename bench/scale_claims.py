"""What the papers say of figures without numbers, beside what the points of bench/scale_study.py say.

A check takes the points as predicted or as simulated and gives a value of the kind that the claim has: a number, two
numbers, or a name. Example: [gholami] Fig. 4 (a) says an efficiency of 0.48; its check divides 64 times the seconds on
64 ranks by 2048 times those on 2048.
"""

import math

import papers

CHECKS = {}
FAR = 1.25  # a number is about another one within this factor


def check(paper, figure, says=""):
    """Of the claims of that figure whose words begin so."""
    def add(function):
        CHECKS[paper, figure, says] = function
        return function
    return add


class Points:
    """Lines that are predicted, or those that are simulated."""

    def __init__(self, lines, by):
        self.lines = [line for line in lines if f"{by}_s" in line]
        self.by = by

    def of(self, where, **members):
        found = [line for line in self.lines if where in (line.get("figure"), line.get("table")) and
                 all(line.get(name) == value for name, value in members.items())]
        if not found:
            raise LookupError(f"{where}: {members}")
        return found

    def seconds(self, line, what=""):
        return line[f"{what}_{self.by}_s" if what else f"{self.by}_s"]

    def one(self, where, what="", **members):
        return self.seconds(self.of(where, **members)[0], what)

    def by_ranks(self, where, what="", **members):
        return {line["ranks"]: self.seconds(line, what) for line in self.of(where, **members)}

    def bandwidth(self, **members):
        """Bytes a second that a rank sends in its exchanges, by ranks."""
        return {line["ranks"]: line["rank_bytes"] / self.seconds(line, "exchange") for line in self.of("Fig. 4", **members)}

    def methods(self, machine):
        """[duy] Fig. 5: seconds by ranks and method; ranks on which all six are known."""
        lines = self.of("Fig. 5", machine=machine)
        names = {line["series"] for line in lines}
        table = {}
        for line in lines:
            table.setdefault(line["ranks"], {})[line["series"]] = self.seconds(line)
        return {ranks: row for ranks, row in table.items() if set(row) == names}


def efficiency(times):
    first, last = min(times), max(times)
    return first * times[first] / (last * times[last])


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def most(names):
    return max(sorted(set(names)), key=names.count)


def scales_to(times, least=0):
    """The number of ranks up to which more ranks take less time, from the least on."""
    ranks = sorted(count for count in times if count >= least)
    for one, other in zip(ranks, ranks[1:]):
        if times[other] >= times[one]:
            return one
    return ranks[-1]


def fastest(times):
    return min(times, key=times.get)


def larger_phase(see, where, **members):
    work, exchange = (see.by_ranks(where, what, **members) for what in ("work", "exchange"))
    return most(["exchange" if exchange[ranks] > work[ranks] else "work" for ranks in work])


# [gholami]
for letter in "ab":
    check("gholami", f"Fig. 3 ({letter})")(lambda see, letter=letter: fastest(
        {line["k"]: see.seconds(line, "exchange") for line in see.of(f"Fig. 3 ({letter})", series="one exchange")}))
check("gholami", "Fig. 4 (a)", "parallel")(lambda see: efficiency(see.by_ranks("Fig. 4 (a)")))
check("gholami", "Fig. 4 (c)")(lambda see: larger_phase(see, "Fig. 4 (a)"))
check("gholami", "Fig. 4 (d)")(lambda see: larger_phase(see, "Fig. 4 (d)"))
check("gholami", "Table 2")(lambda see: efficiency(see.by_ranks("Table 2")))
check("gholami", "Table 1, GPU")(lambda see: efficiency(see.by_ranks("Table 1, GPU")))


@check("gholami", "Fig. 5 (a)")
def gpu_over_cpu(see):
    gpu, cpu = (see.by_ranks("Fig. 5 (a)", series=series) for series in ("GPU", "CPU"))
    return mean([gpu[ranks] / cpu[ranks] for ranks in gpu])


# [ayala]
TWO_NODES = 12  # GPUs
AT_24 = "Figs. 2, 3, 6, 7"


def slowest_or_fastest(choose, *names):
    return lambda see: choose(names, key=lambda name: see.one(AT_24, "exchange", series=name))


check("ayala", "Fig. 2", "part")(lambda see: see.one(AT_24, "exchange", series="alltoallv") / see.one(AT_24, series="alltoallv"))
check("ayala", "Fig. 2", "calls")(slowest_or_fastest(max, "alltoall", "alltoallv", "alltoallw"))
check("ayala", "Fig. 3")(lambda see: see.one(AT_24, "exchange", series="sendrecv") /
                         see.one(AT_24, "exchange", series="isend-waitall"))
check("ayala", "Figs. 6, 7", "total")(lambda see: see.one(AT_24, series="alltoallv"))
check("ayala", "Fig. 6")(slowest_or_fastest(min, "alltoall", "alltoallv"))
check("ayala", "Fig. 7")(slowest_or_fastest(min, "alltoallv", "isend-waitall"))
check("ayala", "Fig. 8")(lambda see: scales_to(see.by_ranks("Fig. 8", series="GPU-aware"), TWO_NODES))
check("ayala", "Fig. 9", "point-to-point with GPU")(lambda see: scales_to(see.by_ranks("Fig. 9", series="GPU-aware"), TWO_NODES))
check("ayala", "Fig. 9", "point-to-point without")(lambda see: scales_to(see.by_ranks("Fig. 9", series="staged"), TWO_NODES))
check("ayala", "Fig. 11")(lambda see: see.one("Fig. 8", "exchange", series="staged", ranks=96) /
                          see.one("Fig. 8", "exchange", series="GPU-aware", ranks=96))


@check("ayala", "Fig. 4", "average")
def falls(see):
    """At least twofold."""
    rates = see.bandwidth(machine="summit-v100", series="all-to-all, summit-v100")
    return "falls" if rates[768] <= rates[6] / 2 else "holds"


@check("ayala", "Fig. 5", "slabs")
def last_slab(see):
    slab, pencil = (see.by_ranks("Fig. 5", series=series) for series in ("slab", "pencil"))
    return max(ranks for ranks in slab if ranks in pencil and slab[ranks] < pencil[ranks]) / 6


@check("ayala", "Fig. 5", "the fastest")
def setting(see):
    """On most numbers of ranks."""
    direct, staged = (see.by_ranks("Fig. 8", series=series) for series in ("GPU-aware", "staged"))
    return most(["direct" if direct[ranks] < staged[ranks] else "staged" for ranks in direct if ranks in staged])


@check("ayala", "Figs. 8, 9")
def method_on_many(see):
    calls, messages = (see.by_ranks(figure, series="GPU-aware") for figure in ("Fig. 8", "Fig. 9"))
    ranks = max(set(calls) & set(messages))
    return "alltoallv" if calls[ranks] < messages[ranks] else "isend-waitall"


def batch_gain(see, shape):
    alone, batch = (see.by_ranks("Fig. 13", series=f"{shape}*{batch}") for batch in (1, 64))
    return {ranks: alone[ranks] / (batch[ranks] / 64) for ranks in alone if ranks in batch}


check("ayala", "Fig. 13", "one")(lambda see: min(batch_gain(see, "64x64x64").values()))
check("ayala", "Fig. 13", "the gain")(lambda see: "less" if max(batch_gain(see, "512x512x512").values()) <
                                      min(batch_gain(see, "64x64x64").values()) else "more")


# [duy]
for letter, of in (("a", "xc30"), ("b", "sgi"), ("c", "fx10")):
    check("duy", f"Fig. 3 ({letter})", "every")(
        lambda see, of=of: efficiency(see.by_ranks("Fig. 5", "work", machine=of, series="isend-waitall")))


@check("duy", "Fig. 3 (c)", "communication")
def communication(see):
    times = see.by_ranks("Fig. 5", "exchange", machine="fx10", series="isend-waitall")
    return "grows" if times[max(times)] > times[min(times)] else "falls"


def in_order(see, machine, place):
    """The method on that place, the slowest first, on most numbers of ranks."""
    return most([sorted(row, key=row.get)[-place] for row in see.methods(machine).values()])


def good(method, machine):
    """Whether it takes at most 1.1 of the fastest on every number of ranks; otherwise the fastest on most."""
    def value(see):
        table = see.methods(machine)
        if all(row[method] <= 1.1 * min(row.values()) for row in table.values()):
            return method
        return most([fastest(row) for row in table.values()])
    return value


def on_many(see, machine, choose):
    table = see.methods(machine)
    row = table[max(table)]
    return choose(row, key=row.get)


check("duy", "Fig. 5 (a)", "slowest")(lambda see: in_order(see, "xc30", 1))
check("duy", "Fig. 5 (a)", "generally")(good("isend-waitall", "xc30"))
check("duy", "Fig. 5 (b)", "sudden")(lambda see: on_many(see, "sgi", max))
check("duy", "Fig. 5 (b)", "fast")(good("alltoallv", "sgi"))
check("duy", "Fig. 5 (b)", "generally")(good("isend-waitall", "sgi"))
check("duy", "Fig. 5 (c)", "slowest")(lambda see: in_order(see, "fx10", 1))
check("duy", "Fig. 5 (c)", "second")(lambda see: in_order(see, "fx10", 2))
check("duy", "Fig. 5", "good on all")(lambda see: next(
    (name for name in (good("isend-waitsome", machine)(see) for machine in ("xc30", "sgi", "fx10")) if name != "isend-waitsome"),
    "isend-waitsome"))


def loss(see, machine, n):
    """The number of ranks on which exchanges of all ranks grow most, over those on the ranks before."""
    times = see.by_ranks("Figs. 7 to 10", "exchange", machine=machine, series=f"{n}^3")
    ranks = sorted(times)
    return max(zip(ranks, ranks[1:]), key=lambda pair: pair[1] * times[pair[1]] / (pair[0] * times[pair[0]]))[1]


check("duy", "Fig. 7 (c)")(lambda see: loss(see, "xc30", 512))
check("duy", "Fig. 7 (d)")(lambda see: loss(see, "xc30", 1024))
check("duy", "Fig. 8 (a)", "every")(lambda see: scales_to(see.by_ranks("Figs. 7 to 10", machine="sgi", series="128^3")))


@check("duy", "Fig. 9", "time over")
def fx10_over_others(see):
    values = []
    for line in see.of("Figs. 7 to 10", machine="fx10"):
        for machine in ("xc30", "sgi"):
            values.append(see.seconds(line) / see.one("Figs. 7 to 10", machine=machine, series=line["series"],
                                                      ranks=line["ranks"]))
    return min(values)


# [schulz]
@check("schulz", "section 5", "a very")
def grid(see):
    best = min(see.of("section 4, grids"), key=see.seconds)["grid"]
    one, other = map(int, best.split("x"))
    return "rectangular" if max(one, other) > 4 * min(one, other) else "square"


# [song]
def gains(see, machine, ranks, other="plain"):
    """Times of a transform without tiles over NEW's, by n."""
    new = {line["n"]: see.seconds(line) for line in see.of("Figs. 7, 8", machine=machine, ranks=ranks, series="NEW")}
    without = {line["n"]: see.seconds(line) for line in see.of("Figs. 7, 8", machine=machine, ranks=ranks, series=other)}
    return [without[n] / new[n] for n in new if n in without]


def span_of_gains(machine, *ranks):
    def value(see):
        all_of_them = [gain for each in ranks for gain in gains(see, machine, each)]
        return [min(all_of_them), max(all_of_them)]
    return value


def ranks_of_larger_gain(machine):
    return lambda see: max((16, 32), key=lambda ranks: mean(gains(see, machine, ranks)))


def waiting(machine, series):
    return lambda see: see.one("Figs. 7, 8", "exchange", machine=machine, ranks=32, n=640, series=series)


def waiting_part(see, machine):
    of = {"machine": machine, "ranks": 32, "n": 640, "series": "NEW-0"}
    return see.one("Figs. 7, 8", "exchange", **of) / see.one("Figs. 7, 8", **of)


check("song", "Fig. 7 (a)", "FFTW's time over NEW's is")(ranks_of_larger_gain("umd-cluster"))
check("song", "Fig. 7 (b)", "FFTW's time over NEW's is")(ranks_of_larger_gain("hopper"))
check("song", "Fig. 7 (a)", "FFTW's time over NEW's")(span_of_gains("umd-cluster", 16, 32))
check("song", "Fig. 7 (b)", "FFTW's time over NEW's")(span_of_gains("hopper", 16, 32))
check("song", "Fig. 7 (c)", "FFTW's time over NEW's")(span_of_gains("hopper", 128, 256))
check("song", "Fig. 8 (a)", "waiting of NEW-0")(waiting("umd-cluster", "NEW-0"))
check("song", "Fig. 8 (a)", "waiting of NEW")(waiting("umd-cluster", "NEW"))
check("song", "Fig. 8 (b)", "waiting")(lambda see: "smaller" if waiting_part(see, "hopper") < waiting_part(see, "umd-cluster")
                                       else "larger")


def tiles_of(other, machine):
    return lambda see: (see.one("Fig. 9", machine=machine, series=f"tiles of {other}") /
                        see.one("Figs. 7, 8", machine=machine, ranks=32, n=512, series="NEW"))


check("song", "Fig. 9 (a)")(tiles_of("hopper", "umd-cluster"))
check("song", "Fig. 9 (b)")(tiles_of("umd-cluster", "hopper"))


def check_of(paper, claim):
    """Of several whose words fit, the one with the most."""
    fitting = [key for key in CHECKS if key[:2] == (paper, claim["figure"]) and claim["says"].startswith(key[2])]
    return CHECKS[max(fitting, key=lambda key: len(key[2]))] if fitting else None


def holds(claim, value):
    """Whether a value is what the claim says."""
    said = claim["printed"]
    if claim["is"] == "range":
        return value == said or (not isinstance(value[0], int) and said[0] <= value[0] and value[1] <= said[1])
    if claim["is"] in ("at least", "at most"):
        return value >= said if claim["is"] == "at least" else value <= said
    return value == said if claim["is"] == "is" else said / FAR <= value <= said * FAR


def claims(paper, lines):
    """The lines of a paper's claims; null where it cannot be compared."""
    lines = [line for line in lines if line["paper"] == paper]
    for claim in papers.paper(paper)["claims"] if lines else ():
        line = {"paper": paper, "figure": claim["figure"], "says": claim["says"], "unit": claim["unit"], "is": claim["is"],
                "printed": claim["value"]}
        one = check_of(paper, claim)
        for by in ("predicted", "simulated"):
            try:
                line[by] = one(Points(lines, by)) if one else None
            except (LookupError, ValueError):
                line[by] = None
        line["holds"] = {by: line[by] is not None and holds(line, line[by]) for by in ("predicted", "simulated")}
        yield line
