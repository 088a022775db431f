#include "verify/rig.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "device/devices.hpp"
#include "fft/engine.hpp"
#include "memory/shared_memory.hpp"
#include "model/default_plan.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "verify/simulate.hpp"
#include "weft/plan.hpp"

namespace weft::core {

namespace {

/// What a plan is computed on; null: the host.
Device* device_for(const Plan& plan) {
    const std::string& name = plan.placements.first().device;
    return name.empty() ? nullptr : &device(name);
}

class LocalRig : public Rig {
  public:
    LocalRig(const Plan& plan, const LocalOptions& options)
        : plan_(plan),
          simulation_(plan, options, device_for(plan)),
          ranks_(static_cast<std::size_t>(plan.ranks)) {
        std::iota(ranks_.begin(), ranks_.end(), 0);
    }
    [[nodiscard]] const Plan& plan() const override { return plan_; }
    [[nodiscard]] const std::vector<int>& ranks() const override { return ranks_; }
    [[nodiscard]] std::byte* in(int rank) const override { return simulation_.in(rank); }
    [[nodiscard]] std::byte* out(int rank) const override { return simulation_.out(rank); }
    void run(bool backward) override { simulation_.run(backward); }
    [[nodiscard]] double largest(double value) const override { return value; }

  private:
    Plan plan_;
    Simulation simulation_;
    std::vector<int> ranks_;
};

/// As weft::allocate's, however small: ranks of a node may store in each other's.
class SharedArray {
  public:
    SharedArray() = default;
    explicit SharedArray(Index bytes)
        : data_(static_cast<std::byte*>(allocate_shared(std::max<Index>(bytes, 1)))) {
        if (data_ == nullptr) private_ = Buffer(bytes);
    }
    [[nodiscard]] std::byte* data() const {
        return data_ != nullptr ? data_.get() : private_.data();
    }

  private:
    struct Free {
        void operator()(std::byte* data) const { free_shared(data); }
    };
    std::unique_ptr<std::byte, Free> data_;
    Buffer private_;
};

class MpiRig : public Rig {
  public:
    MpiRig(const Problem& problem, const Choice& choice, MPI_Comm comm)
        : comm_(comm),
          public_plan_(problem, comm, choice),
          plan_(make_plan(public_plan_.problem(), public_plan_.choice(), public_plan_.ranks())),
          ranks_({public_plan_.rank()}) {
        // One rank may have too little memory; then all must know.
        all_or_none(comm, [&] {
            in_ = SharedArray(public_plan_.in_size() * plan_.at.front().scalar.bytes());
            if (problem.in_place) return;
            out_ = SharedArray(public_plan_.out_size() * plan_.at.back().scalar.bytes());
        });
        transform_.emplace(public_plan_.bind_untyped(in(0), out(0)));
    }
    [[nodiscard]] const Plan& plan() const override { return plan_; }
    [[nodiscard]] const std::vector<int>& ranks() const override { return ranks_; }
    [[nodiscard]] std::byte* in(int /*rank*/) const override { return in_.data(); }
    [[nodiscard]] std::byte* out(int /*rank*/) const override {
        return plan_.problem.in_place ? in_.data() : out_.data();
    }
    void run(bool backward) override {
        if (backward) {
            transform_->backward();
        } else {
            transform_->forward();
        }
    }
    [[nodiscard]] double largest(double value) const override {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm_),
                  "MPI_Allreduce");
        return value;
    }

  private:
    MPI_Comm comm_;
    weft::Plan public_plan_;
    Plan plan_;
    std::vector<int> ranks_;
    SharedArray in_;
    SharedArray out_;
    std::optional<weft::Transform> transform_;
};

}  // namespace

std::unique_ptr<Rig> local_rig(const Problem& problem, const Choice& choice, int ranks,
                               const LocalOptions& options) {
    Choice complete = choice;
    complete.engine = resolve_engine(choice.engine, Placements(choice).first().device);
    return std::make_unique<LocalRig>(default_plan(problem, complete, ranks), options);
}

std::unique_ptr<Rig> mpi_rig(const Problem& problem, const Choice& choice, MPI_Comm comm) {
    return std::make_unique<MpiRig>(problem, choice, comm);
}

}  // namespace weft::core
