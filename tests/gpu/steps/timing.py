"""How fast: weft bench beside cuFFT's own plan, kernels beside copies, batches, arrays of the host."""
import json

from runner import word_of


def results(found, key="results"):
    """What a step's output with --json has of that name; none if it failed."""
    if not found["ok"]:
        return []
    # What is said on stderr may stand before the document and behind it.
    output = found["output"]
    begin = output.index("\n{\n") + 1 if "\n{\n" in output else 0
    document, _ = json.JSONDecoder().raw_decode(output[begin:])
    return document[key]


def bench(runner, name, text, *options, ranks=1, seconds=40, repeat=11):
    """What `weft bench --json` says, by library; empty if it failed."""
    command = [runner.weft, "bench", text, "--space", runner.space, "--json", "--repeat",
               str(repeat), *options]
    found = runner.step(name, command, ranks=ranks, seconds=seconds)
    return {record["library"]: record for record in results(found)}


def median(record, direction="forward"):
    return record[direction + "_s"]["median"]


def kernels(runner, times, small):
    """Copies within the device and to it: what other times are compared with."""
    found = runner.step("copies, packs and permutations",
                        [runner.weft, "copies", "--space", runner.space, "--extent",
                         "16" if small else "512", "--repeat", "3" if small else "7", "--json"],
                        seconds=60)
    if not found["ok"]:
        return
    times["kernels"] = results(found, "copies")
    by_name = {one["what"]: one["bytes_per_s"] for one in times["kernels"]}
    times["copy_bytes_per_s"] = by_name["copy of the device's own"]
    times["to_device_bytes_per_s"] = by_name["pinned memory to the device"]
    times["from_device_bytes_per_s"] = by_name["pinned memory from the device"]


def contests(small):
    """(what, problem, engine, elements, bytes of an element)."""
    for side in [8, 12] if small else [256, 512]:
        cube = f"{side}x{side}x{side}"
        for kind, size in (("c2c", 16), ("r2c", 8)):
            for engine in ("native", "cufft"):
                yield f"{kind} f64 {cube} {engine}", f"{kind}:f64:{cube}", engine, side**3, size
        permuted = f"{cube} out=slab(0)@210"
        yield f"c2c f64 {cube} permuted native", f"c2c:f64:{permuted}", "native", side**3, 16
        yield f"c2c f32 {cube} native", f"c2c:f32:{cube}", "native", side**3, 8
        yield f"c2c f32 {cube} permuted native", f"c2c:f32:{permuted}", "native", side**3, 8
    # 250 is a length that no kernel is compiled for.
    for side in [10] if small else [32, 64, 128, 200, 250, 384]:
        cube = f"{side}x{side}x{side}"
        yield f"c2c f64 {cube} native", f"c2c:f64:{cube}", "native", side**3, 16
    side = 16 if small else 1024
    cube = f"{side}x{side}x{side}"
    # Two libraries with two arrays and work memory each would not fit in 80 GB.
    for engine in ("native", "cufft"):
        yield f"c2c f64 {cube} in place {engine}", f"c2c:f64:{cube} in_place", engine, side**3, 16
    yield f"c2c f32 {cube} native", f"c2c:f32:{cube}", "native", side**3, 8
    yield f"c2c f32 {cube} permuted native", f"c2c:f32:{cube} out=slab(0)@210", "native", side**3, 8
    yield f"r2c f64 {cube} native", f"r2c:f64:{cube}", "native", side**3, 8


def transforms(runner, times, small):
    """One rank, arrays of the device, beside cuFFT's own plan; and how near the roof, which is
    three passes over the array: 6 x bytes / bandwidth of copies."""
    rows = times["transforms"] = []
    for what, text, engine, elements, size in contests(small):
        # What is computed is compared elsewhere: here that would take the host minutes.
        found = bench(runner, "bench " + what, text, "--device-arrays", "--against", "cufft",
                      "--engine", engine, "--unchecked",
                      repeat=3 if small else 7 if elements > 2**28 else 21)
        if not found:
            continue
        weft, cufft = found["weft"], found["cufft"]
        row = {"what": what, "weft_s": median(weft), "cufft_s": median(cufft),
               "weft_backward_s": median(weft, "backward"),
               "cufft_backward_s": median(cufft, "backward"),
               "ratio": median(weft) / median(cufft),
               "ratio_backward": median(weft, "backward") / median(cufft, "backward"),
               "plan": weft["plan"], "records": [weft, cufft]}
        if "copy_bytes_per_s" in times:
            roof = 6 * elements * size / times["copy_bytes_per_s"]
            row.update(roof_s=roof, weft_of_roof=roof / row["weft_s"],
                       cufft_of_roof=roof / row["cufft_s"])
        rows.append(row)


def batches(runner, times, small):
    side, fields = (8, 4) if small else (64, 64)
    cube = f"c2c:f64:{side}x{side}x{side}"
    repeat = 3 if small else 31
    alone = bench(runner, f"bench one {side}^3", cube, "--device-arrays", repeat=repeat)
    batch = bench(runner, f"bench {fields} of {side}^3 together", f"{cube}*{fields}",
                  "--device-arrays", "--against", "cufft", repeat=repeat)
    if alone and batch:
        one, all_of_them = median(alone["weft"]), median(batch["weft"])
        times["batch"] = {"side": side, "fields": fields, "one_s": one, "together_s": all_of_them,
                          "cufft_together_s": median(batch["cufft"]),
                          "times_faster": fields * one / all_of_them}


def host_arrays(runner, times, small):
    """The floor is what copying in and copying out take, each alone."""
    side = 16 if small else 512
    rows = times["host_arrays"] = []
    for kind, options in (("pinned", ("--pinned-arrays",)), ("of weft::allocate", ())):
        found = bench(runner, f"bench arrays of the host, {kind}", f"c2c:f64:{side}x{side}x{side}",
                      "--unchecked", *options, repeat=3 if small else 7)
        if not found:
            continue
        row = {"arrays": kind, "side": side, "weft_s": median(found["weft"])}
        if "to_device_bytes_per_s" in times:
            size = 16 * side**3
            row["floor_s"] = (size / times["to_device_bytes_per_s"] +
                              size / times["from_device_bytes_per_s"])
            row["of_floor"] = row["floor_s"] / row["weft_s"]
        rows.append(row)


def ways_between(space, ranks):
    """(what, choice) of each way that ranks on one GPU exchange."""
    yield "regions", f"space={space}(direct); via=shared"
    yield "staged", f"space={space}(staged)"
    yield "staged in pieces", f"space={space}(staged:1048576)"
    yield "staged, on arrival", f"space={space}(staged); via=isend-waitsome; pack=receiver"
    if ranks > 2:
        yield "1 of 2 ranks on the GPU", f"space={space}(staged,share:1of2,weight:15)"


def ranks(runner, times, small):
    """Several ranks on the one GPU: that it works, and what each way to exchange costs."""
    side = 12 if small else 256
    rows = times["ranks"] = []
    for count in (2, 4):
        for what, choice in ways_between(runner.space, count):
            text = f"c2c:f64:{side}x{side}x{side}; {choice}"
            command = [runner.weft, "bench", text, "--json", "--unchecked", "--device-arrays",
                       "--repeat", "3" if small else "7"]
            found = runner.step(f"bench {count} ranks, {what}", command, ranks=count, seconds=30)
            for result in results(found)[:1]:
                rows.append({"ranks": count, "side": side, "way": what, "weft_s": median(result),
                             "plan": result["plan"]})


def why_no_cufftmp(runner, gpus):
    """Why cuFFTMp cannot be timed; empty if it can."""
    if runner.space == "cuda" and gpus < 2:
        return f"each rank needs a GPU of its own, and there is {gpus or 'none seen'}"
    command = [runner.weft, "bench", "8x8x8", "--space", runner.space, "--against", "cufftmp",
               "--repeat", "1", "--quiet"]
    output, code, _ = runner.call(runner.launched(command, 2), min(30, runner.left()), {})
    return word_of(output) if code == 3 else ""


def several_gpus(runner, times, small, gpus):
    """A GPU for each rank, beside cuFFTMp; what both compute is compared at a small size first."""
    why = why_no_cufftmp(runner, gpus)
    if why:
        times["cufftmp"] = {"left_out": why}
        print(f"cuFFTMp is left out: {why}", flush=True)
        return
    rows = times.setdefault("cufftmp", {})["rows"] = []
    for count in sorted({2, max(gpus, 2)}):
        for kind in "c2c", "r2c":
            for side in [8] if small else [64, 512]:
                text = f"{kind}:f64:{side}x{side}x{side}"
                unchecked = ("--unchecked",) if side > 64 else ()
                found = bench(runner, f"bench {count} GPUs, {text}", text, "--device-arrays",
                              "--against", "cufftmp", *unchecked, ranks=count,
                              repeat=3 if small else 11)
                if found:
                    rows.append({"ranks": count, "what": text, "plan": found["weft"]["plan"],
                                 "weft_s": median(found["weft"]),
                                 "cufftmp_s": median(found["cufftmp"]),
                                 "weft_backward_s": median(found["weft"], "backward"),
                                 "cufftmp_backward_s": median(found["cufftmp"], "backward")})
