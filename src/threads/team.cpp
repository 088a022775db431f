#include "threads/team.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/index.hpp"
#include "weft/error.hpp"

namespace weft::core {

Team::Team(int threads) {
    others_.reserve(usize(threads - 1));
    try {
        for (int i = 1; i < threads; ++i) others_.emplace_back([this, i] { serve(i); });
    } catch (const std::system_error& error) {
        stop();
        throw Error(ErrorCode::system,
                    fmt::format("threads={}: the system gave only {} ({}); ask for fewer", threads,
                                size(), error.what()));
    } catch (...) {
        stop();
        throw;
    }
}

Team::~Team() { stop(); }

void Team::stop() {
    stopping_ = true;
    ++calls_;
    calls_.notify_all();
    for (std::thread& thread : others_) thread.join();
}

void Team::serve(int thread) {
    for (unsigned seen = 0;; ++seen) {
        calls_.wait(seen);
        if (stopping_) return;
        work_as(thread);
        if (--busy_ == 0) busy_.notify_one();
    }
}

void Team::work_as(int thread) noexcept {
    try {
        function_(work_, thread);
    } catch (...) {
        const std::scoped_lock lock(mutex_);
        error_ = std::current_exception();
    }
}

void Team::run(Function function, const void* work) {
    function_ = function;
    work_ = work;
    busy_ = size() - 1;
    ++calls_;
    calls_.notify_all();
    work_as(0);
    for (int left = busy_; left != 0; left = busy_) busy_.wait(left);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace weft::core
