#!/usr/bin/env python3
"""Times mpi4py-fft for `weft bench --against`: an example of how another library is measured beside weft.

    mpirun -n 2 build/bin/weft bench 128x128x128 --against \
        'program:mpi4py-fft=mpirun -n {ranks} python3 bench/mpi4py_fft_program.py {kind} {precision} {shape} {repeat}'

bench/README.md says what a program prints.
"""
import json
import sys
from importlib.metadata import version


def chirp(modulus, at):
    return (at % modulus) ** 2 % modulus / modulus - 0.5


def samples(modulus, at, is_complex):
    """The signal (modulus 1009) and the weights (997) at row-major global indices."""
    return chirp(modulus, at) + 1j * chirp(modulus, at + 500) if is_complex else chirp(modulus, at)


def main():
    kind, precision, shape, repeat = sys.argv[1:5]
    try:
        import mpi4py_fft
        import numpy
        from mpi4py import MPI
    except ImportError as missing:
        print(json.dumps({"cannot": f"mpi4py-fft is not installed: {missing}"}))
        return
    comm = MPI.COMM_WORLD
    shape = [int(n) for n in shape.split("x")]
    letters = {"c2c": {"f64": "D", "f32": "F"}, "r2c": {"f64": "d", "f32": "f"}}
    plan = mpi4py_fft.PFFT(comm, shape, dtype=letters[kind][precision], collapse=True)
    forward, backward = plan.forward, plan.backward
    signal, spectrum = forward.input_array, forward.output_array

    def indices(is_spectrum):
        parts = numpy.ix_(*(numpy.arange(part.start, part.stop) for part in plan.local_slice(is_spectrum)))
        at = 0
        for n, part in zip(plan.global_shape(is_spectrum), parts):
            at = at * n + part
        return at

    def projection(array, is_spectrum):
        product = comm.allreduce(complex((array * samples(997, indices(is_spectrum), True)).sum()))
        return [product.real, product.imag]

    def transform():
        return lambda: forward(normalize=False), lambda: backward(normalize=False)

    signal[...] = samples(1009, indices(False), kind == "c2c")
    given = signal.copy()
    transform()[0]()
    told = {"version": version("mpi4py-fft"), "plan": f"grid {[part.size for part in plan.subcomm]}, FFTW_MEASURE",
            "ranks": comm.size, "forward_s": [], "backward_s": [], "spectrum": projection(spectrum, True)}
    transform()[1]()
    told["back"] = projection(backward.output_array / numpy.prod(shape), False)
    for turn in range(-2, int(repeat)):
        given[...] = 0
        for key, run in zip(("forward_s", "backward_s"), transform()):
            comm.Barrier()
            begin = MPI.Wtime()
            run()
            seconds = numpy.array(MPI.Wtime() - begin)
            comm.Allreduce(MPI.IN_PLACE, seconds, MPI.MAX)
            if turn >= 0:
                told[key].append(float(seconds))
    if comm.rank == 0:
        print(json.dumps(told))


if __name__ == "__main__":
    main()
