"""Distributed-memory fast Fourier transforms of numpy arrays over MPI.

    import numpy as np
    import weft
    from mpi4py import MPI

    plan = weft.Plan("r2c:f64:64x64x64", MPI.COMM_WORLD)    # collective
    a, b = plan.empty()                                      # this rank's arrays
    a[...] = 1
    fft = plan.bind(a, b)                                    # collective
    fft.forward()                                            # a -> b, a is kept
    fft.backward()                                           # b -> a, unscaled
"""

from . import loaded  # isort: skip  Before all that needs the extension module.
from . import fft, wisdom
from ._weft import version as __version__
from .built import mpi as __mpi__
from .communicator import default_communicator
from .distarray import DistArray
from .distribution import Distribution
from .errors import BadRequest, Code, Error
from .layout import boxes
from .memory import workspace
from .methods import via
from .padded import PaddedPlan
from .plan import Plan
from .transform import Transform

__all__ = ["BadRequest", "Code", "DistArray", "Distribution", "Error", "PaddedPlan", "Plan",
           "Transform", "__mpi__", "__version__", "boxes", "default_communicator", "fft", "via", "wisdom",
           "workspace"]
