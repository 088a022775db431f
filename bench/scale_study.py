#!/usr/bin/env python3
"""Every scaling table and figure of the papers beside weft's model and its event clock.

usage: bench/scale_study.py --json FILE [--weft build/bin/weft] [--only gholami,song]    # FILE keeps the others
       bench/scale_study.py --claims FILE      # compares FILE's points with the claims once more, and runs nothing
       bench/scale_study.py --table FILE

Of each row of bench/papers with a weft text FILE has a line of what is printed, predicted (`weft predict`) and simulated
(`weft simulate`), of each point of a figure (scale_points.py) a line without what is printed, and of each claim
(scale_claims.py) what the points say of it. `own_s` is weft's default plan for the same problem. An exchange includes
hops between host and device. Example, [gholami] Table 1 on 128 ranks:

    {"paper": "gholami", "table": "Table 1, CPU", "ranks": 128, "printed_s": 0.144, "predicted_s": 0.160, ..}
"""

import argparse
import json
import subprocess
from pathlib import Path

import papers
import scale_claims
import scale_points
import scale_table
from origin import origin

PAPERS = ("gholami", "ayala", "duy", "schulz", "song", "published")

# A simulation takes up to a minute for so many messages between all ranks if none is like another one; folded ones,
# as those of the tables, for this many.
MESSAGES, MESSAGES_OF_A_ROW = 600_000, 2_000_000

MOST_OWN = 16384  # ranks up to which the default plan is looked for, within seconds


def json_of(weft, verb, text, machine, ranks, arrays):
    command = [weft, verb, text, "--machine", machine, "--ranks", str(ranks), "--json"]
    if arrays == "device":
        command.append("--device-arrays")
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def of_stages(stages):
    return {"exchange": sum(one["exchange"] + one["hop"] for one in stages), "work": sum(one["work"] for one in stages)}


class Weft:
    """Asks the command what a transform takes."""

    def __init__(self, weft):
        self.weft = weft

    def predicted(self, text, machine, ranks, arrays=None):
        rows = json_of(self.weft, "predict", text, machine, ranks, arrays)["predictions"]
        return next((row for row in rows if row["fastest"]), rows[0])

    def simulated(self, text, machine, ranks, arrays=None):
        return json_of(self.weft, "simulate", text, machine, ranks, arrays)["simulations"][0]

    def both(self, text, machine, ranks, arrays=None, most=MESSAGES):
        """Seconds predicted and simulated, of all, of exchanges and of work; what a rank sends; each exchange."""
        one = self.predicted(text, machine, ranks, arrays)
        parts = of_stages(one["stages"])
        line = {"text": text, "machine": machine, "ranks": ranks, "decomposition": one["decomposition"],
                "rank_messages": one["messages"], "rank_bytes": one["bytes"], "predicted_s": one["seconds"],
                "exchange_predicted_s": parts["exchange"], "work_predicted_s": parts["work"],
                "exchanges_predicted_s": exchanges(one["stages"])}
        if one["messages"] * ranks > most:
            return {**line, "not_simulated": f"more than {most} messages"}
        simulated = self.simulated(text, machine, ranks, arrays)
        parts = of_stages(simulated["stages"])
        return {**line, "simulated_s": simulated["simulated_s"], "exchange_simulated_s": parts["exchange"],
                "work_simulated_s": parts["work"], "exchanges_simulated_s": exchanges(simulated["stages"]),
                "exchanges_slowest_s": exchanges(simulated["slowest_stages"]), "ranks_run": simulated["ranks_run"]}

    def own(self, text, machine, ranks, arrays=None):
        """Of weft's default plan for the problem of the text, with its engine or device."""
        problem, *items = [item.strip() for item in text.split(";")]
        kept = [item for item in items if item.startswith(("engine=", "space="))]
        one = self.both("; ".join([problem, *kept]), machine, ranks, arrays)
        return {"own_plan": one["decomposition"], "own_s": one["predicted_s"],
                **({"own_simulated_s": one["simulated_s"]} if "simulated_s" in one else {})}


def exchanges(stages):
    """Those of the stages that redistribute."""
    return [one["exchange"] + one["hop"] for one in stages if one["exchange"] + one["hop"] > 0]


UNITS = {"_s": 1, "_ms": 1e-3, "_us": 1e-6}


def printed(record):
    """What the row says of times, in seconds: `total_s` is printed_s, `first_ms` is first_printed_s."""
    line = {}
    for name, value in record.items():
        unit = next((unit for unit in UNITS if name.endswith(unit) or name == unit[1:]), None)
        if unit is None or value is None:
            continue
        what = name.removesuffix(unit) if name != unit[1:] else "total"
        line["printed_s" if what == "total" else f"{what}_printed_s"] = UNITS[unit] * value
    if record.get("rate_flops_per_second"):
        line["printed_s"] = 5 * 2 ** 42 * 42 / record["rate_flops_per_second"]
    if "fft_printed_s" in line and "copy_printed_s" in line:
        line["work_printed_s"] = line["fft_printed_s"] + line["copy_printed_s"]
    return line


def rows_of(weft, paper):
    """The lines of a paper's tables."""
    for table in papers.paper(paper)["tables"]:
        if table["machine"] is None or paper == "song":  # of those, times belong to figures: scale_points.py
            continue
        known = {}
        for record in papers.records(table):
            text = papers.text(table, record)
            if text is None or "via=fftw" in text:  # the model knows no MPI_Alltoallv of FFTW's own
                continue
            arrays = table.get("arrays")
            line = weft.both(text, table["machine"], record["ranks"], arrays, MESSAGES_OF_A_ROW)
            for name in ("grid", "nodes", "cores", "bytes"):
                line |= {name: record[name]} if name in record else {}
            if "redistribute" in text:
                times_over(weft, table, record, line, known)
                line = {name: value for name, value in line.items() if not name.startswith(("exchange", "work"))}
            else:
                line |= weft.own(text, table["machine"], record["ranks"], arrays) if record["ranks"] <= MOST_OWN else {}
            yield {"paper": paper, "table": table["name"], **line, **printed(record)}


def times_over(weft, table, record, line, known):
    """A ratio of [schulz] section 5 is MPI_Alltoallv over MPI_Alltoall: both by weft."""
    if "ratio" not in record:
        return
    text = line["text"].replace("via=alltoallv", "via=alltoall")
    if text not in known:
        known[text] = weft.both(text, table["machine"], record["ranks"])
    line["ratio_printed"] = record["ratio"]
    for by in ("predicted", "simulated"):
        line[f"ratio_{by}"] = line[f"{by}_s"] / known[text][f"{by}_s"]


def study(options):
    weft = Weft(options.weft)
    for name in options.only:
        kept = scale_table.read(options.json) if Path(options.json).exists() else []
        lines = [line for line in kept if line["paper"] != name]
        if name in PAPERS:
            lines += rows_of(weft, name)
        for line in scale_points.points(weft, name):
            print(name, line["figure"], line.get("series"), line["ranks"], flush=True)
            lines.append(line)
        write(options.json, lines, origin(options.weft))


def write(file, lines, where):
    """The lines, and the claims of what they say."""
    lines = [line for line in lines if "says" not in line]
    order = {name: number for number, name in enumerate((*PAPERS, "machines"))}
    lines.sort(key=lambda line: order[line["paper"]])
    lines += [line for name in PAPERS for line in scale_claims.claims(name, lines)]
    Path(file).write_text("".join(json.dumps(rounded(line)) + "\n" for line in [{"origin": where}, *lines]))


def rounded(value):
    """Six digits."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--claims", metavar="FILE")
    parser.add_argument("--table", metavar="FILE")
    parser.add_argument("--weft", default="build/bin/weft")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[*PAPERS, "machines"])
    options = parser.parse_args()
    if options.json:
        study(options)
    elif options.claims:
        first = json.loads(Path(options.claims).read_text().split("\n", 1)[0])
        write(options.claims, scale_table.read(options.claims), first["origin"])
    elif options.table:
        scale_table.table(scale_table.read(options.table))
    else:
        parser.error("give --json, --claims or --table; python3 bench/plots draws")


if __name__ == "__main__":
    main()
