"""gpu.json, and gpu.md: a table of what was asked for and what was found."""
import json
import os


def judged(results):
    """(what, wanted, found, whether it holds or None where nothing was measured)."""
    checks, times = results.get("correctness", []), results.get("timing", {})
    right = sum(check["right"] for check in checks)
    yield ("transforms are right: 1e-12 double, 1e-4 float", "all",
           f"{right} of {len(checks)}", right == len(checks) if checks else None)
    if results["space"] == "emulated":
        return
    for row in times.get("transforms", []):
        permuted = "permuted" in row["what"]
        wanted = 1.0 if permuted else 1.03
        yield (f"{row['what']}: seconds of weft / cuFFT's own", f"at most {wanted}",
               f"{row['ratio']:.3f}, backward {row['ratio_backward']:.3f}",
               max(row["ratio"], row["ratio_backward"]) <= wanted)
    for one in times.get("kernels", []):
        if one["of_copy"] is not None and "own" not in one["what"]:
            yield (one["what"], "85% of a copy", f"{100 * one['of_copy']:.0f}%",
                   one["of_copy"] >= 0.85)
    if "batch" in times:
        yield ("batch against one by one", "2 times as fast",
               f"{times['batch']['times_faster']:.2f} times", times["batch"]["times_faster"] >= 2)
    for row in times.get("host_arrays", []):
        if row["arrays"] == "pinned" and "of_floor" in row:
            yield ("host arrays, pinned", "85% of the floor of PCIe",
                   f"{100 * row['of_floor']:.0f}%", row["of_floor"] >= 0.85)


def is_right(results):
    """All steps ran and all that was computed is right; how fast is told, not judged here."""
    return (all(step["ok"] for step in results["steps"]) and
            all(check["right"] for check in results.get("correctness", [])))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def text(results):
    machine = results["machine"]
    gpus = ", ".join(gpu["name"] for gpu in machine["gpus"]) or "no GPU seen"
    parts = [f"# weft on {gpus} (space={results['space']})",
             f"{machine['processor']}, {machine['cores']} cores; MPS: {machine.get('mps', 'no')}; "
             f"{results['seconds']:.0f} s"]
    if not machine["ready"]:
        return "\n\n".join(parts + ["Not run: " + machine["why"]]) + "\n"
    word = {True: "yes", False: "NO", None: "not measured"}
    parts.append(table(["what", "wanted", "found", "holds"],
                       [(what, wanted, found, word[holds])
                        for what, wanted, found, holds in judged(results)]))
    times = results.get("timing", {})
    if times.get("transforms"):
        parts.append(table(["transform", "weft ms", "cuFFT ms", "weft / cuFFT", "backward",
                            "weft, % of roof"],
                           [(row["what"], f"{1e3 * row['weft_s']:.3f}", f"{1e3 * row['cufft_s']:.3f}",
                             f"{row['ratio']:.3f}", f"{row['ratio_backward']:.3f}",
                             f"{100 * row.get('weft_of_roof', 0):.0f}")
                            for row in times["transforms"]]))
    if times.get("kernels"):
        parts.append(table(["copy", "GB/s", "of a copy"],
                           [(one["what"], f"{1e-9 * one['bytes_per_s']:.1f}",
                             "" if one["of_copy"] is None else f"{100 * one['of_copy']:.0f}%")
                            for one in times["kernels"]]))
    if times.get("ranks"):
        parts.append(table(["ranks on one GPU", "exchange", "weft ms"],
                           [(f"{row['ranks']}, {row['side']}^3", row["way"], f"{1e3 * row['weft_s']:.3f}")
                            for row in times["ranks"]]))
    beside = times.get("cufftmp", {})
    if beside.get("rows"):
        parts.append(table(["GPUs", "transform", "weft ms", "cuFFTMp ms", "weft / cuFFTMp", "backward"],
                           [(row["ranks"], row["what"], f"{1e3 * row['weft_s']:.3f}",
                             f"{1e3 * row['cufftmp_s']:.3f}",
                             f"{row['weft_s'] / row['cufftmp_s']:.3f}",
                             f"{row['weft_backward_s'] / row['cufftmp_backward_s']:.3f}")
                            for row in beside["rows"]]))
    elif "left_out" in beside:
        parts.append(f"cuFFTMp is left out: {beside['left_out']}")
    failed = [step for step in results["steps"] if not step["ok"]]
    if failed:
        parts.append(table(["step that failed", "why"], [(s["name"], s["why"]) for s in failed]))
    return "\n\n".join(parts) + "\n"


def save(out, results):
    """By renaming, so that the file is whole whenever this is stopped."""
    place = os.path.join(out, "gpu.json")
    with open(place + ".new", "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    os.replace(place + ".new", place)


def write(out, results):
    results["judged"] = [dict(zip(("what", "wanted", "found", "holds"), row))
                         for row in judged(results)] if results["machine"]["ready"] else []
    save(out, results)
    summary = text(results)
    with open(os.path.join(out, "gpu.md"), "w", encoding="utf-8") as file:
        file.write(summary)
    print("\n" + summary)
