"""matplotlib for pictures in files, for scripts whose tables do without it."""

import sys


def pyplot():
    """matplotlib.pyplot; ends the script with what is missing where it is not there."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("the picture needs matplotlib (python3-matplotlib); the table does not")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt
