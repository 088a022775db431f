"""Pictures of gpu.json, which tests/gpu writes."""
import json

from style import BLACK, BLUE, SKY, panels


def gpu(files):
    """Times as multiples of cuFFT's, and rates of kernels as shares of a copy's."""
    with open(files[0], encoding="utf-8") as file:
        results = json.load(file)
    rows = results["timing"]["transforms"]
    kernels = [one for one in results["timing"]["kernels"] if one["of_copy"]]
    figure, (left, right) = panels(1, 2, size=(6.8, 1.5 + 0.27 * max(len(rows), len(kernels))))
    for shift, key, label, shade in ((-0.2, "ratio", "weft, forward", BLUE),
                                     (0.2, "ratio_backward", "weft, backward", SKY)):
        left.barh([place + shift for place in range(len(rows))], [row[key] for row in rows], 0.4, label=label,
                  color=shade)
    left.set_yticks(range(len(rows)), [row["what"].replace(" f64", "") for row in rows], fontsize=8)
    left.axvline(1, color=BLACK, linewidth=1)
    left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=2)
    left.set(title=", ".join(gpu["name"] for gpu in results["machine"]["gpus"]) + ": transforms, by engine",
             xlabel="time over that of cuFFT's own plan", ylabel="problem and engine")
    right.barh([one["what"] for one in kernels], [100 * one["of_copy"] for one in kernels], color=BLUE)
    right.axvline(85, color=BLACK, linewidth=1)
    right.tick_params(axis="y", labelsize=8)
    right.set(title="Kernels that copy and permute", xlabel="% of the rate of a copy", ylabel="kernel")
    for panel in (left, right):
        panel.invert_yaxis()
        panel.margins(y=0.01)
        panel.grid(axis="y", visible=False)
    return figure
