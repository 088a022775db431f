"""Transforms a plane wave in slabs there and back; checks that it gives one peak and comes back.

    pip install -v .
    mpirun -n 2 python3 examples/slab.py
"""

import sys

import numpy as np
from mpi4py import MPI

import weft

comm = MPI.COMM_WORLD
plan = weft.Plan((24, 20, 18), comm, input="slab(0)", scale="backward")
u, spectrum = plan.empty()  # this rank's parts
fft = plan.bind(u, spectrum)

# A plane wave along axis 1: exp(2 pi i 3 y / 20) at (x, y, z).
x, y, z = plan.coordinates((24, 20, 18))
wave = np.exp(2j * np.pi * 3 * y / 20)
u[...] = wave

# Its spectrum: N at (0, 3, 0) and nothing else.
fft.forward()
kx, ky, kz = plan.wavenumbers(2 * np.pi)
peak = u.dtype.type(24 * 20 * 18) * ((kx == 0) & (ky == 3) & (kz == 0))
error = np.abs(spectrum - peak).max(initial=0) / (24 * 20 * 18)

fft.backward()
error = comm.allreduce(max(error, np.abs(u - wave).max(initial=0)), MPI.MAX)
if comm.rank == 0:
    print(plan.explain())
    print(f"error {error:.1e}")
sys.exit(0 if error < 1e-13 else 1)
