// Helpers for tests that every rank runs.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <functional>
#include <string>

#include "weft/weft.hpp"

namespace weft::test {

inline int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

inline int world_size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// Expects an Error of that code on every rank, with the same message everywhere, that contains all
/// of the given texts.
inline void expect_collective_error(const std::function<void()>& call, ErrorCode code,
                                    const std::vector<std::string>& texts) {
    std::string message = "no error";
    try {
        call();
        ADD_FAILURE() << "no error was thrown";
    } catch (const Error& error) {
        message = error.what();
        EXPECT_EQ(error.code(), code) << message;
    }
    for (const std::string& text : texts) {
        EXPECT_NE(message.find(text), std::string::npos)
            << "'" << text << "' is not in: " << message;
    }
    int length = static_cast<int>(message.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::string first = message;
    first.resize(static_cast<std::size_t>(length));
    MPI_Bcast(first.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
    EXPECT_EQ(message, first) << "rank " << world_rank() << " has another message than rank 0";
}

}  // namespace weft::test
