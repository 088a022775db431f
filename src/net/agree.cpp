#include "net/agree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <tuple>

#include "base/index.hpp"
#include "base/random.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"

namespace weft::core {

namespace {

/// Each number becomes the largest of all ranks.
template <std::size_t count>
std::array<std::int64_t, count> largest(MPI_Comm comm,
                                        const std::array<std::int64_t, count>& mine) {
    // No rank gives this number, so another one shows that the result has arrived.
    constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min();
    std::array<std::int64_t, count> all{};
    all.fill(nothing);
    const int status =
        MPI_Allreduce(mine.data(), all.data(), static_cast<int>(count), MPI_INT64_T, MPI_MAX, comm);
    if (all.back() == nothing) check_mpi(status, "MPI_Allreduce");
    return all;
}

/// From that rank to all. A value that has not arrived is all zeros, `arrived`, its last member,
/// with it. It goes in messages that MPI sends from memory which it has already: a rank that fails
/// for want of memory may get none for a longer one, and UCX then waits forever.
template <class Value>
Value broadcast_value(MPI_Comm comm, int root, Value value) {
    constexpr std::size_t piece = 64;
    if (rank_in(comm) != root) value = {};
    auto* bytes = reinterpret_cast<std::byte*>(&value);
    int status = MPI_SUCCESS;
    for (std::size_t sent = 0; sent < sizeof(value); sent += piece) {
        const int count = static_cast<int>(std::min(piece, sizeof(value) - sent));
        const int failed = MPI_Bcast(bytes + sent, count, MPI_BYTE, root, comm);
        if (failed != MPI_SUCCESS) status = failed;
    }
    if (value.arrived == 0) check_mpi(status, "MPI_Bcast");
    return value;
}

/// What a rank tells all others of its failure.
struct Notice {
    int code = 0;
    std::array<char, 4084> text{};  ///< a longer one is cut
    int arrived = 0;
};

Notice notice_of(const Failure& failure) {
    // Without memory for its own text, or any at all, there is only one reason.
    const char* text = failure.message.empty() ? "not enough memory" : failure.message.c_str();
    Notice notice{static_cast<int>(failure.code), {}, 1};
    std::strncpy(notice.text.data(), text, notice.text.size() - 1);
    return notice;
}

/// By their codes, errors that are there before memory may be short. Copies of one share its text.
const std::array<Error, 5> errors_without_text = [] {
    const auto one = [](int code) {
        return Error(static_cast<ErrorCode>(code),
                     "a rank failed, and there is not enough memory to say why");
    };
    return std::array<Error, 5>{one(0), one(1), one(2), one(3), one(4)};
}();

/// Collective. Throws the failure of that rank on all: an Error, also where memory is short, since
/// ranks that caught another exception would go on elsewhere than the others.
[[noreturn]] void throw_failure_of(MPI_Comm comm, int rank, const Failure& failure,
                                   bool everywhere) {
    const Notice notice = broadcast_value(comm, rank, notice_of(failure));
    std::optional<Error> error;
    try {
        error.emplace(static_cast<ErrorCode>(notice.code),
                      everywhere ? std::string(notice.text.data())
                                 : fmt::format("rank {}: {}", rank, notice.text.data()));
    } catch (const std::bad_alloc&) {
        error.reset();
    }
    const bool all_have_text = largest<1>(comm, {error ? 0 : 1}).front() == 0;
    if (error && all_have_text) throw Error(*error);
    throw Error(errors_without_text.at(usize(notice.code)));
}

/// A number of `seed` that other texts hardly have.
std::int64_t digest(const std::string& text, std::uint64_t seed) {
    std::uint64_t result = mix(seed ^ text.size());
    for (std::size_t i = 0; i < text.size(); i += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + i, std::min(sizeof word, text.size() - i));
        result = mix(result ^ word);
    }
    // As a positive number, whose negative is one as well.
    return static_cast<std::int64_t>(result >> 1U);
}

/// Two digests of a text and their negatives, whose largest tell whether all ranks' are the same.
std::array<std::int64_t, 4> digests(const std::string& text) {
    const std::int64_t one = digest(text, 1);
    const std::int64_t two = digest(text, 2);
    return {one, -one, two, -two};
}

bool are_same(std::int64_t most, std::int64_t negative_of_least) {
    return most == -negative_of_least;
}

/// Collective: the largest of each number, unless some rank failed, whose failure is thrown then.
/// One reduction of at most 64 bytes.
template <std::size_t count>
std::array<std::int64_t, count> largest_if_all_succeeded(
    MPI_Comm comm, const Failure& failure, const std::array<std::int64_t, count>& mine) {
    const int ranks = ranks_in(comm);
    std::array<std::int64_t, count + 2> here{failure.happened ? ranks - rank_in(comm) : 0,
                                             failure.happened ? 0 : 1};
    std::copy(mine.begin(), mine.end(), here.begin() + 2);
    const auto all = largest(comm, here);
    if (all[0] != 0) throw_failure_of(comm, ranks - static_cast<int>(all[0]), failure, all[1] == 0);
    std::array<std::int64_t, count> result{};
    std::copy(all.begin() + 2, all.end(), result.begin());
    return result;
}

/// A text, or of a long one what stands around that place.
std::string excerpt(const std::string& text, std::size_t place) {
    constexpr std::size_t around = 120;
    if (text.size() <= 4 * around) return text;
    const std::size_t begin = place < around ? 0 : std::min(place, text.size()) - around;
    const std::string part = text.substr(begin, 2 * around);
    return fmt::format("{}{}{}", begin > 0 ? ".." : "", part,
                       begin + part.size() < text.size() ? ".." : "");
}

Failure failure_of(ErrorCode code, const char* text) {
    Failure failure{true, code, {}};
    try {
        failure.message = text;
    } catch (const std::bad_alloc&) {
        failure.code = ErrorCode::system;
    }
    return failure;
}

}  // namespace

Failure attempt(FunctionRef<void()> work) {
    try {
        work();
    } catch (const Error& error) {
        return failure_of(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        return failure_of(ErrorCode::system, "not enough memory");
    } catch (const std::exception& error) {
        return failure_of(ErrorCode::system, error.what());
    } catch (...) {
        return failure_of(ErrorCode::system, "an unknown exception");
    }
    return {};
}

void require_mpi(MPI_Comm comm) {
    int initialised = 0;
    int finalised = 0;
    MPI_Initialized(&initialised);
    if (initialised != 0) MPI_Finalized(&finalised);
    if (initialised == 0 || finalised != 0) {
        throw Error(ErrorCode::system,
                    initialised == 0 ? "MPI is not initialised: call MPI_Init before using weft"
                                     : "MPI is finalised: weft cannot be used after MPI_Finalize");
    }
    if (comm == MPI_COMM_NULL) {
        throw Error(ErrorCode::bad_request, "the communicator is MPI_COMM_NULL");
    }
    int inter = 0;
    check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    if (inter != 0) {
        throw Error(ErrorCode::bad_request,
                    "the communicator is an intercommunicator; merge it with MPI_Intercomm_merge");
    }
}

void all_or_none(MPI_Comm comm, FunctionRef<void()> work) {
    const Failure failure = attempt(work);
    (void)largest_if_all_succeeded<0>(comm, failure, {});
}

void all_or_none(MPI_Comm comm, FunctionRef<void()> work, Numbers& numbers) {
    const Failure failure = attempt(work);
    numbers = largest_if_all_succeeded(comm, failure, numbers);
}

int highest(MPI_Comm comm, int number) {
    return static_cast<int>(largest<1>(comm, {number}).front());
}

bool on_any_rank(MPI_Comm comm, bool here) { return highest(comm, here ? 1 : 0) != 0; }

std::vector<int> on_all_ranks(MPI_Comm comm, const std::vector<int>& here) {
    std::vector<int> result;
    all_or_none(comm, [&] { result = here; });
    all_or_none(comm, [&] {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, result.data(), static_cast<int>(result.size()),
                                MPI_INT, MPI_MIN, comm),
                  "MPI_Allreduce");
    });
    return result;
}

std::string broadcast_text(MPI_Comm comm, int root, const std::string& text) {
    struct Length {
        std::int64_t length = 0;
        int arrived = 0;
    };
    const Length about =
        broadcast_value(comm, root, Length{static_cast<std::int64_t>(text.size()), 1});
    std::string result;
    all_or_none(comm, [&] {
        result.assign(usize(about.length), '\0');
        if (rank_in(comm) == root) result = text;
    });
    all_or_none(comm, [&] {
        check_mpi(MPI_Bcast(result.data(), static_cast<int>(about.length), MPI_CHAR, root, comm),
                  "MPI_Bcast");
    });
    return result;
}

std::string told_by_first(MPI_Comm comm, FunctionRef<std::string()> text) {
    std::string mine;
    all_or_none(comm, [&] {
        if (rank_in(comm) == 0) mine = text();
    });
    return broadcast_text(comm, 0, mine);
}

bool is_same_everywhere(MPI_Comm comm, const std::string& text) {
    const auto all = largest(comm, digests(text));
    return are_same(all[0], all[1]) && are_same(all[2], all[3]);
}

void require_same(MPI_Comm comm, const char* what, FunctionRef<std::string()> text) {
    Numbers none{};
    require_same(comm, what, text, none);
}

void require_same(MPI_Comm comm, const char* what, FunctionRef<std::string()> text,
                  Numbers& numbers) {
    std::string mine;
    const Failure failure = attempt([&] { mine = text(); });
    const std::array<std::int64_t, 4> of_text = digests(mine);
    std::array<std::int64_t, of_text.size() + std::tuple_size_v<Numbers>> here{};
    std::copy(of_text.begin(), of_text.end(), here.begin());
    std::copy(numbers.begin(), numbers.end(), here.begin() + of_text.size());
    const auto all = largest_if_all_succeeded(comm, failure, here);
    std::copy(all.begin() + of_text.size(), all.end(), numbers.begin());
    if (are_same(all[0], all[1]) && are_same(all[2], all[3])) return;
    const std::string first = broadcast_text(comm, 0, mine);
    const int ranks = ranks_in(comm);
    const int differing = ranks - highest(comm, mine != first ? ranks - rank_in(comm) : 0);
    const std::string other = broadcast_text(comm, differing, mine);
    const auto place =
        usize(std::mismatch(first.begin(), first.end(), other.begin(), other.end()).first -
              first.begin());
    throw Error(ErrorCode::bad_request,
                fmt::format("the ranks disagree on {}: rank 0 has '{}', rank {} has '{}'; give all "
                            "ranks the same",
                            what, excerpt(first, place), differing, excerpt(other, place)));
}

}  // namespace weft::core
