// Collective agreement: either all ranks go on, or all throw the same error.
//
// A collective call of weft is a sequence of steps. In each, a rank works by itself or takes part
// in one collective call of MPI's, and then all agree whether every rank managed it. Between two
// steps nothing may throw on one rank alone: it would leave, and the others would wait for it for
// ever.
//
// Example, 2 ranks: rank 1 cannot allocate its buffer.
//   all_or_none(comm, [&] { buffer = Buffer(bytes); });
// Both take part in the reduction that follows, and both throw "rank 1: not enough memory: ...".
//
// The agreement itself allocates nothing, and takes what has arrived as valid even if MPI reports
// an error of the call on this rank: nobody else would learn of it. If MPI brings this rank no
// result at all, the error of that call is thrown here, and other ranks may wait for this one:
// without MPI nothing can be agreed on.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/function_ref.hpp"
#include "weft/error.hpp"

namespace weft::core {

/// What an exception said, as a value.
struct Failure {
    bool happened = false;
    ErrorCode code = ErrorCode::system;
    std::string message;
};

/// Runs `work` and catches whatever it throws. Without memory for the message it is empty.
Failure attempt(FunctionRef<void()> work);

/// Throws Error(system) if MPI is not initialised or already finalised, or the communicator is
/// null.
void require_mpi(MPI_Comm comm);

/// Collective. Runs `work` on every rank, which communicates with nobody or is one collective call
/// of MPI's. If it throws anywhere, every rank throws the error of the lowest rank that failed,
/// which the message names unless all ranks failed.
void all_or_none(MPI_Comm comm, FunctionRef<void()> work);

/// What ranks tell each other as they agree, in the same reduction. Not the lowest of all numbers.
using Numbers = std::array<std::int64_t, 2>;
/// The same; where it succeeds each number, which `work` may set, becomes the largest of the
/// ranks'.
void all_or_none(MPI_Comm comm, FunctionRef<void()> work, Numbers& numbers);

/// Collective. An object whose constructor is collective and throws on all ranks or none; memory
/// for it is agreed on before.
template <class T, class... Arguments>
std::shared_ptr<T> make_collectively(MPI_Comm comm, Arguments&&... arguments) {
    std::shared_ptr<std::optional<T>> place;
    all_or_none(comm, [&] { place = std::make_shared<std::optional<T>>(); });
    T* object = &place->emplace(std::forward<Arguments>(arguments)...);
    return std::shared_ptr<T>(place, object);
}

/// Collective. The largest of the ranks' numbers.
int highest(MPI_Comm comm, int number);

/// Collective. Whether it is so on some rank.
bool on_any_rank(MPI_Comm comm, bool here);

/// Collective. Which of these things, as many on every rank, are so on all ranks.
std::vector<int> on_all_ranks(MPI_Comm comm, const std::vector<int>& here);

/// Collective. The text of that rank, on all.
std::string broadcast_text(MPI_Comm comm, int root, const std::string& text);
/// Collective. What rank 0 says, on all; its error as all_or_none's.
std::string told_by_first(MPI_Comm comm, FunctionRef<std::string()> text);

/// Collective. Whether all ranks have the same text.
bool is_same_everywhere(MPI_Comm comm, const std::string& text);

/// Collective. Throws Error(bad_request) on every rank unless `text()` is the same everywhere; the
/// message quotes the text of rank 0 and that of the lowest rank that differs. If making the text
/// throws anywhere, every rank throws that error as all_or_none does. It may do more than make the
/// text, as what is given to all_or_none; `numbers` as there.
void require_same(MPI_Comm comm, const char* what, FunctionRef<std::string()> text);
void require_same(MPI_Comm comm, const char* what, FunctionRef<std::string()> text,
                  Numbers& numbers);

}  // namespace weft::core
