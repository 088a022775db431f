#include "net/mpi_ending.hpp"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>
#include <utility>

#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"

namespace weft::core {

namespace {

static_assert(std::is_trivially_copyable_v<MpiEnding::Word>);

/// MPI's words lie anywhere, so that they are copied.
void take_lowest(void* from, void* into, int* count, MPI_Datatype* /*type*/) {
    for (int i = 0; i < *count; ++i) {
        MpiEnding::Word one;
        MpiEnding::Word other;
        std::byte* const place = static_cast<std::byte*>(into) + i * sizeof(one);
        std::memcpy(&one, static_cast<std::byte*>(from) + i * sizeof(one), sizeof(one));
        std::memcpy(&other, place, sizeof(other));
        const auto place_of = [](const MpiEnding::Word& word) {
            return std::pair(word.heard, word.rank);
        };
        MpiEnding::Word result = place_of(one) < place_of(other) ? one : other;
        result.failed = one.failed + other.failed;
        std::memcpy(place, &result, sizeof(result));
    }
}

bool was_heard(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const PeerFailure&) {
        return true;
    } catch (...) {
        return false;
    }
}

MpiEnding::Word word_of(int rank, const std::exception_ptr& error) {
    MpiEnding::Word word;
    if (error == nullptr) return word;
    const Failure failure = attempt([&] { std::rethrow_exception(error); });
    const char* text = failure.message.empty() ? "not enough memory" : failure.message.c_str();
    word.rank = rank;
    word.heard = was_heard(error) ? 1 : 0;
    word.failed = 1 - word.heard;
    word.code = static_cast<int>(failure.code);
    std::strncpy(word.text.data(), text, word.text.size() - 1);
    return word;
}

}  // namespace

MpiEnding::MpiEnding(MPI_Comm comm) : comm_(comm), words_(std::make_unique<Words>()) {
    rank_ = rank_in(comm);
    ranks_ = ranks_in(comm);
    // Whole words, since MPI may reduce elements in parts.
    check_mpi(MPI_Type_contiguous(sizeof(Word), MPI_BYTE, &type_), "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
    check_mpi(MPI_Op_create(&take_lowest, 1, &lowest_), "MPI_Op_create");
}

MpiEnding::~MpiEnding() {
    if (mpi_is_finalised()) return;
    int complete = 1;
    if (request_ != MPI_REQUEST_NULL) MPI_Test(&request_, &complete, MPI_STATUS_IGNORE);
    // After an error this rank did not wait for the others, which may never come: MPI keeps them.
    // NOLINTNEXTLINE(bugprone-unused-return-value)
    if (complete == 0) (void)words_.release();
    if (lowest_ != MPI_OP_NULL) MPI_Op_free(&lowest_);
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

void MpiEnding::begin(const std::exception_ptr& error) {
    if (request_ != MPI_REQUEST_NULL) (void)reached(true);
    words_->own = word_of(rank_, error);
    check_mpi(MPI_Iallreduce(&words_->own, &words_->all, 1, type_, lowest_, comm_, &request_),
              "MPI_Iallreduce");
}

bool MpiEnding::reached(bool block) {
    int complete = 1;
    if (block) {
        // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): begin() made the request.
        check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
    } else {
        check_mpi(MPI_Test(&request_, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    }
    return complete != 0;
}

std::exception_ptr MpiEnding::failure() const {
    const Word& word = words_->all;
    if (word.rank == Word::nobody) return nullptr;
    const std::string text = word.failed == ranks_
                                 ? std::string(word.text.data())
                                 : fmt::format("rank {}: {}", word.rank, word.text.data());
    return std::make_exception_ptr(Error(static_cast<ErrorCode>(word.code), text));
}

}  // namespace weft::core
