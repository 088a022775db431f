// weft as a contender.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/state.hpp"
#include "base/text.hpp"
#include "device/devices.hpp"
#include "exchange/transfers.hpp"
#include "measure/contender.hpp"
#include "measure/device_array.hpp"
#include "measure/quartiles.hpp"
#include "memory/buffer.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "plan/placement.hpp"
#include "program/fused.hpp"
#include "weft/allocate.hpp"
#include "weft/plan.hpp"

namespace weft::cli {

namespace {

Index bytes_between_ranks(const core::Plan& plan) {
    Index bytes = 0;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        // Within a node nothing is sent of what is read in regions.
        const core::RedistributionStage* one = core::redistribution_at(plan, i);
        if (one == nullptr || one->via.how().packing == core::Packing::region) continue;
        bytes += core::volume(plan.at[i].where, plan.at[i + 1].where) * plan.at[i].scalar.bytes();
    }
    return bytes;
}

/// The device of the plan, whose arrays are asked for.
core::Device& device_for(const core::Plan& plan) {
    const std::string& name = plan.placements.first().device;
    if (name.empty()) {
        core::bad_request(
            "arrays of a device, or pinned for one, need a plan that is computed on a device: add "
            "space=, as in space=cuda");
    }
    return core::device(name);
}

/// The bytes of an array.
class Memory {
  public:
    Memory() = default;
    Memory(Index bytes, Arrays arrays, const core::Plan& plan, int rank) : bytes_(bytes) {
        const bool beside = plan.placements.beside_device(rank);
        switch (beside ? Arrays::of_weft : arrays) {
            case Arrays::of_weft:
                shared_ = allocate<std::byte>(bytes);
                break;
            case Arrays::of_the_caller:
                private_ = core::Buffer(bytes);
                break;
            case Arrays::pinned:
                pinned_ = device_for(plan).allocate_pinned(bytes);
                break;
            case Arrays::of_the_device:
                device_ = std::make_unique<DeviceArray>(device_for(plan), bytes, "array");
                break;
        }
    }
    /// Where it is transformed.
    [[nodiscard]] std::byte* data() const {
        if (device_) return device_->data();
        if (pinned_) return pinned_->data();
        return private_.data() != nullptr ? private_.data()
                                          : const_cast<std::byte*>(shared_.data());
    }
    /// Where the host reads and writes it.
    [[nodiscard]] std::byte* host() const { return device_ ? device_->mirror() : data(); }
    void put() const {
        if (device_) device_->put();
    }
    void fetch() const {
        if (device_) device_->fetch();
    }
    void clear() const {
        if (device_) {
            device_->clear();
        } else {
            std::fill_n(data(), bytes_, std::byte{0});
        }
    }
    [[nodiscard]] Index bytes() const { return bytes_; }

  private:
    Index bytes_ = 0;
    Array<std::byte> shared_;
    core::Buffer private_;
    std::unique_ptr<core::DeviceMemory> pinned_;
    std::unique_ptr<DeviceArray> device_;
};

class WeftContender : public Contender {
  public:
    WeftContender(const std::string& text, MPI_Comm comm, Arrays arrays)
        : plan_(Plan::parse(text, comm)), state_(Internals::plan(plan_)), comm_(comm) {
        core::all_or_none(comm, [&] {
            const int rank = plan_.rank();
            in_ = Memory(plan_.in_size() * state_.at.front().scalar.bytes(), arrays, state_, rank);
            if (state_.problem.in_place) return;
            out_ = Memory(plan_.out_size() * state_.at.back().scalar.bytes(), arrays, state_, rank);
        });
        transform_.emplace(plan_.bind_untyped(in_.data(), array(true).data()));
        const core::Programs& programs = Internals::programs(*transform_);
        parts_ = {phases(programs.forward), phases(programs.backward)};
        labels_ = {labels(state_, programs.forward),
                   labels(core::reverse(state_), programs.backward)};
    }

    [[nodiscard]] Description description() const override {
        const int dims = static_cast<int>(state_.problem.shape.size());
        const std::vector<int>& grid = plan_.choice().decomposition.grid;
        Index workspace = plan_.workspace_bytes(plan_.rank());
        core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &workspace, 1, MPI_INT64_T, MPI_MAX, comm_),
                        "MPI_Allreduce");
        return {"weft",
                plan_.choice().engine,
                {grid.begin(), grid.end()},
                layout_text(state_.at.front(), dims),
                layout_text(state_.at.back(), dims),
                state_.problem.in_place,
                plan_.text(),
                workspace,
                bytes_between_ranks(state_),
                plan_.choice().threads};
    }

    void run(bool backward) override {
        if (backward) {
            transform_->backward();
        } else {
            transform_->forward();
        }
    }

    std::optional<Profile> profile(bool backward) override {
        // A device computes beside the host, whose clock tells of no operation how long it takes.
        if (core::Placements(state_.choice).on_device()) return {};
        return cli::profile(Internals::executor(*transform_, backward), parts_[backward ? 1 : 0]);
    }

    AccountedRun account(bool backward, int repeat) override {
        const core::Programs& programs = Internals::programs(*transform_);
        const core::Program& program = backward ? programs.backward : programs.forward;
        std::vector<std::vector<double>> seconds(program.operations.size());
        for (int i = 0; i < repeat; ++i) {
            core::check_mpi(MPI_Barrier(comm_), "MPI_Barrier");
            const std::vector<double> once =
                seconds_of_operations(Internals::executor(*transform_, backward));
            for (std::size_t op = 0; op < once.size(); ++op) seconds[op].push_back(once[op]);
        }
        AccountedRun run{
            {}, plan_.choice().engine, state_.problem.precision, array(backward).bytes()};
        const std::vector<core::Account> accounts = core::accounts(program);
        for (std::size_t op = 0; op < accounts.size(); ++op) {
            const core::Operation& operation = program.operations[op];
            const AccountedOperation one{operation.stage, core::name(operation),
                                         quartiles(seconds[op]).median, accounts[op]};
            // Adjacent copies are run as one.
            const bool goes_on = !run.operations.empty() && one.name == "copy" &&
                                 run.operations.back().name == one.name &&
                                 run.operations.back().stage == one.stage;
            if (!goes_on) {
                run.operations.push_back(one);
                continue;
            }
            AccountedOperation& all = run.operations.back();
            all.seconds += one.seconds;
            all.account.read += one.account.read;
            all.account.written += one.account.written;
        }
        return run;
    }

    std::vector<TimedOperation> timeline(bool backward) override {
        const core::Programs& programs = Internals::programs(*transform_);
        const core::Program& program = backward ? programs.backward : programs.forward;
        const std::vector<double> seconds =
            seconds_of_operations(Internals::executor(*transform_, backward));
        std::vector<TimedOperation> result;
        result.reserve(seconds.size());
        double begin = 0;
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            result.push_back(
                {labels_[backward ? 1 : 0][i], program.operations[i].stage, begin, seconds[i]});
            begin += seconds[i];
        }
        return result;
    }

    [[nodiscard]] std::vector<LocalPiece> pieces(bool output) const override {
        const core::Layout& end = output ? state_.at.back() : state_.at.front();
        std::vector<LocalPiece> result;
        for (const core::StoredBox& stored : end.stored(plan_.rank())) {
            result.push_back({stored, end.scalar, array(output).host()});
        }
        return result;
    }
    void put(bool output) override { array(output).put(); }
    void fetch(bool output) override { array(output).fetch(); }

    void clear() override {
        for (const Memory* memory : {&in_, &out_}) memory->clear();
    }

  private:
    [[nodiscard]] const Memory& array(bool output) const {
        return output && !state_.problem.in_place ? out_ : in_;
    }

    Plan plan_;
    const core::Plan& state_;
    MPI_Comm comm_;
    Memory in_;
    Memory out_;
    std::array<std::vector<Phase>, 2> parts_;  ///< forward, backward
    std::array<std::vector<std::string>, 2> labels_;
    std::optional<Transform> transform_;
};

}  // namespace

std::unique_ptr<Contender> weft_contender(const std::string& text, MPI_Comm comm, Arrays arrays) {
    return std::make_unique<WeftContender>(text, comm, arrays);
}

}  // namespace weft::cli
