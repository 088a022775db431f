#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "base/index.hpp"
#include "base/no_copy.hpp"
#include "net/agree.hpp"
#include "net/mpi_collective.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_parts.hpp"

namespace weft::core {

namespace {

/// Freed with the communicator, unless MPI is finalised.
struct KeptWindow : NoCopy {
    MPI_Win window = MPI_WIN_NULL;
    OwnCount count;

    ~KeptWindow() {
        if (!mpi_is_finalised() && window != MPI_WIN_NULL) MPI_Win_free(&window);
    }
};

/// Each channel has a dynamic window, because regions attached to one window must not overlap, and
/// because memory is attached and detached by one rank alone: so a channel can be destroyed without
/// its peers. The windows stay with the communicator for the channels that come later. They are of
/// all ranks, because Open MPI 4.1 confuses the windows of groups side by side on one node. Where
/// the process has made as many as it may, channels share one, to which each attaches its memory
/// for the time between its fences: these are entered in turn.
/// Where the receiver's buffer is another at each start, messages land in memory of the channel's
/// own and are copied on.
class OneSided : public PartsChannel {
  public:
    OneSided(const Ends& ends, const ExchangeTask& task)
        : PartsChannel(ends, task), all_(ends.all), ranks_(task.group.ranks) {
        if (ends.fixed) {
            target_ = ends.fixed->to;
        } else {
            landing_.resize(usize(end_of_receives()));
            target_ = landing_.data();
        }
    }
    ~OneSided() override {
        if (!mpi_is_finalised()) detach();
    }

    void connect() override {
        int ranks = 0;
        check_mpi(MPI_Comm_size(all_.comm, &ranks), "MPI_Comm_size");
        if (ranks == 1) return;  // Open MPI makes no window of one rank.
        find_window();
        std::vector<MPI_Aint> mine;
        all_or_none(all_.comm, [&] {
            mine = own_addresses();
            addresses_.resize(ranks_.size());
            if (!shared_) check_mpi(attach(), "MPI_Win_attach");
        });
        // Every rank tells each of its peers where in its memory the peer's message goes.
        all_or_none(all_.comm, [&] {
            check_mpi(MPI_Alltoall(mine.data(), 1, MPI_AINT, addresses_.data(), 1, MPI_AINT, comm_),
                      "MPI_Alltoall");
        });
    }
    // Whatever fails here, this rank comes to the second fence, where the others wait for it.
    void start(const ExchangeBuffers& buffers) override {
        if (window_ == MPI_WIN_NULL) return;
        const int attached = shared_ ? attach() : MPI_SUCCESS;
        const int opened = MPI_Win_fence(MPI_MODE_NOPRECEDE, window_);
        const int put = opened == MPI_SUCCESS ? put_all(buffers.from) : MPI_SUCCESS;
        const int closed = MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, window_);
        if (shared_) detach();
        check_mpi(attached, "MPI_Win_attach");
        check_mpi(opened, "MPI_Win_fence");
        check_mpi(put, "MPI_Put");
        check_mpi(closed, "MPI_Win_fence");
        if (!landing_.empty()) copy_on(buffers.to);
    }
    [[nodiscard]] bool start_waits() const override { return true; }

  private:
    /// What MPI says of the first message that it does not take.
    [[nodiscard]] int put_all(const std::byte* from) const {
        Index done = 0;
        for (std::size_t i = 0; i < sends_.size(); ++i) {
            const MessagePart& part = sends_[i];
            const bool goes_on = i > 0 && sends_[i - 1].message == part.message;
            done = goes_on ? done + part.offset - sends_[i - 1].offset : 0;
            const auto peer = usize(part.peer);
            const int status = MPI_Put(from + part.offset, part.count, part.type, ranks_[peer],
                                       addresses_[peer] + done, part.count, part.type, window_);
            if (status != MPI_SUCCESS) return status;
        }
        return MPI_SUCCESS;
    }
    /// What MPI says of it.
    int attach() {
        if (receives_.empty()) return MPI_SUCCESS;
        // Also where MPI says that it failed: memory that stayed attached and was freed would be in
        // the way of what is attached there later.
        attached_ = true;
        return MPI_Win_attach(window_, target_, end_of_receives());
    }
    void detach() {
        if (std::exchange(attached_, false)) MPI_Win_detach(window_, target_);
    }
    /// The first of the windows that no channel of this lease has yet, or that of all leases.
    void find_window() {
        std::string name;
        all_or_none(all_.comm, [&] { name = fmt::format("window {}", all_.windows); });
        ++all_.windows;
        // All ranks have made the window or none has.
        if (const auto known = all_.kept.find(name); known != all_.kept.end()) {
            const auto* kept = static_cast<const KeptWindow*>(known->second.get());
            if (kept != nullptr && kept->window != MPI_WIN_NULL) {
                window_ = kept->window;
                return;
            }
        }
        // Where one rank failed to make it, others keep theirs without a window.
        shared_ = !may_have_own(all_);
        std::shared_ptr<KeptWindow> kept;
        all_or_none(all_.comm, [&] {
            auto& place = shared_ ? all_.pooled->kept["window"] : all_.kept[name];
            if (place == nullptr) place = std::make_shared<KeptWindow>();
            kept = std::static_pointer_cast<KeptWindow>(place);
        });
        if (kept->window == MPI_WIN_NULL) kept->window = created_window();
        window_ = kept->window;
    }
    /// Collective. Open MPI's UCX component takes on what it then cannot make, as where processes
    /// may not read each other's memory.
    [[nodiscard]] MPI_Win created_window() const {
        MPI_Win window = MPI_WIN_NULL;
        const int status = MPI_Win_create_dynamic(MPI_INFO_NULL, all_.comm, &window);
        if (!on_any_rank(all_.comm, status != MPI_SUCCESS)) {
            MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
            return window;
        }
        throw Error(ErrorCode::not_available,
                    "via=one-sided cannot run here: MPI_Win_create_dynamic failed: this MPI makes "
                    "no window over memory that it did not allocate; take another method (`weft "
                    "methods`), or with Open MPI set OMPI_MCA_osc=^ucx, and initialise without "
                    "MPI_THREAD_MULTIPLE where processes may not read each other's memory");
    }
    static Index bytes_of(const MessagePart& part) {
        int bytes = 0;
        check_mpi(MPI_Type_size(part.type, &bytes), "MPI_Type_size");
        return Index{part.count} * bytes;
    }
    [[nodiscard]] MPI_Aint end_of_receives() const {
        MPI_Aint end = 0;
        for (const MessagePart& part : receives_) {
            end = std::max<MPI_Aint>(end, part.offset + bytes_of(part));
        }
        return end;
    }
    void copy_on(std::byte* to) const {
        for (const MessagePart& part : receives_) {
            std::memcpy(to + part.offset, landing_.data() + part.offset, usize(bytes_of(part)));
        }
    }
    /// Where the message of each place of the group goes.
    [[nodiscard]] std::vector<MPI_Aint> own_addresses() const {
        std::vector<MPI_Aint> mine(ranks_.size(), 0);
        for (std::size_t i = receives_.size(); i-- > 0;) {
            const MessagePart& part = receives_[i];
            check_mpi(MPI_Get_address(target_ + part.offset, &mine[usize(part.peer)]),
                      "MPI_Get_address");
        }
        return mine;
    }

    GroupComm& all_;
    std::vector<int> ranks_;  ///< by place
    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<std::byte> landing_;   ///< empty where the receiver's buffer is fixed
    std::byte* target_ = nullptr;      ///< where peers put their messages
    bool shared_ = false;              ///< the window is one of all leases
    bool attached_ = false;            ///< the target, to the window
    std::vector<MPI_Aint> addresses_;  ///< by place, of this rank's message there
};

}  // namespace

std::unique_ptr<Channel> open_one_sided(const Ends& ends, const ExchangeTask& task) {
    return std::make_unique<OneSided>(ends, task);
}

}  // namespace weft::core
