#include <fmt/format.h>

#include <thread>

#include "net/agree.hpp"
#include "net/device_comms.hpp"
#include "net/mpi.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"

namespace weft::core {

namespace {

/// A communicator of the devices of a group's ranks. All of one net's are used in one queue, in the
/// order of the program, which is the same on all ranks: so those of several groups never wait for
/// each other in a circle.
struct KeptComm {
    std::shared_ptr<DeviceQueue> queue;
    std::unique_ptr<DeviceComm> comm;
    bool failed = false;

    /// It is made anew by whoever comes next.
    void fail() {
        failed = true;
        comm->abandon();
    }
};

/// What a group keeps under that name; null if it has none.
template <class Kept>
std::shared_ptr<Kept> kept(const GroupComm& group, const std::string& name) {
    const auto found = group.kept.find(name);
    return found == group.kept.end() ? nullptr : std::static_pointer_cast<Kept>(found->second);
}

/// Makes, or finds, the communicators of the groups of one redistribution.
class Joining {
  public:
    Joining(const Ends& ends, int place, int places)
        : group_(ends.group),
          all_(ends.all),
          device_(ends.device),
          place_(place),
          places_(places) {}

    /// Collective over all ranks: throws on all or none.
    std::shared_ptr<KeptComm> comm() {
        bool usable = false;
        all_or_none(all_.comm, [&] {
            name_ = fmt::format("{} of {}", name_of(TransportId::nccl), device_->name());
            const auto known = kept<KeptComm>(group_, name_);
            usable = known != nullptr && !known->failed;
        });
        if (on_any_rank(all_.comm, !usable)) make();
        return kept<KeptComm>(group_, name_);
    }

  private:
    void make() {
        std::shared_ptr<void>* shelf = nullptr;
        std::shared_ptr<KeptComm> made;
        DeviceCommId id{};
        all_or_none(all_.comm, [&] {
            // It has failed on some rank, so that its peers may not come to destroy it.
            if (const auto known = kept<KeptComm>(group_, name_)) known->fail();
            group_.kept.erase(name_);
            made = std::make_shared<KeptComm>();
            made->queue = queue();
            if (place_ == 0) id = comms().new_id();
        });
        all_or_none(all_.comm, [&] {
            const int bytes = static_cast<int>(id.size());
            check_mpi(MPI_Bcast(id.data(), bytes, MPI_BYTE, 0, group_.comm), "MPI_Bcast");
        });
        try {
            all_or_none(all_.comm, [&] {
                const auto join = [&](const DeviceView& /*view*/) {
                    made->comm = comms().join(id, place_, places_);
                };
                made->queue->wait(made->queue->launch(join, "join a communicator"));
                shelf = &group_.kept[name_];
            });
        } catch (const Error&) {  // On all ranks, of which some may have joined.
            if (made->comm != nullptr) made->fail();
            throw;
        }
        *shelf = std::move(made);
    }
    [[nodiscard]] const DeviceComms& comms() const {
        const DeviceComms* found = device_comms(device_->name());
        if (found != nullptr) return *found;
        throw Error(ErrorCode::not_available, why_no_device_comms(device_->name()));
    }
    /// That of the net, unless work in it has failed.
    std::shared_ptr<DeviceQueue> queue() {
        auto& shelf = all_.kept["queue of " + name_];
        auto queue = std::static_pointer_cast<DeviceQueue>(shelf);
        const auto works = [&] { return (void)queue->done(queue->last()); };
        if (queue == nullptr || attempt(works).happened) {
            queue = device_->queue(name_);
            shelf = queue;
        }
        return queue;
    }

    GroupComm& group_;
    GroupComm& all_;
    Device* device_;
    std::string name_;
    int place_;
    int places_;
};

/// Sends and receives in one call, of contiguous messages anywhere in the memory of the device.
class Nccl : public Channel {
  public:
    Nccl(const Ends& ends, const ExchangeTask& task)
        : ends_(ends),
          place_(static_cast<int>(place_in_group(task.group, rank_in(ends.all.comm)))),
          places_(static_cast<int>(task.group.ranks.size())),
          sends_(messages(task, task.sends)),
          receives_(messages(task, task.receives)) {
        if (ends.device == nullptr) {
            throw Error(ErrorCode::not_available, why_no_device_comms({}));
        }
    }

    // Who destroys it before it is complete has seen something fail. Peers may still write to the
    // memory that is freed next, so that has to end.
    ~Nccl() override {
        if (kept_ == nullptr) return;
        bool done = false;
        (void)attempt([&] { done = kept_->queue->done(ticket_); });
        if (done) return;
        give_up();
    }

    void connect() override { kept_ = Joining(ends_, place_, places_).comm(); }
    void start(const ExchangeBuffers& buffers) override {
        if (sends_.empty() && receives_.empty()) return;
        // Not in the queue, where an error would stay, and others have their exchanges.
        if (kept_->failed) kept_->comm->check();
        work_ = {this, buffers};
        ticket_ = kept_->queue->launch(work_, "exchange");
    }
    // It does not, but what is put into one stream has to be in the same order on all ranks, and a
    // stream that is full waits.
    [[nodiscard]] bool start_waits() const override { return true; }
    bool test() override {
        try {
            const bool done = kept_->queue->done(ticket_);
            kept_->comm->check();
            return done;
        } catch (const Error&) {
            kept_->fail();
            throw;
        }
    }
    // A wait within the driver would not see that a peer has failed.
    void wait() override {
        while (!test()) std::this_thread::yield();
    }

    void give_up() override {
        kept_->fail();
        (void)attempt([&] { kept_->queue->wait(ticket_); });
    }

  private:
    /// Stays until the queue has called it.
    struct Work {
        const Nccl* channel = nullptr;
        ExchangeBuffers buffers;
        void operator()(const DeviceView& view) const {
            channel->kept_->comm->exchange(view, buffers.from, channel->sends_, buffers.to,
                                           channel->receives_);
        }
    };

    static std::vector<DeviceMessage> messages(const ExchangeTask& task,
                                               const std::vector<Message>& all) {
        std::vector<DeviceMessage> result;
        result.reserve(all.size());
        for (const Message& one : all) {
            result.push_back({static_cast<int>(place_in_group(task.group, one.peer)),
                              one.offset() * task.element_bytes, one.count() * task.element_bytes});
        }
        return result;
    }

    Ends ends_;
    int place_;
    int places_;
    std::vector<DeviceMessage> sends_;
    std::vector<DeviceMessage> receives_;
    std::shared_ptr<KeptComm> kept_;
    Work work_;
    DeviceQueue::Ticket ticket_ = 0;
};

}  // namespace

std::unique_ptr<Channel> open_nccl(const Ends& ends, const ExchangeTask& task) {
    return std::make_unique<Nccl>(ends, task);
}

std::string why_not_nccl(std::string_view device) { return why_no_device_comms(device); }

}  // namespace weft::core
