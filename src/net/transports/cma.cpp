#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/index.hpp"
#include "base/random.hpp"
#include "net/agree.hpp"
#include "net/cross_memory.hpp"
#include "net/mpi_collective.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

/// What a rank tells a peer once: who it is, and something that only its memory holds, for the peer
/// to try.
struct Source {
    int process = 0;
    const std::byte* token_at = nullptr;
    std::uint64_t token = 0;
};

/// One message says where a buffer is ready, one without contents that it has been read. What is
/// between is copied by its receiver.
class CrossMemory : public Channel {
  public:
    CrossMemory(const Ends& ends, const ExchangeTask& task) : ends_(ends), tag_(2 * ends.number) {
        for (const Message& send : task.sends) {
            readers_.push_back({static_cast<int>(place_in_group(task.group, send.peer)),
                                send.offset() * task.element_bytes, nullptr});
        }
        for (const Message& receive : task.receives) {
            const auto place = static_cast<int>(place_in_group(task.group, receive.peer));
            readings_.push_back({place,
                                 receive.peer,
                                 receive.offset() * task.element_bytes,
                                 receive.count() * task.element_bytes,
                                 nullptr,
                                 {}});
        }
        places_ = task.group.ranks.size();
        requests_.assign(2 * (readings_.size() + readers_.size()), MPI_REQUEST_NULL);
        arrived_.resize(readings_.size());
    }

    void connect() override {
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        const std::uint64_t token =
            mix(static_cast<std::uint64_t>(now) ^ static_cast<std::uint64_t>(getpid()));
        std::vector<Source> mine;
        std::vector<Source> theirs;
        const ExchangeComm found = exchange_comm(ends_.group, ends_.all);
        comm_ = found.comm;
        in_turn_ = found.in_turn;
        all_or_none(ends_.all.comm, [&] {
            mine = own_sources(token);
            theirs.resize(places_);
        });
        // Every rank tells all of the group who it is.
        all_or_none(ends_.all.comm, [&] {
            constexpr int bytes = sizeof(Source);
            check_mpi(MPI_Alltoall(mine.data(), bytes, MPI_BYTE, theirs.data(), bytes, MPI_BYTE,
                                   ends_.group.comm),
                      "MPI_Alltoall");
        });
        for (Reading& reading : readings_) {
            reading.source = theirs[usize(reading.place)];
        }
        // Nobody goes on, and forgets its token, before all have read it.
        all_or_none(ends_.all.comm, [&] {
            for (const Reading& reading : readings_) try_reading(reading);
        });
    }

    // Of other exchanges that are under way, readers may be told, or may have read, in another
    // order: each has a tag for each of the two things that are told.
    void start(const ExchangeBuffers& buffers) override {
        to_ = buffers.to;
        unread_ = readings_.size();
        MPI_Request* request = requests_.data();
        for (Reading& reading : readings_) {
            check_mpi(MPI_Irecv(&reading.message, sizeof(reading.message), MPI_BYTE, reading.place,
                                tag_ + ready, comm_, request++),
                      "MPI_Irecv");
        }
        request += readings_.size();
        for (Reader& reader : readers_) {
            reader.message = buffers.from + reader.offset;
            check_mpi(MPI_Isend(&reader.message, sizeof(reader.message), MPI_BYTE, reader.place,
                                tag_ + ready, comm_, request++),
                      "MPI_Isend");
        }
        for (const Reader& reader : readers_) {
            check_mpi(
                MPI_Irecv(nullptr, 0, MPI_BYTE, reader.place, tag_ + was_read, comm_, request++),
                "MPI_Irecv");
        }
    }
    [[nodiscard]] bool start_waits() const override { return in_turn_; }
    bool test() override {
        if (unread_ > 0) {
            int count = 0;
            check_mpi(MPI_Testsome(readings(), requests_.data(), &count, arrived_.data(),
                                   MPI_STATUSES_IGNORE),
                      "MPI_Testsome");
            read(count);
        }
        if (unread_ > 0) return false;
        int complete = 0;
        check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete,
                              MPI_STATUSES_IGNORE),
                  "MPI_Testall");
        return complete != 0;
    }
    void wait() override {
        while (unread_ > 0) {
            int count = 0;
            check_mpi(MPI_Waitsome(readings(), requests_.data(), &count, arrived_.data(),
                                   MPI_STATUSES_IGNORE),
                      "MPI_Waitsome");
            read(count);
        }
        check_mpi(
            MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
    }

  private:
    static constexpr int ready = 0;
    static constexpr int was_read = 1;

    struct Reader {
        int place = 0;  ///< in the group
        Index offset = 0;
        const std::byte* message = nullptr;  ///< of what was started last
    };
    struct Reading {
        int place = 0;
        int rank = 0;
        Index offset = 0;  ///< where it goes
        Index bytes = 0;
        const std::byte* message = nullptr;  ///< as its sender has told
        Source source;
    };

    [[nodiscard]] int readings() const { return static_cast<int>(readings_.size()); }

    /// Reads from the first so many of those that have arrived, and tells them.
    void read(int count) {
        for (int i = 0; i < std::max(count, 0); ++i) {
            const auto number = usize(arrived_[usize(i)]);
            const Reading& reading = readings_[number];
            read_memory(reading.source.process, reading.message, to_ + reading.offset,
                        reading.bytes);
            check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, reading.place, tag_ + was_read, comm_,
                                &requests_[readings_.size() + number]),
                      "MPI_Isend");
            --unread_;
        }
    }
    /// For each place of the group.
    [[nodiscard]] std::vector<Source> own_sources(const std::uint64_t& token) const {
        std::vector<Source> mine(places_);
        for (const Reader& reader : readers_) {
            mine[usize(reader.place)] = {getpid(), reinterpret_cast<const std::byte*>(&token),
                                         token};
        }
        return mine;
    }
    static void try_reading(const Reading& reading) {
        std::uint64_t token = 0;
        const Failure failure = attempt([&] {
            read_memory(reading.source.process, reading.source.token_at,
                        reinterpret_cast<std::byte*>(&token), sizeof(token));
        });
        if (!failure.happened && token == reading.source.token) return;
        throw Error(
            ErrorCode::not_available,
            fmt::format(
                "via=cma cannot run here: the memory of rank {} cannot be read: {}; it must be "
                "on the same node; let processes trace each other (as root, sysctl "
                "kernel.yama.ptrace_scope=0; "
                "docker run --cap-add=SYS_PTRACE), keep all ranks of a node in one "
                "container, or take another method (`weft methods`)",
                reading.rank,
                failure.happened ? failure.message
                                 : "its process number belongs to another process"));
    }

    Ends ends_;
    MPI_Comm comm_ = MPI_COMM_NULL;  ///< once it is connected
    bool in_turn_ = false;
    std::byte* to_ = nullptr;  ///< of what was started last
    int tag_;
    std::size_t places_ = 0;
    std::vector<Reader> readers_;
    std::vector<Reading> readings_;
    /// That readings' sources are ready, that they have been read; that readers are told, that they
    /// have read.
    std::vector<MPI_Request> requests_;
    std::vector<int> arrived_;
    std::size_t unread_ = 0;
};

}  // namespace

std::unique_ptr<Channel> open_cma(const Ends& ends, const ExchangeTask& task) {
    return std::make_unique<CrossMemory>(ends, task);
}

std::string why_not_cma(std::string_view /*device*/) { return why_no_cross_memory(); }

}  // namespace weft::core
