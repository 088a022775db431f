"""Of the papers' scaling tables and figures, as scale_study.json has them."""
import sys

from results import SOURCE, document, lines, span

sys.path.append(str(SOURCE / "bench"))
import scale_claims  # noqa: E402
import scale_table  # noqa: E402

STUDY = "scale_study.json"


def scale_row(table):
    """Ratios to what [gholami] prints: predicted, of rows not fitted, simulated; the default plan's gain."""
    rows = lines(STUDY, paper="gholami", table=table)
    rest = scale_table.tested(rows, table)
    cells = [[scale_table.ratio(row, "predicted") for row in rows], [scale_table.ratio(row, "predicted") for row in rest],
             [scale_table.ratio(row, "simulated") for row in rows if "simulated_s" in row],
             [scale_table.own_gain(row) for row in rows if "own_s" in row]]
    return " | ".join(map(span, cells))


def scale_scaled(table):
    """Ratios with the exchange and the work of the first row."""
    return scale_table.scaled(lines(STUDY, paper="gholami", table=table))


def claim(paper, figure, says, by="predicted"):
    (one,) = [each[by] for each in lines(STUDY, paper=paper, figure=figure) if each.get("says", "").startswith(says)]
    return one


def claims_held(by):
    """Of those compared."""
    return [one["holds"][by] for one in document(STUDY) if "says" in one and one[by] is not None]


def bandwidth(ranks, machine):
    points = scale_claims.Points(lines(STUDY, paper="ayala"), "predicted")
    return points.bandwidth(machine=machine, series=f"all-to-all, {machine}")[ranks]


def without_tiles(machine, ranks, by, other="plain"):
    """Times over NEW's."""
    return scale_claims.gains(scale_claims.Points(lines(STUDY, paper="song"), by), machine, ranks, other)


def simulated_within(by, part=0.15):
    """Of simulated.json: near to SMPI."""
    return [abs(one[f"{by}_s"] / one["simulated_s"] - 1) <= part for one in document("simulated.json") if f"{by}_s" in one]
