#include "agreement.hpp"

#include <fmt/format.h>

#include <array>

namespace weft::fftw {

namespace {

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    return ranks;
}

/// Collective. For each of these the lowest rank on which it is so, or the number of ranks.
template <std::size_t count>
std::array<int, count> lowest_ranks(MPI_Comm comm, const std::array<bool, count>& here) {
    const int ranks = size_of(comm);
    std::array<int, count> result{};
    for (std::size_t i = 0; i < count; ++i) result[i] = here[i] ? rank_in(comm) : ranks;
    MPI_Allreduce(MPI_IN_PLACE, result.data(), static_cast<int>(count), MPI_INT, MPI_MIN, comm);
    return result;
}

/// Collective. The text of that rank, on all.
std::string text_of(MPI_Comm comm, int rank, std::string text) {
    auto length = static_cast<int>(text.size());
    MPI_Bcast(&length, 1, MPI_INT, rank, comm);
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), length, MPI_CHAR, rank, comm);
    return text;
}

}  // namespace

void require_same(MPI_Comm comm, const char* what, const std::string& text) {
    const std::string first = text_of(comm, 0, text);
    const auto [other] = lowest_ranks<1>(comm, {text != first});
    if (other == size_of(comm)) return;
    throw Disagreement(fmt::format("the ranks disagree on {}: rank 0 has '{}', rank {} has '{}'",
                                   what, first, other, text_of(comm, other, text)));
}

bool is_in_place(const Call& call) {
    const bool owns = has_part(call, rank_in(call.comm), size_of(call.comm));
    const bool same = call.in == call.out;
    const auto [in_place, not_in_place] = lowest_ranks<2>(call.comm, {owns && same, owns && !same});
    const int ranks = size_of(call.comm);
    if (in_place < ranks && not_in_place < ranks) {
        throw Disagreement(
            fmt::format("the ranks disagree on the arrays: rank {} has one for both "
                        "ends, rank {} has two",
                        in_place, not_in_place));
    }
    return in_place < ranks;
}

bool on_any_rank(MPI_Comm comm, bool here) {
    return lowest_ranks<1>(comm, {here}).front() < size_of(comm);
}

}  // namespace weft::fftw
