#!/usr/bin/env python3
"""Pictures of the files of bench/results, and of files that the same studies wrote elsewhere; needs matplotlib.

usage: python3 bench/plots --all FOLDER             every picture of the pages, as FOLDER/NAME.svg
       python3 bench/plots KIND PICTURE FILE..      one picture, in the format that its name ends in
"""
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(BENCH), str(BENCH / "plots")]


def main(words):
    from pictures import KINDS, PICTURES, draw  # pylint: disable=import-outside-toplevel
    if len(words) == 2 and words[0] == "--all":
        folder = Path(words[1])
        folder.mkdir(parents=True, exist_ok=True)
        for name in PICTURES:
            draw(name).savefig(folder / f"{name}.svg", metadata={"Date": None})
    elif len(words) > 2 and words[0] in KINDS:
        KINDS[words[0]](words[2:]).savefig(words[1])
    else:
        sys.exit(f"{__doc__}\nKIND is one of {', '.join(KINDS)}.")


if __name__ == "__main__":
    main(sys.argv[1:])
