"""Solves the Poisson equation -laplace u = f on a periodic cube and compares with the solution.

    pip install -v .
    mpirun -n 2 python3 examples/poisson.py
"""

import sys

import numpy as np
from mpi4py import MPI

import weft

n = 32
comm = MPI.COMM_WORLD
plan = weft.Plan((n, n, n), comm, kind="r2c", scale="forward")

# This rank's part of f, and room for its part of the spectrum.
f, spectrum = plan.empty()
fft = plan.bind(f, spectrum)

# u = sin(x) cos(2y) sin(3z + 1) is an eigenfunction: f = (1 + 4 + 9) u.
x, y, z = plan.coordinates()
u = np.sin(x) * np.cos(2 * y) * np.sin(3 * z + 1)
f[...] = 14 * u

# In Fourier space a division by |k|^2; the mean of u is free and set to 0.
fft.forward()
kx, ky, kz = plan.wavenumbers()
k2 = kx**2 + ky**2 + kz**2
spectrum /= np.where(k2 == 0, 1, k2)
spectrum[k2 == 0] = 0
fft.backward()

error = comm.allreduce(np.abs(f - u).max(initial=0), MPI.MAX)
if comm.rank == 0:
    print(plan.explain())
    print(f"largest error {error:.1e}")
sys.exit(0 if error < 1e-13 else 1)
