"""The Laplacian of a field, by a program for mpi4py-fft's PFFT that was moved to weft (docs/from/mpi4py_fft.md).

    pip install -v .
    mpirun -n 2 python3 examples/from_mpi4py_fft.py
"""

import sys

import numpy as np
from mpi4py import MPI

import weft

comm = MPI.COMM_WORLD
n = (24, 20, 18)
fft = weft.Plan(n, comm, dtype=float, scale="forward")  # PFFT(comm, n, dtype=float)
u, u_hat = fft.empty()  # newDistArray(fft, False), newDistArray(fft)
transform = fft.bind(u, u_hat)

x, y, z = fft.coordinates()  # what get_local_mesh computes from local_slice
field = np.cos(2 * x) * np.sin(y) + np.cos(3 * z)
u[...] = field
transform.forward()  # fft.forward(u, u_hat)

kx, ky, kz = fft.wavenumbers()  # what get_local_wavenumbermesh computes
u_hat *= -(kx**2 + ky**2 + kz**2)
transform.backward()  # fft.backward(u_hat, u)

expected = -5 * np.cos(2 * x) * np.sin(y) - 9 * np.cos(3 * z)
error = comm.allreduce(np.abs(u - expected).max(initial=0), MPI.MAX)
if comm.rank == 0:
    print(f"error {error:.1e}")
sys.exit(0 if error < 1e-12 else 1)
