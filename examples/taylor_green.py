"""The Taylor-Green vortex: a direct numerical simulation of 16^3 modes at 24^3 points (the 3/2 rule).

    pip install -v .
    mpirun -n 2 python3 examples/taylor_green.py
    mpirun -n 2 python3 examples/taylor_green.py 64

It starts from u = (sin x cos y cos z, -cos x sin y cos z, 0) on a cube of 2 pi, and checks that the
flow loses as much energy as viscosity dissipates, stays free of divergence, and has the energy and
the dissipation at t = 1 that 48^3 points give by the convective form, dealiased by the 2/3 rule.
taylor_green.cpp and taylor_green.f90 compute the same.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from mpi4py import MPI

import weft

Local = np.ndarray[Any, np.dtype[Any]]
m = int(sys.argv[1]) if len(sys.argv) > 1 else 16  # even
n, viscosity, dt, steps = m * 3 // 2, 0.05, 0.02, 50
comm = MPI.COMM_WORLD

# Of the spectrum of n^3 points m^3 modes are kept, and of these the ones of m/2 are zero: they would
# stand for -m/2 as well, and have no derivative. Spectra are Fourier coefficients.
plan = weft.Plan((n, n, n), comm, kind="r2c", modes=(m, m, m), even_modes="zero",
                 scale="forward", input="slab(0)")
k = plan.wavenumbers()
k2 = sum(wave**2 for wave in k)

# Velocity and vorticity go to the points in one call, their product comes back in another. Fields
# have arrays of their own: fields[0:3] is the velocity.
fields = [plan.empty_in() for _ in range(6)]
spectra = [plan.empty_out() for _ in range(6)]
change = [plan.empty_out() for _ in range(3)]
both = plan.bind(fields, spectra)
product = plan.bind(fields[:3], change)


def curl(of: list[Local]) -> list[Local]:
    """Of a spectrum."""
    return [1j * (k[1] * of[2] - k[2] * of[1]), 1j * (k[2] * of[0] - k[0] * of[2]),
            1j * (k[0] * of[1] - k[1] * of[0])]


def divergence_of(of: list[Local]) -> Local:
    """Of a spectrum, without the factor i."""
    return np.asarray(k[0] * of[0] + k[1] * of[1] + k[2] * of[2])


def find_change(u_hat: list[Local]) -> None:
    """du/dt in Fourier space: u x curl u without its gradient part, and viscosity."""
    for place, value in zip(spectra, [*u_hat, *curl(u_hat)]):
        place[...] = value
    both.backward()
    u, w = fields[:3], fields[3:]
    cross = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]]
    for place, value in zip(u, cross):
        place[...] = value
    product.start_forward()
    loss = [viscosity * k2 * of for of in u_hat]  # Meanwhile; what is not needed yet.
    product.wait()
    gradient = divergence_of(change) / np.where(k2 == 0, 1, k2)
    for axis in range(3):
        change[axis] -= k[axis] * gradient + loss[axis]


def energy_and_dissipation(u_hat: list[Local]) -> tuple[float, float]:
    # Each value of the r2c axis stands for k and -k, but that of k = 0 for itself.
    squares = np.where(k[2] == 0, 1, 2) * sum(abs(of) ** 2 for of in u_hat)
    sums = comm.allreduce(np.array([squares.sum() / 2, viscosity * (k2 * squares).sum()]))
    return float(sums[0]), float(sums[1])


x, y, z = plan.coordinates()
fields[0][...] = np.sin(x) * np.cos(y) * np.cos(z)
fields[1][...] = -np.cos(x) * np.sin(y) * np.cos(z)
fields[2][...] = 0
product.forward()
u_hat = [of.copy() for of in change]

history = [energy_and_dissipation(u_hat)]
for step in range(steps):
    begin, total = [of.copy() for of in u_hat], [of.copy() for of in u_hat]
    for weight, ahead in ((1, 0.5), (2, 0.5), (2, 1), (1, 0)):  # Runge and Kutta's four stages.
        find_change(u_hat)
        for axis in range(3):
            total[axis] += weight / 6 * dt * change[axis]
            u_hat[axis][...] = begin[axis] + ahead * dt * change[axis]
    u_hat = total
    history.append(energy_and_dissipation(u_hat))

energy, dissipation = np.array(history).T
simpson = dt / 3 * np.array([1, *[4, 2] * (steps // 2 - 1), 4, 1])
balance = abs(energy[0] - energy[-1] - simpson @ dissipation)
divergence = comm.allreduce(np.abs(divergence_of(u_hat)).max(initial=0), MPI.MAX)
if comm.rank == 0:
    print(f"energy {energy[0]:.6f} -> {energy[-1]:.12f} in {steps * dt:g} units of time")
    print(f"not accounted for {balance:.1e}, divergence {divergence:.1e}")
known = abs(energy[-1] - 0.091872284215) < 1e-9 and abs(dissipation[-1] - 0.029548013135) < 1e-7
sys.exit(0 if known and balance < 1e-10 and divergence < 1e-14 else 1)
