"""Of tests/gpu/run."""
from results import document, of


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
