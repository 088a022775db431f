#include "api/c_guard.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/text.hpp"
#include "net/agree.hpp"
#include "weft/allocate.hpp"

namespace weft {

static_assert(WEFT_WRONG_RESULT == static_cast<int>(ErrorCode::wrong_result));
static_assert(WEFT_BAD_REQUEST == static_cast<int>(ErrorCode::bad_request));
static_assert(WEFT_NOT_AVAILABLE == static_cast<int>(ErrorCode::not_available));
static_assert(WEFT_SYSTEM == static_cast<int>(ErrorCode::system));

namespace {

thread_local std::string last_error;

}  // namespace

weft_code guarded(core::FunctionRef<void()> work) {
    core::Failure failure = core::attempt(work);
    if (!failure.happened) return WEFT_SUCCESS;
    // So short a text needs no memory.
    last_error = failure.message.empty() ? "out of memory" : std::move(failure.message);
    return static_cast<weft_code>(failure.code);
}

weft_code guarded_by_all(MPI_Comm comm, core::FunctionRef<void()> check,
                         core::FunctionRef<void()> work) {
    return guarded([&] {
        core::require_mpi(comm);
        core::all_or_none(comm, check);
        work();
    });
}

void require(const void* pointer, const char* name) {
    if (pointer == nullptr) core::bad_request(fmt::format("the argument '{}' is NULL", name));
}

char* copied(const std::string& text) {
    const std::size_t bytes = text.size() + 1;
    void* data = detail::allocate_bytes(static_cast<Index>(bytes));
    return static_cast<char*>(std::memcpy(data, text.c_str(), bytes));
}

}  // namespace weft

const char* weft_last_error() { return weft::last_error.c_str(); }

weft_code weft_agree(const char* error, MPI_Comm comm) {
    const auto check = [&] {
        if (error != nullptr) weft::core::bad_request(error);
    };
    if (comm == MPI_COMM_NULL) return weft::guarded(check);
    return weft::guarded_by_all(comm, check, [] {});
}
