#!/usr/bin/env python3
"""cuFFTMp opens without a GPU, and has each function that weft looks for in it.

usage: cufftmp.py SOURCE LIBRARY    as in cufftmp.py tools/measure/cufftmp_opened.cpp libcufftMp.so
"""
import ctypes
import os
import re
import sys


def main():
    source, library = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        names = re.findall(r'find\(library, "(\w+)"', file.read())
    # As weft opens it: what it calls of its own it finds in itself.
    opened = ctypes.CDLL(library, os.RTLD_NOW | os.RTLD_LOCAL | os.RTLD_DEEPBIND)
    missing = [name for name in names if not hasattr(opened, name)]
    if not names or missing:
        sys.exit(f"{source} looks for {names}, of which {library} has not {missing}")


if __name__ == "__main__":
    main()
