"""The Taylor-Green vortex: a direct numerical simulation, dealiased by the 3/2 rule.

    pip install -v .
    mpirun -n 2 python3 examples/taylor_green.py

It starts from u = (sin x cos y cos z, -cos x sin y cos z, 0) on a cube of 2 pi, and checks that the
flow loses as much energy as viscosity dissipates, stays free of divergence, and has the energy and
the dissipation at t = 1 that 48^3 points give by the convective form, dealiased by the 2/3 rule.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from mpi4py import MPI

import weft

Local = np.ndarray[Any, np.dtype[Any]]
n, viscosity, dt, steps = 16, 0.05, 0.02, 50
comm = MPI.COMM_WORLD

# One plan for all components of a vector, which axis 0 counts and every rank has; spectra are
# Fourier coefficients.
plan = weft.PaddedPlan((3, n, n, n), comm, axes=(1, 2, 3), kind="r2c", scale="forward")
k = np.concatenate(np.broadcast_arrays(*plan.wavenumbers()))
k2 = (k**2).sum(axis=0)


def divergence_of(of: Local) -> Local:
    """Of a spectrum, without the factor i."""
    return np.asarray((k * of).sum(axis=0))


def change(u_hat: weft.DistArray) -> Local:
    """du/dt in Fourier space: u x curl u without its gradient part, and viscosity."""
    curl_hat = plan.empty_out()
    curl_hat.local[...] = 1j * np.cross(k, u_hat.local, axis=0)
    u, curl, product = plan.backward(u_hat), plan.backward(curl_hat), plan.empty_in()
    product.local[...] = np.cross(u.local, curl.local, axis=0)
    result = plan.forward(product).local
    result -= k * (divergence_of(result) / np.where(k2 == 0, 1, k2))
    return np.asarray(result - viscosity * k2 * u_hat.local)


def energy_and_dissipation(u_hat: weft.DistArray) -> tuple[float, float]:
    # Each value of the halved axis stands for k and -k, but that of k = 0 for itself.
    squares = np.where(k[2] == 0, 1, 2) * abs(u_hat) ** 2
    return squares.sum() / 2, viscosity * (k2 * squares).sum()


_, x, y, z = plan.coordinates()
start = plan.empty_in()
start.local[...] = 0
start.local[:1] = np.sin(x) * np.cos(y) * np.cos(z)
start.local[1:2] = -np.cos(x) * np.sin(y) * np.cos(z)
u_hat = plan.forward(start)

history = [energy_and_dissipation(u_hat)]
for step in range(steps):
    begin, total = u_hat.copy(), np.zeros_like(u_hat.local)
    for weight, ahead in ((1, 0.5), (2, 0.5), (2, 1), (1, 0)):  # Runge and Kutta's four stages.
        slope = change(u_hat)
        total += weight / 6 * slope
        u_hat.local[...] = begin.local + ahead * dt * slope
    u_hat.local[...] = begin.local + dt * total
    history.append(energy_and_dissipation(u_hat))

energy, dissipation = np.array(history).T
simpson = dt / 3 * np.array([1, *[4, 2] * (steps // 2 - 1), 4, 1])
balance = abs(energy[0] - energy[-1] - simpson @ dissipation)
divergence = comm.allreduce(np.abs(divergence_of(u_hat.local)).max(initial=0), MPI.MAX)
if comm.rank == 0:
    print(f"energy {energy[0]:.6f} -> {energy[-1]:.6f} in {steps * dt:g} units of time")
    print(f"not accounted for {balance:.1e}, divergence {divergence:.1e}")
known = abs(energy[-1] - 0.091872284215) < 1e-8 and abs(dissipation[-1] - 0.029548013135) < 1e-7
sys.exit(0 if known and balance < 1e-8 and divergence < 1e-14 else 1)
