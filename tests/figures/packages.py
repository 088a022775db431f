"""Words for the figures of fftw_vectors.json, packages.json and traffic.json (bench/packages_study.py)."""
from results import document


def cases(name, **members):
    found = [case for case in document(name)["cases"] if all(case[key] == value for key, value in members.items())]
    if not found:
        raise LookupError(f"{name} has no case of {members}")
    return found


def raced(name, **members):
    """weft's time over the other's, by case."""
    return [case["ratio"] for case in cases(name, **members)]


def sent_cell(library):
    """Bytes over those of weft's default path in theory, by case of traffic.json; `-` where nothing was counted."""
    ratios = [case["bytes"] / case["weft_theory_bytes"] for case in document("traffic.json")["cases"]
              if case["library"] == library]
    return ", ".join(f"{ratio:.2f}" for ratio in ratios) or "-"
