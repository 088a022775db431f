"""The points of figures whose numbers are not printed: which transforms bench/scale_study.py predicts and simulates."""

import papers

TAIL = "via=alltoallv; pack=sender; engine=fftw"
KS = [1 << bits for bits in range(1, 12)]
LARGEST = 640  # n^3 of [song]; each of the larger transforms in tiles is simulated for a minute or more
VIAS = {"all-to-all": "alltoallv", "point-to-point": "isend-waitall"}
MODERN = ("frontier", "lumi", "aurora", "alps", "perlmutter", "selene", "h100", "h200", "fugaku")
KINDS = {"frontier": "hip", "lumi": "hip", "aurora": "fake", "fugaku": None}  # by names that texts have; others cuda


def square(ranks):
    """Of a power of two: 32x64 of 2048."""
    bits = ranks.bit_length() - 1
    return f"{1 << bits // 2}x{1 << bits - bits // 2}"


def gholami(weft):
    for k in KS:
        text = f"redistribute:16:2048x2048x2048 in=slab(0) out=slab(1); via=kway({k})"
        yield "Fig. 3 (a)", "one exchange", {"k": k}, weft.both(text, "stampede", 2048)
        text = f"r2c:f64:2048x2048x2048; decomposition=pencil(32x64); pack=sender; engine=fftw; via=kway({k})"
        yield "Fig. 3 (a)", "two exchanges", {"k": k}, weft.both(text, "stampede", 2048)
    for k in KS[:9]:
        text = f"redistribute:16:2048x2048x2048 in=slab(0) out=slab(1); via=kway({k})"
        yield "Fig. 3 (b)", "one exchange", {"k": k}, weft.both(text, "titan", 512)
    for n, figure in ((1024, "Fig. 4 (a)"), (2048, "Fig. 4 (d)")):
        for ranks in (64, 128, 256, 512, 1024, 2048):
            text = f"r2c:f64:{n}x{n}x{n}; decomposition=pencil({square(ranks)}); {TAIL}"
            yield figure, "pencils", {}, {**weft.both(text, "stampede", ranks), **weft.own(text, "stampede", ranks)}
    for kind, figure in (("r2c", "Fig. 5 (a)"), ("c2c", "Fig. 5 (c)")):
        for ranks in (8, 16, 32, 64, 128):
            cut = f"{kind}:f64:256x512x1024; decomposition=pencil({square(ranks)})"
            yield figure, "CPU", {}, weft.both(f"{cut}; {TAIL}", "maverick", ranks)
            text = f"{cut}; via=alltoallv; pack=sender; space=cuda"
            yield figure, "GPU", {}, weft.both(text, "maverick", ranks, "device")


def ayala(weft):
    grids = {row["ranks"]: row["grid"] for row in papers.records(papers.table("ayala", "Table III"))}
    bricks = "c2c:f64:512x512x512 in=brick out=brick; decomposition=pencil({}); via={}; pack=sender; space=cuda({})"
    for ranks, grid in grids.items():
        for figure, via in (("Fig. 8", "alltoallv"), ("Fig. 9", "isend-waitall")):
            for series, space in (("GPU-aware", "direct"), ("staged", "staged")):
                text = bricks.format(grid, via, space)
                yield figure, series, {}, weft.both(text, "summit-v100", ranks, "device")
        for series, via in VIAS.items():
            if ranks <= 768:
                text = f"c2c:f64:512x512x512; decomposition=pencil({grid}); via={via}; pack=sender"
                yield "Fig. 4", f"{series}, summit", {}, weft.both(text, "summit", ranks)
                text = f"{text}; space=cuda(direct)"
                yield "Fig. 4", f"{series}, summit-v100", {}, weft.both(text, "summit-v100", ranks, "device")
        for series, cut in (("slab", "slab"), ("pencil", f"pencil({grid})")):
            if ranks <= 512:
                text = f"c2c:f64:512x512x512; decomposition={cut}; via=alltoallv; pack=sender; space=cuda(direct)"
                yield "Fig. 5", series, {}, weft.both(text, "summit-v100", ranks, "device")
        for shape in ("64x64x64", "512x512x512"):
            for batch in (1, 8, 64) if ranks <= 96 else ():
                text = (f"c2c:f64:{shape}*{batch}; decomposition=pencil({grid}); via=alltoallv; pack=sender; "
                        "space=cuda(direct)")
                yield "Fig. 13", f"{shape}*{batch}", {"batch": batch}, weft.both(text, "summit-v100", ranks, "device")
    for via in ("alltoall", "alltoallv", "alltoallw", "isend-waitall", "sendrecv"):
        text = bricks.format("4x6", via, "direct")
        if via == "alltoallw":
            text = text.replace("pack=sender", "pack=datatype")
        yield "Figs. 2, 3, 6, 7", via, {}, weft.both(text, "summit-v100", 24, "device")


def duy(weft):
    methods = [row["method"] for row in papers.records(papers.table("duy", "Fig. 5"))]
    for machine in ("xc30", "sgi", "fx10", "k"):
        for method in methods:
            for ranks in (32, 64, 128, 256, 512, 1024, 2048):
                text = f"c2c:f64:256x256x256; decomposition=row-wise; via={method}; pack=sender; engine=fftw"
                yield "Fig. 5", method, {}, weft.both(text, machine, ranks, most=1 << 17)
        for n in (128, 256, 512, 1024):
            for ranks in (64, 256, 512, 1024, 2048, 4096):
                text = f"c2c:f64:{n}x{n}x{n}; decomposition=row-wise; via=isend-waitsome; pack=sender; engine=fftw"
                yield "Figs. 7 to 10", f"{n}^3", {}, {**weft.both(text, machine, ranks, most=1 << 17),
                                                     **weft.own(text, machine, ranks)}


def song(weft):
    """NEW has the tuned tiles, NEW-0 the same without overlap, `plain` no tiles; on 8 ranks tiles tuned on 16."""
    other = {("umd-cluster", 32, 512): "hopper", ("hopper", 32, 512): "umd-cluster"}
    tuned = {}
    for table in papers.paper("song")["tables"]:
        for record in papers.records(table):
            text = papers.text(table, record)
            if text is None or record["n"] > LARGEST:
                continue
            text = text.replace(f" ranks={record['ranks']};", "")
            tuned[table["machine"], record["ranks"], record["n"]] = text
            for ranks in (8, 16) if record["ranks"] == 16 else (record["ranks"],):
                without = text.replace(f",W:{record['W']},", ",W:0,")
                for letter in ("Fy", "Fp", "Fu", "Fx"):
                    without = without.replace(f"{letter}:{record[letter]}", f"{letter}:0")
                plain = text.split("; tile=")[0].replace("ialltoallv", "alltoallv")
                for series, words in (("NEW", text), ("NEW-0", without), ("plain", plain)):
                    line = weft.both(words, table["machine"], ranks)
                    if series == "NEW":
                        line |= weft.own(text, table["machine"], ranks)
                    yield "Figs. 7, 8", series, {"n": record["n"]}, line
    for (machine, ranks, n), of in other.items():
        if (of, ranks, n) in tuned:
            yield "Fig. 9", f"tiles of {of}", {"n": n}, weft.both(tuned[of, ranks, n], machine, ranks)


def machines(weft):
    """weft's default plan on today's machines, arrays on their devices."""
    for machine in MODERN:
        kind = KINDS.get(machine, "cuda")
        for n in (1024, 4096):
            text = f"c2c:f64:{n}x{n}x{n}" + (f"; space={kind}" if kind else "")
            for ranks in (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384):
                line = weft.both(text, machine, ranks, "device" if kind else None, most=1 << 17)
                yield "strong scaling", f"{n}^3", {"n": n}, line


def points(weft, paper):
    """The lines of a paper's figures."""
    source = {"gholami": gholami, "ayala": ayala, "duy": duy, "song": song, "machines": machines}.get(paper)
    for figure, series, more, line in source(weft) if source else ():
        yield {"paper": paper, "figure": figure, "series": series, **more, **line}
