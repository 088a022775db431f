// One all-to-all exchange, ready to run: a message of the same size from each rank to each other.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "memory/buffer.hpp"

namespace weft::cli {

/// Before an exchange rank r has its messages to ranks 0, 1, .. one after the other, after it those
/// from ranks 0, 1, ..; so there is nothing to pack on either side.
class Exchange {
  public:
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    virtual ~Exchange() = default;

    /// Collective.
    virtual void run() = 0;

    [[nodiscard]] const core::Buffer& in() const { return in_; }
    [[nodiscard]] const core::Buffer& out() const { return out_; }

  protected:
    void allocate(Index in_bytes, Index out_bytes) {
        in_ = core::Buffer(in_bytes);
        out_ = core::Buffer(out_bytes);
    }

  private:
    core::Buffer in_;
    core::Buffer out_;
};

/// weft's text of the exchange, as an array of ranks x ranks messages that goes from its rows to
/// its columns. Elements are of up to 16 bytes, as complex numbers are. Of empty messages: one rank
/// alone has something to keep, so that the exchange takes place but nobody sends.
std::string exchange_problem(int ranks, Index bytes);

/// The exchange by a method of weft's. Throws Error, the same on every rank, if the method cannot
/// do it. Collective.
std::unique_ptr<Exchange> weft_exchange(Index bytes, const std::string& via, MPI_Comm comm);

/// MPI_Alltoall itself, on plain buffers.
std::unique_ptr<Exchange> plain_alltoall(Index bytes, MPI_Comm comm);

/// Runs the exchange once and looks at every byte that arrives. Throws Error(wrong_result), which
/// `name`s it. Collective.
void check_exchange(Exchange& exchange, const std::string& name, Index bytes, MPI_Comm comm);

}  // namespace weft::cli
