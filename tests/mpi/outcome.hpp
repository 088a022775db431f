// How a collective call ended, on all ranks.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace weft::test {

struct Outcome {
    int code = 0;  ///< of the Error; 0: none, -1: another exception
    std::string text;

    [[nodiscard]] bool fine() const { return code == 0; }
};

Outcome outcome_of(const std::function<void()>& call);

/// Collective over MPI_COMM_WORLD: expects the same on every rank.
void expect_same(const Outcome& outcome, const std::string& what);

/// The files of /dev/shm that this process has mapped, deleted ones included. What other programs
/// have there meanwhile is not seen.
std::vector<std::string> shared_memory_files();

}  // namespace weft::test
