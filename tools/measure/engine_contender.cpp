// The serial engine as a contender: what one rank's transform would be without weft around it.
#include <fmt/format.h>

#include <algorithm>

#include "fft/team_engine.hpp"
#include "measure/contender.hpp"
#include "memory/buffer.hpp"
#include "model/default_plan.hpp"
#include "program/lower.hpp"
#include "weft/error.hpp"
#include "weft/plan.hpp"

namespace weft::cli {

namespace {

[[noreturn]] void engine_cannot(const std::string& why) {
    throw Error(ErrorCode::not_available, fmt::format("--against engine: {}", why));
}

/// The one operation of one rank's program.
core::TransformOp only_transform(const core::Plan& plan) {
    const core::Program program = core::lower(plan, 0);
    const auto* op = program.operations.size() == 1
                         ? std::get_if<core::TransformOp>(&program.operations.front().what)
                         : nullptr;
    if (op == nullptr) engine_cannot("the transform is more than one call of the engine");
    return *op;
}

/// Two arrays and the engine's own plans for them.
class EngineContender : public Contender {
  public:
    explicit EngineContender(const core::Plan& plan)
        : plan_(plan),
          in_(std::max(plan.at.front().bytes(0),
                       plan.problem.in_place ? plan.at.back().bytes(0) : Index{0})),
          out_(plan.problem.in_place ? 0 : plan.at.back().bytes(0)),
          team_(plan.choice.threads) {
        const core::TeamEngine engine(core::engine(plan.choice.engine), team_,
                                      core::core_rates(core::modest_machine(), plan.choice.engine));
        const core::FftTask there = only_transform(plan).task;
        const core::FftTask back = only_transform(core::reverse(plan)).task;
        forward_ = engine.plan(there, plan.choice.effort, array(false), array(true));
        backward_ = engine.plan(back, plan.choice.effort, array(true), array(false));
    }

    [[nodiscard]] Description description() const override {
        const int dims = static_cast<int>(plan_.problem.shape.size());
        return {"engine",
                plan_.choice.engine,
                {},
                layout_text(plan_.at.front(), dims),
                layout_text(plan_.at.back(), dims),
                plan_.problem.in_place,
                fmt::format("one call of {}, effort {}", plan_.choice.engine,
                            to_string(plan_.choice.effort)),
                {},
                {},
                plan_.choice.threads};
    }

    void run(bool backward) override {
        if (backward) {
            backward_->execute(array(true), array(false));
        } else {
            forward_->execute(array(false), array(true));
        }
    }

    [[nodiscard]] std::vector<LocalPiece> pieces(bool output) const override {
        const core::Layout& end = output ? plan_.at.back() : plan_.at.front();
        return {{end.stored(0).front(), end.scalar, array(output)}};
    }

    void clear() override {
        for (const core::Buffer* buffer : {&in_, &out_}) {
            std::fill_n(buffer->data(), buffer->bytes(), std::byte{0});
        }
    }

  private:
    [[nodiscard]] std::byte* array(bool output) const {
        return output && !plan_.problem.in_place ? out_.data() : in_.data();
    }

    core::Plan plan_;
    core::Buffer in_;
    core::Buffer out_;
    core::Team team_;
    std::unique_ptr<core::FftPlan> forward_;
    std::unique_ptr<core::FftPlan> backward_;
};

}  // namespace

std::unique_ptr<Contender> engine_contender(const std::string& text, MPI_Comm comm) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    if (ranks != 1)
        engine_cannot(fmt::format("it is serial, but there are {} ranks; start one", ranks));
    const Plan plan = Plan::parse(text, comm);
    return std::make_unique<EngineContender>(
        core::make_plan(plan.problem(), plan.choice(), plan.ranks()));
}

}  // namespace weft::cli
