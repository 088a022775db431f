// A program that times another library: started in a job of its own, in turns with weft.
//
// `program:NAME=COMMAND` names one. COMMAND is a line for the shell, launcher included; weft puts
// the problem in place of {kind}, {precision}, {shape}, {n0}, {n1}, {n2}, {ranks} and {repeat}:
//
//     program:mpi4py-fft=mpirun -n {ranks} python3 bench/mpi4py_fft_program.py {kind} {precision} {shape} {repeat}
//
// The program transforms the signal s there and back `repeat` times, all ranks meeting in
// MPI_Barrier before each transform, and prints one line, an object of JSON:
//
//     {"version": "2.0.4", "plan": "slab", "ranks": 2, "forward_s": [0.12, 0.11],
//      "backward_s": [0.13, 0.12], "spectrum": [-3.1, 8.2], "back": [0.4, 1.7]}
//
// | key | meaning |
// |---|---|
// | version, plan | of the library, and how it does it, as text; `plan` may be missing |
// | ranks | of the program's MPI_COMM_WORLD |
// | forward_s, backward_s | seconds of the slowest rank in each repeat, without planning |
// | spectrum | real and imaginary part of the sum over k of w(k) S(k); S is the spectrum without scaling: the sum over l of s(l) exp(-2 pi i ...) |
// | back | the sum over l of w(l) b(l); b is the backward transform of S over the number of points |
//
// k and l are row-major global indices, of the n0 x n1 x (n2/2+1) numbers of the spectrum if the
// kind is r2c. With q(m, l) = ((l mod m)^2 mod m) / m - 1/2:
//
//     s(l) = q(1009, l) + i q(1009, l + 500), its real part if the kind is r2c
//     w(l) = q(997, l) + i q(997, l + 500)
//
// For 2 x 2 points of r2c, s = -1/2, 1/1009 - 1/2, 4/1009 - 1/2, 9/1009 - 1/2, S(0) = 14/1009 - 2.
//
// A program that cannot do the problem prints {"cannot": "why"} instead.
#pragma once

#include <mpi.h>

#include <complex>
#include <optional>
#include <string>

#include "measure/contender.hpp"
#include "measure/race.hpp"

namespace weft::cli {

struct Program {
    std::string name;
    std::string command;
    double limit = 0;  ///< seconds after which a run is ended
};

/// What one run has told.
struct ProgramRun {
    Description how;
    Times times;
    std::complex<double> spectrum;
    std::complex<double> back;
};

/// The program that `against` names; nothing if it names a library instead. Throws
/// Error(bad_request) if there is no name, no command or an unknown {word}.
std::optional<Program> program_of(const std::string& against, double limit);

/// Collective. One run, started by rank 0; the other ranks sleep meanwhile and leave their cores to
/// the program. Throws Error(not_available) if the program cannot do the problem, and Error(system)
/// if it fails, does not end in time or prints something else.
ProgramRun run_program(const Program& program, const Problem& problem, int repeat, MPI_Comm comm);

}  // namespace weft::cli
