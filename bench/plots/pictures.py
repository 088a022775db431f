"""The pictures of the pages: of each its kind and its files in bench/results."""
import importlib.util
from pathlib import Path

import exchanges
import gpus
import models
import scale
import studies

SOURCE = Path(__file__).resolve().parent.parent.parent
RESULTS = SOURCE / "bench" / "results"


def series(title):
    """A picture by `python3 -m weft.plot`, which is not installed here."""
    spec = importlib.util.spec_from_file_location("weft_plot", SOURCE / "python" / "weft" / "plot.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda files: module.picture(files[0], title)


KINDS = {
    "node": studies.node_study, "auto": studies.auto_study, "overlap": studies.overlap_study,
    "engine": studies.engine_study, "heat": exchanges.heat_map, "kway": exchanges.kway, "model": models.model_study,
    "simulated": models.simulated_study, "synthetic": models.tune_synthetic,
    "points": models.tune_points, "cross": models.tune_cross, "gpu": gpus.gpu,
    "scale_tables": scale.tables, "scale_kway": scale.kway, "scale_summit": scale.summit, "scale_methods": scale.methods,
    "scale_overlap": scale.overlap, "scale_machines": scale.machines,
}

PICTURES = {
    "auto_study": ("auto", "auto_study.json"),
    "engine_study": ("engine", "engine_study.json"),
    "engine_study_epyc": ("engine", "engine_study_epyc.json"),
    "engine_study_epyc_avx2": ("engine", "engine_study_epyc_avx2.json"),
    "exchange_kway": ("kway", "exchange_openmpi.json"),
    "exchange_mpich": ("heat", "exchange_mpich.json"),
    "exchange_openmpi": ("heat", "exchange_openmpi.json"),
    "gpu_h200": ("gpu", "gpu_h200.json"),
    "model_study": ("model", "model_study.json"),
    "node_avx2": ("node", "node_avx2.json"),
    "node_avx512": ("node", "node_avx512.json"),
    "node_study": ("node", "node_study.json"),
    "overlap": ("overlap", "overlap_openmpi.json", "overlap_mpich.json"),
    **{f"scale_{name}": (f"scale_{name}", "scale_study.json")
       for name in ("tables", "kway", "summit", "methods", "overlap", "machines")},
    "simulated": ("simulated", "simulated.json"),
    "tune_points": ("points", "tune_points.json"),
    "tune_synthetic": ("synthetic", "tune_synthetic.json"),
    "volume": (series("c2c:f64:256x256x256"), "volume_256.csv"),
}


def draw(name):
    """The matplotlib figure of a picture of the pages."""
    kind, *files = PICTURES[name]
    return (kind if callable(kind) else KINDS[kind])([RESULTS / file for file in files])
