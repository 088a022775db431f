// What stays of a rank when something has failed: memory of the host and of the device, threads,
// shared memory.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "allocations.hpp"
#include "device/devices.hpp"
#include "expect.hpp"
#include "outcome.hpp"
#include "testing/fake/fake.hpp"

namespace weft::test {

inline std::size_t threads() {
    const std::filesystem::directory_iterator all("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// No thread stays beyond those that were there before. The kernel lists a thread for a moment
/// after it was joined.
inline void expect_threads(std::size_t before) {
    for (int tries = 0; tries < 1000 && threads() > before; ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_LE(threads(), before);
}

/// Of the fake device's memory; 0 where there is none.
inline int buffers_held() {
    int buffers = 0;
    (void)outcome_of([&] { buffers = core::buffers_of(core::device("fake")); });
    return buffers;
}
/// Of the host's memory, by `new`, without those by which the fake device knows freed buffers. Each
/// other buffer of the host's has an owner among them.
inline long blocks_of_rank() {
    int known = 0;
    (void)outcome_of([&] { known = core::all_buffers_of(core::device("fake")); });
    return blocks_held() - known;
}

/// What the rank holds when this is made.
struct Held {
    std::vector<std::string> files = shared_memory_files();
    std::size_t of_threads = threads();
    int buffers = buffers_held();

    /// That it holds no more. Blocks are counted over several times (blocks_kept).
    void expect_no_more() const {
        expect_threads(of_threads);
        EXPECT_LE(shared_memory_files().size(), files.size());
        EXPECT_LE(buffers_held(), buffers);
    }
};

/// How many blocks of the host's memory stay each time that something is done. The first times make
/// what is kept for later ones, so that the least of a few counts.
inline long blocks_kept(const std::function<void()>& work) {
    long least = 0;
    for (int time = 0; time < 4; ++time) {
        const long before = blocks_of_rank();
        work();
        const long kept = blocks_of_rank() - before;
        least = time == 0 ? kept : std::min(least, kept);
    }
    return least;
}

/// Refused on all ranks by the same error, again and again; nothing stays.
inline void expect_refused(const std::function<void()>& call, ErrorCode code,
                           const std::vector<std::string>& texts) {
    const Held before;
    EXPECT_LE(blocks_kept([&] { expect_collective_error(call, code, texts); }), 0);
    before.expect_no_more();
}
/// Of what is refused once only.
inline void expect_refused_once(const std::function<void()>& call, ErrorCode code,
                                const std::vector<std::string>& texts) {
    const Held before;
    expect_collective_error(call, code, texts);
    before.expect_no_more();
}

/// Refused on this rank, whatever the others do; nothing stays.
inline void expect_refused_here(const std::function<void()>& call,
                                const std::vector<std::string>& texts) {
    const Held before;
    const auto refuse = [&] {
        const Outcome outcome = outcome_of(call);
        EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::bad_request)) << outcome.text;
        for (const std::string& text : texts) {
            EXPECT_NE(outcome.text.find(text), std::string::npos) << outcome.text;
        }
    };
    EXPECT_LE(blocks_kept(refuse), 0);
    before.expect_no_more();
}

}  // namespace weft::test
