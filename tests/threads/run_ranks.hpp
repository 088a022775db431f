// Every rank on a thread of its own.
#pragma once

#include <thread>
#include <vector>

namespace weft::core::test {

/// work(rank) for all ranks at once; returns when all have. What one throws ends the program, since
/// the others would wait for it.
template <class Work>
void run_ranks(int ranks, const Work& work) {
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&work, rank]() noexcept { work(rank); });
    }
    for (std::thread& thread : threads) thread.join();
}

}  // namespace weft::core::test
