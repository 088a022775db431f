"""How the package was built; CMake writes it (python/built.py.in)."""

mpi: str
"""The MPI: "Open MPI 4.1.4", "MPICH 4.0.2"."""
