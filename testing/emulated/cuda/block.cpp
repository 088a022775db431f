#include "testing/emulated/cuda/block.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "testing/emulated/cuda/fiber.hpp"
#include "testing/emulated/cuda/shared_block.hpp"
#include "weft/error.hpp"

namespace weft::core::emulated {

thread_local constinit Dim3 threadIdx;
thread_local constinit Dim3 blockIdx;
thread_local constinit Dim3 blockDim;
thread_local constinit Dim3 gridDim;

namespace {

/// Unwinds the stacks of threads that will never be resumed properly.
struct Abandoned : std::exception {};

std::string text(const Dim3& at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

/// Of that number, x fastest.
Dim3 index_in(const Dim3& extents, std::size_t number) {
    return {static_cast<unsigned>(number % extents.x),
            static_cast<unsigned>(number / extents.x % extents.y),
            static_cast<unsigned>(number / extents.x / extents.y)};
}

/// Runs the threads of one block after the other.
class Blocks {
  public:
    void run(Dim3 block, std::size_t shared_bytes, FunctionRef<void()> body);
    void wait(const std::source_location& here);
    [[nodiscard]] std::byte* shared() const { return shared_.data(); }
    void set_order(std::uint64_t seed) { random_ = Random(seed); }
    /// A number below n.
    std::size_t draw(std::size_t n) {
        return static_cast<std::size_t>(random_.between(0, static_cast<Index>(n) - 1));
    }

  private:
    /// A fiber runs threads that have not started, one after the other, until one of them waits. So
    /// a block whose threads meet no barrier needs one fiber.
    struct Worker {
        explicit Worker(Blocks& all) : blocks(&all), fiber(&Blocks::work, this) {}
        Blocks* blocks;
        Fiber fiber;
        Dim3 thread{};
        std::source_location barrier{};
    };

    static void work(void* worker);
    void run_threads();
    void resume(Worker& worker);
    Worker* idle_worker();
    /// All threads that have not ended go on from their barrier.
    void release();
    void abandon();
    void check_barrier() const;
    Random random_{1};
    SharedBlock shared_;
    Dim3 extents_{};
    const FunctionRef<void()>* body_ = nullptr;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<Worker*> idle_;
    std::vector<Worker*> waiting_;
    std::vector<Worker*> released_;
    std::vector<std::size_t> order_;
    std::size_t started_ = 0;
    std::size_t ended_ = 0;
    Worker* current_ = nullptr;
    bool abandoned_ = false;
    std::exception_ptr error_;
};

void Blocks::work(void* argument) {
    auto* worker = static_cast<Worker*>(argument);
    Blocks& blocks = *worker->blocks;
    for (;;) {
        blocks.run_threads();
        blocks.idle_.push_back(worker);
        worker->fiber.suspend();
    }
}

void Blocks::run_threads() {
    while (started_ < order_.size() && !error_) {
        threadIdx = index_in(extents_, order_[started_++]);
        try {
            (*body_)();
        } catch (const Abandoned&) {  // NOLINT(bugprone-empty-catch): its stack is unwound.
        } catch (...) {
            error_ = std::current_exception();
        }
        ++ended_;
    }
}

void Blocks::wait(const std::source_location& here) {
    Worker* worker = current_;
    worker->thread = threadIdx;
    worker->barrier = here;
    waiting_.push_back(worker);
    worker->fiber.suspend();
    threadIdx = worker->thread;
    if (abandoned_) throw Abandoned();
}

void Blocks::resume(Worker& worker) {
    current_ = &worker;
    worker.fiber.resume();
}

Blocks::Worker* Blocks::idle_worker() {
    if (idle_.empty()) {
        workers_.push_back(std::make_unique<Worker>(*this));
        return workers_.back().get();
    }
    Worker* worker = idle_.back();
    idle_.pop_back();
    return worker;
}

void Blocks::check_barrier() const {
    if (ended_ > 0) {
        const Worker& one = *waiting_.front();
        throw Error(ErrorCode::wrong_result,
                    fmt::format("{} of {} threads of block {} wait at __syncthreads() in {}:{}, as "
                                "thread {} does, but the others have ended; let all threads of a "
                                "block come to it",
                                waiting_.size(), order_.size(), text(blockIdx),
                                one.barrier.file_name(), one.barrier.line(), text(one.thread)));
    }
    const Worker& first = *waiting_.front();
    for (const Worker* other : waiting_) {
        if (other->barrier.line() == first.barrier.line()) continue;
        throw Error(ErrorCode::wrong_result,
                    fmt::format("thread {} of block {} waits at __syncthreads() in {}:{}, but "
                                "thread {} in line {}; let all threads of a block come to the same",
                                text(first.thread), text(blockIdx), first.barrier.file_name(),
                                first.barrier.line(), text(other->thread), other->barrier.line()));
    }
}

void Blocks::release() {
    released_.swap(waiting_);
    random_.shuffle(released_);
    for (Worker* worker : released_) {
        resume(*worker);
        if (error_) abandoned_ = true;
    }
    released_.clear();
}

void Blocks::abandon() {
    abandoned_ = true;
    while (!waiting_.empty()) release();
    abandoned_ = false;
}

void Blocks::run(Dim3 block, std::size_t shared_bytes, FunctionRef<void()> body) {
    shared_.start(shared_bytes);
    extents_ = block;
    body_ = &body;
    order_.resize(std::size_t{block.x} * block.y * block.z);
    std::iota(order_.begin(), order_.end(), 0);
    random_.shuffle(order_);
    started_ = 0;
    ended_ = 0;
    while (started_ < order_.size() && !error_) resume(*idle_worker());
    while (!waiting_.empty() && !error_) {
        try {
            check_barrier();
        } catch (const Error&) {
            error_ = std::current_exception();
            break;
        }
        release();
    }
    if (error_) {
        abandon();
        std::rethrow_exception(std::exchange(error_, nullptr));
    }
    shared_.check();
}

Blocks& blocks() {
    static thread_local Blocks all;
    return all;
}

}  // namespace

void run_grid(Dim3 grid, Dim3 block, std::size_t shared_bytes, FunctionRef<void()> body) {
    gridDim = grid;
    blockDim = block;
    Blocks& all = blocks();
    const std::size_t count = std::size_t{grid.x} * grid.y * grid.z;
    const std::size_t first = count == 0 ? 0 : all.draw(count);
    for (std::size_t i = 0; i < count; ++i) {
        blockIdx = index_in(grid, (first + i) % count);
        all.run(block, shared_bytes, body);
    }
}

void set_thread_order(std::uint64_t seed) { blocks().set_order(seed); }

void __syncthreads(const std::source_location& here) { blocks().wait(here); }

std::byte* shared_memory() { return blocks().shared(); }

}  // namespace weft::core::emulated
