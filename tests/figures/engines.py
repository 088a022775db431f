"""Of bench/engine_study: the serial engines."""
import collections
import itertools

from results import lines, mean

POWERS = (16, 32, 64, 128, 256, 512, 1024)


def engine_lines(name, precision="f64", **members):
    return lines(name, study="lines", precision=precision, **members)


def engine_ratio(one, other):
    """The other engine's time over native's."""
    engines = one["engines"]
    return engines[other]["seconds"]["median"] / engines["native"]["seconds"]["median"]


def engine_cell(name, pattern, group, other="fftw", precision="f64"):
    """The geometric mean over a group of lengths, and the length with the least."""
    found = {one["length"]: engine_ratio(one, other)
             for one in engine_lines(name, precision, kind="c2c", pattern=pattern, level="L2", distance=None)
             if (one["length"] in POWERS) == (group == "powers")}
    least = min(found, key=found.get)
    return f"{mean(found.values()):.2f} ({least}: {found[least]:.2f})"


def engine_least(name, pattern, length, other="fftw", precision="f64"):
    (one,) = engine_lines(name, precision, kind="c2c", pattern=pattern, level="L2", distance=None, length=length)
    return engine_ratio(one, other)


R2R = ("engine_study_r2r_epyc.json", "engine_study_r2r_epyc_avx2.json")
KINDS = {"II": ("dct2", "dst2"), "III": ("dct3", "dst3"), "IV": ("dct4", "dst4"), "I": ("dct1", "dst1")}
LENGTHS = {"powers of two": POWERS, "products": (12, 60, 360, 1000),
           "odd": (15, 17, 63, 65, 255, 257, 1023, 1025)}


def kinds_cell(name, lengths, pattern, kind):
    """The time over that of r2c, its largest, and the time over FFTW's."""
    to_r2c, to_fftw = collections.defaultdict(list), []
    for length in LENGTHS[lengths]:
        r2c = engine_lines(name, kind="r2c", pattern=pattern, length=length)
        for each in KINDS[kind]:
            for one in engine_lines(name, kind=each, pattern=pattern, length=length):
                if r2c:
                    to_r2c[length].append(native_seconds(one) / native_seconds(r2c[0]))
                to_fftw.append(1 / engine_ratio(one, "fftw"))
    everything = [ratio for some in to_r2c.values() for ratio in some]
    worst = max(to_r2c, key=lambda length: max(to_r2c[length]))
    return f"{mean(everything):.2f} ({worst}: {max(everything):.2f}), {mean(to_fftw):.2f}"


def kind_ratios(names, lengths, kinds):
    """Of each kind and length over r2c of that length, in both patterns."""
    found = []
    for name, pattern, length, kind in itertools.product(names, ("lines", "lanes"), lengths, kinds):
        r2c = engine_lines(name, kind="r2c", pattern=pattern, length=length)
        for one in engine_lines(name, kind=kind, pattern=pattern, length=length) if r2c else []:
            found.append(native_seconds(one) / native_seconds(r2c[0]))
    return found


def native_seconds(one):
    """Of a line."""
    return one["engines"]["native"]["seconds"]["median"] / one["batch"]
