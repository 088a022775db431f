#include "testing/emulated/nccl/comm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace weft::core::emulated {

namespace {

void check(cudaError_t result, const char* call) {
    if (result == cudaSuccess) return;
    throw CommError{ncclUnhandledCudaError, fmt::format("{}: {}", call, cudaGetErrorName(result))};
}

/// The groups of the process, and the fault that a test asks for.
struct Fault {
    std::atomic<int> groups = 0;
    std::atomic<int> number = 0;  ///< of the group that fails; 0: none
    std::atomic<bool> at_once = false;
};
Fault& fault() {
    static Fault all;
    return all;
}

CommError failing_group() {
    return {ncclInternalError,
            fmt::format("group {} fails, as a test asks for", fault().number.load())};
}

std::string name_of(const ncclUniqueId& id) {
    return {id.internal, strnlen(id.internal, sizeof(id.internal))};
}

}  // namespace

void set_failing_group(std::optional<int> next, bool at_once) {
    fault().at_once = at_once;
    fault().number = next ? fault().groups + *next : 0;
}
int groups_of_process() { return fault().groups; }

Comm::Comm(const ncclUniqueId& id, int rank, int ranks, std::chrono::milliseconds patience)
    : rank_(rank), ranks_(ranks), patience_(patience) {
    std::vector<Socket> peers = connect_peers(name_of(id), rank, ranks, Clock::now() + patience);
    for (int peer = 0; peer < ranks; ++peer) {
        lines_.emplace_back(std::move(peers[static_cast<std::size_t>(peer)]), rank, peer);
    }
    polled_.reserve(lines_.size());
    check(cudaEventCreateWithFlags(&behind_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
}

void Comm::put(const std::vector<Transfer>& transfers, cudaStream_t stream) {
    const bool fails = ++fault().groups == fault().number;
    if (fails && fault().at_once) throw failing_group();
    auto free = std::find_if(known_.begin(), known_.end(),
                             [](const auto& one) { return one.use_count() == 1; });
    if (free == known_.end()) {
        free = known_.insert(known_.end(), std::make_shared<Transfers>());
    }
    (*free)->assign(transfers.begin(), transfers.end());
    if (stream != stream_) check(cudaStreamWaitEvent(stream, behind_), "cudaStreamWaitEvent");
    stream_ = stream;
    const Closure work([comm = shared_from_this(), kept = *free, fails](const DeviceView& view) {
        comm->run(*kept, view, fails);
    });
    check(put_work(stream, work, "NCCL exchange"), "putting an exchange into the stream");
    check(cudaEventRecord(behind_, stream), "cudaEventRecord");
}

void Comm::abort() {
    aborted_ = true;
    fail({ncclRemoteError, fmt::format("rank {}: the communicator was aborted", rank_)});
}

void Comm::close() const {
    (void)cudaEventSynchronize(behind_);
    (void)cudaEventDestroy(behind_);
    for (const Line& line : lines_) line.end();
}

CommError Comm::error() const {
    const std::scoped_lock lock(mutex_);
    return error_;
}

const char* Comm::error_text() const {
    const std::scoped_lock lock(mutex_);
    return error_.text.c_str();
}

// What failed first is what is told.
void Comm::fail(const CommError& error) {
    const std::scoped_lock lock(mutex_);
    if (error_.code == ncclSuccess) error_ = error;
    failed_ = true;
    for (const Line& line : lines_) line.end();
}

// A failure is not the stream's: as with NCCL, what is behind it runs.
void Comm::run(const Transfers& transfers, const DeviceView& view, bool fails) {
    if (failed_) return;
    try {
        if (fails) throw failing_group();
        prepare(transfers, view);
        exchange_with_itself();
        exchange();
    } catch (const CommError& error) {
        fail(error);
    }
}

void Comm::prepare(const Transfers& transfers, const DeviceView& view) {
    const Reach reach(view);
    own_sends_.clear();
    own_receives_.clear();
    for (Line& line : lines_) line.begin();
    for (const Transfer& one : transfers) {
        const Piece piece{one.bytes == 0 ? one.at : reach(one.at), one.bytes};
        Line& line = lines_[static_cast<std::size_t>(one.peer)];
        if (one.peer == rank_) {
            (one.sends ? own_sends_ : own_receives_).push_back(piece);
        } else if (one.sends) {
            line.add_send(piece);
        } else {
            line.add_receive(piece);
        }
    }
}

void Comm::exchange_with_itself() {
    if (own_sends_.size() != own_receives_.size()) {
        throw CommError{ncclInvalidUsage,
                        fmt::format("rank {} sends to itself {} times in a group and receives {} "
                                    "times",
                                    rank_, own_sends_.size(), own_receives_.size())};
    }
    for (std::size_t i = 0; i < own_sends_.size(); ++i) {
        const Piece& from = own_sends_[i];
        const Piece& to = own_receives_[i];
        if (from.bytes != to.bytes) {
            throw CommError{ncclInvalidUsage,
                            fmt::format("rank {} sends {} bytes to itself and receives {}", rank_,
                                        from.bytes, to.bytes)};
        }
        if (to.bytes > 0) std::memmove(to.at, from.at, to.bytes);
    }
}

void Comm::exchange() {
    Clock::time_point last_moved = Clock::now();
    const auto complete = [&] {
        return std::all_of(lines_.begin(), lines_.end(),
                           [](const Line& line) { return line.complete(); });
    };
    while (!complete()) {
        bool moved = false;
        for (Line& line : lines_) {
            if (!line.complete()) moved = line.advance() || moved;
        }
        if (moved) {
            last_moved = Clock::now();
        } else {
            await(last_moved);
        }
    }
}

void Comm::await(Clock::time_point last_moved) {
    polled_.clear();
    const Line* waiting = nullptr;
    for (const Line& line : lines_) {
        if (line.complete()) continue;
        waiting = &line;
        const int events = (line.reads() ? POLLIN : 0) | (line.writes() ? POLLOUT : 0);
        polled_.push_back({line.number(), static_cast<short>(events), 0});
    }
    (void)poll(polled_.data(), polled_.size(), 10);
    if (aborted_) {
        throw CommError{ncclRemoteError, fmt::format("rank {}: aborted", rank_)};
    }
    if (waiting == nullptr || Clock::now() - last_moved < patience_) return;
    throw CommError{
        ncclRemoteError,
        fmt::format("rank {} has waited {} ms for rank {} without end in sight: it has not come to "
                    "the other end of a send or receive, or both wait for each other; put those "
                    "that belong together between ncclGroupStart and ncclGroupEnd",
                    rank_, patience_.count(), waiting->peer())};
}

}  // namespace weft::core::emulated
