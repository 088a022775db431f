#include "wisdom.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "settings.hpp"
#include "weft/wisdom.hpp"

namespace weft::fftw {

namespace {

constexpr int tag = 0;

/// As much as one MPI message can count, whole lines of it. An error leaves nothing to send.
std::string exported() {
    constexpr std::size_t most = 1 << 30;
    try {
        std::string text = wisdom::export_text();
        if (text.size() > most) text.resize(text.rfind('\n', most) + 1);
        return text;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "weft: wisdom was not exported: %s\n", error.what());
        return "";
    }
}

void import(const std::string& text) {
    try {
        wisdom::import_text(text);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "weft: wisdom was not imported: %s\n", error.what());
    }
}

std::string receive(int from, MPI_Comm comm) {
    MPI_Status status;
    MPI_Probe(from, tag, comm, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string text(static_cast<std::size_t>(size), '\0');
    MPI_Recv(text.data(), size, MPI_CHAR, from, tag, comm, MPI_STATUS_IGNORE);
    return text;
}

/// Messages of wisdom travel on a communicator of their own, apart from the program's.
class Duplicate {
  public:
    explicit Duplicate(MPI_Comm comm) {
        MPI_Comm_dup(comm, &comm_);
        MPI_Comm_rank(comm_, &rank);
        MPI_Comm_size(comm_, &ranks);
    }
    ~Duplicate() { MPI_Comm_free(&comm_); }
    Duplicate(const Duplicate&) = delete;
    Duplicate& operator=(const Duplicate&) = delete;
    [[nodiscard]] MPI_Comm get() const { return comm_; }

    int rank = 0;
    int ranks = 1;

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

void gather_wisdom(MPI_Comm comm) {
    if (settings().mode == Mode::off) return;
    const Duplicate own(comm);
    if (own.rank != 0) {
        const std::string text = exported();
        MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, tag, own.get());
        return;
    }
    for (int rank = 1; rank < own.ranks; ++rank) import(receive(rank, own.get()));
}

void broadcast_wisdom(MPI_Comm comm) {
    if (settings().mode == Mode::off) return;
    const Duplicate own(comm);
    std::string text = own.rank == 0 ? exported() : "";
    auto size = static_cast<int>(text.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, own.get());
    text.resize(static_cast<std::size_t>(size));
    MPI_Bcast(text.data(), size, MPI_CHAR, 0, own.get());
    if (own.rank != 0) import(text);
}

}  // namespace weft::fftw
