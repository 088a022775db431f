#include "net/progress_thread.hpp"

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <set>

#include "net/mpi.hpp"
#include "net/mpi_error.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

const char* level_name(int level) {
    if (level == MPI_THREAD_SINGLE) return "MPI_THREAD_SINGLE";
    return level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SERIALIZED";
}

/// Those of this process. All end when MPI_Finalize begins.
class Helpers {
  public:
    void add(ProgressThread* helper) {
        const std::scoped_lock lock(mutex_);
        if (!arranged_) call_in_finalize(&end_all, this);
        arranged_ = true;
        helpers_.insert(helper);
    }
    void remove(ProgressThread* helper) {
        const std::scoped_lock lock(mutex_);
        helpers_.erase(helper);
    }

  private:
    static int end_all(MPI_Comm /*comm*/, int /*key*/, void* helpers, void* /*extra*/) {
        auto* all = static_cast<Helpers*>(helpers);
        const std::scoped_lock lock(all->mutex_);
        for (ProgressThread* helper : all->helpers_) helper->end();
        return MPI_SUCCESS;
    }

    std::mutex mutex_;
    bool arranged_ = false;
    std::set<ProgressThread*> helpers_;
};

/// Outlives whatever transforms there are.
Helpers& helpers() {
    static auto* const all = new Helpers;
    return *all;
}

}  // namespace

void require_several_threads() {
    int level = MPI_THREAD_SINGLE;
    check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
    if (level == MPI_THREAD_MULTIPLE) return;
    throw Error(ErrorCode::not_available,
                fmt::format("progress:thread calls MPI from two threads, but MPI gave {}: call "
                            "MPI_Init_thread for MPI_THREAD_MULTIPLE, or take progress:poll",
                            level_name(level)));
}

ProgressThread::ProgressThread(MPI_Comm comm) : comm_(comm) {
    helpers().add(this);
    try {
        thread_ = std::thread([this] { run(); });
    } catch (...) {
        helpers().remove(this);
        throw;
    }
}

ProgressThread::~ProgressThread() {
    helpers().remove(this);
    end();
}

void ProgressThread::end() {
    tell(Duty::end);
    if (thread_.joinable()) thread_.join();
}

void ProgressThread::work(bool works) { tell(works ? Duty::work : Duty::rest); }

void ProgressThread::tell(Duty duty) {
    if (duty_.exchange(duty) != duty) duty_.notify_one();
}

void ProgressThread::run() {
    // With what Linux adds to short sleeps, 120 kB pass meanwhile at 10 Gbit/s, which the system's
    // buffers hold; the rank itself may need the core.
    constexpr auto pause = std::chrono::microseconds(50);
    // Nobody sends to this tag: transports' begin at 0, and MPI knows at least this one.
    constexpr int no_tag = 32767;
    for (Duty duty = duty_; duty != Duty::end; duty = duty_) {
        if (duty == Duty::rest) {
            duty_.wait(duty);
            continue;
        }
        // Whatever MPI is asked, it looks after all messages.
        int found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, no_tag, comm_, &found, MPI_STATUS_IGNORE);
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace weft::core
