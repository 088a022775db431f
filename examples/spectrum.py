"""The energy spectrum of a field: how much of it is in waves of each length.

    pip install -v .
    mpirun -n 2 python3 examples/spectrum.py

The field is a sum of waves of known amplitude, so the spectrum is known.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from mpi4py import MPI

import weft

n = 32
comm = MPI.COMM_WORLD


def field(x: Any, y: Any, z: Any) -> Any:
    return 3 * np.sin(x) + 2 * np.cos(3 * y + 4 * z) + np.sin(6 * x + 2 * y - 3 * z)


u = weft.DistArray.from_function(field, (n, n, n), comm=comm, lengths=2 * np.pi)
spectrum = weft.fft.rfftn(u, norm="forward")

# Each value of the r2c axis stands for k and -k, but those of k = 0 and n/2 for themselves.
kx, ky, kz = spectrum.wavenumbers()
energy = np.where((kz == 0) | (kz == n // 2), 1, 2) * abs(spectrum) ** 2 / 2

# Shell number r has the waves of |k| between r - 1/2 and r + 1/2.
shell = np.rint(np.sqrt(kx**2 + ky**2 + kz**2)).astype(int)
here = np.bincount(shell.ravel(), np.ravel(energy.local), n)
shells = comm.allreduce(here)

expected = np.zeros(n)
expected[[1, 5, 7]] = 9 / 4, 4 / 4, 1 / 4
error = np.abs(shells - expected).max()
mean = (u * u).mean() / 2
if comm.rank == 0:
    for r in np.flatnonzero(shells > 1e-12):
        print(f"|k| = {r}: {shells[r]:.4f}")
    print(f"largest error {error:.1e}, total {shells.sum():.4f}, mean of u^2/2 {mean:.4f}")
sys.exit(0 if error < 1e-14 and abs(shells.sum() - mean) < 1e-13 else 1)
