// Threads that work together on one thing at a time.
#pragma once

#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/no_copy.hpp"
#include "base/work.hpp"

namespace weft::core {

/// A fixed number of threads, the calling one among them; the others sleep between two calls.
class Team : NoCopy {
  public:
    /// Starts threads - 1 threads. Throws Error(system) if the system has none left.
    explicit Team(int threads);
    ~Team();

    [[nodiscard]] int size() const { return static_cast<int>(others_.size()) + 1; }

    /// work(i) on thread i, for all i below size(), 0 on the calling one; returns when all have
    /// returned, and throws what one of them has thrown. Allocates nothing. One call at a time.
    template <class Work>
    void run(const Work& work) {
        run([](const void* it, int thread) { (*static_cast<const Work*>(it))(thread); }, &work);
    }

  private:
    using Function = void (*)(const void*, int);

    void run(Function function, const void* work);
    void serve(int thread);
    void work_as(int thread) noexcept;
    void stop();

    Function function_ = nullptr;
    const void* work_ = nullptr;
    std::atomic<unsigned> calls_ = 0;  ///< each begins when this changes
    std::atomic<int> busy_ = 0;        ///< other threads that have not returned yet
    bool stopping_ = false;
    std::mutex mutex_;  ///< of the error
    std::exception_ptr error_;
    std::vector<std::thread> others_;
};

/// How busy all of the parts are if n steps are shared: 1 if evenly, less if some have nothing to
/// do while the longest part goes on. In 64ths, so that what hardly differs is equal.
template <class Integer>
double evenness(Integer n, int parts) {
    const Integer longest = (n + parts - 1) / parts;
    if (longest == 0) return 0;
    const double even = static_cast<double>(n) / static_cast<double>(longest) / parts;
    return std::round(even * 64) / 64;
}

/// body(begin, end) for the parts of n steps, in order; no part is empty.
template <class Integer, class Body>
void for_each_part(Integer n, int parts, const Body& body) {
    if (n < parts) parts = static_cast<int>(n);
    for (int i = 0; i < parts; ++i) body(part_begin(n, parts, i), part_begin(n, parts, i + 1));
}

}  // namespace weft::core
