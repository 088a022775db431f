#include "net/progress_thread.hpp"

#include <fmt/format.h>

#include <chrono>

#include "net/mpi_error.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

const char* level_name(int level) {
    if (level == MPI_THREAD_SINGLE) return "MPI_THREAD_SINGLE";
    return level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SERIALIZED";
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

ProgressThread::ProgressThread(MPI_Comm comm) : comm_(comm), thread_([this] { run(); }) {}

ProgressThread::~ProgressThread() {
    tell(Duty::end);
    thread_.join();
}

void ProgressThread::work(bool works) { tell(works ? Duty::work : Duty::rest); }

void ProgressThread::tell(Duty duty) {
    if (duty_.exchange(duty) != duty) duty_.notify_one();
}

void ProgressThread::run() {
    // At 10 Gbit/s 60 kB pass meanwhile, which the system's buffers hold; the rank itself may need
    // the core.
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
