#include "api/engine_wisdom.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "base/index.hpp"
#include "base/text.hpp"
#include "fft/engine.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"
#include "plan/placement.hpp"
#include "plan/plan.hpp"

namespace weft {

namespace {

/// A number that ranks have in common if their parts have equal extents in all layouts.
std::uint64_t extents_of(const core::Plan& plan, int rank) {
    std::string text;
    for (const core::Layout& layout : plan.at) {
        for (const Box& box : layout.where.boxes(rank)) {
            for (int axis = 0; axis < box.axes(); ++axis) {
                text += std::to_string(box.extent(axis)) + " ";
            }
            text += "| ";
        }
        text += "; ";
    }
    return core::hash(text);
}

/// Collective. The lowest ranks of those that have equal extents.
std::vector<int> representatives(MPI_Comm comm, const Problem& problem, const Choice& choice) {
    constexpr std::size_t most = 64;
    std::uint64_t mine = 0;
    std::vector<std::uint64_t> all;
    core::all_or_none(comm, [&] {
        const int ranks = core::ranks_in(comm);
        mine = extents_of(core::make_plan(problem, choice, ranks), core::rank_in(comm));
        all.resize(core::usize(ranks));
    });
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm),
                        "MPI_Allgather");
    });
    std::vector<int> result;
    core::all_or_none(comm, [&] {
        std::set<std::uint64_t> seen;
        for (std::size_t rank = 0; rank < all.size() && result.size() < most; ++rank) {
            if (seen.insert(all[rank]).second) result.push_back(static_cast<int>(rank));
        }
    });
    return result;
}

}  // namespace

std::string learned_by_engine(MPI_Comm comm, const Problem& problem, const Choice& choice) {
    // The engines of devices do not measure.
    if (core::Placements(choice).first().own_engines) return "";
    const core::FftEngine* engine = nullptr;
    std::string learned;
    core::all_or_none(comm, [&] {
        engine = &core::engine(choice.engine);
        learned = engine->export_wisdom();
    });
    if (!core::on_any_rank(comm, !learned.empty())) return "";
    for (const int rank : representatives(comm, problem, choice)) {
        const std::string text = core::broadcast_text(comm, rank, learned);
        core::all_or_none(comm, [&] { (void)engine->import_wisdom(text); });
    }
    core::all_or_none(comm, [&] { learned = engine->export_wisdom(); });
    return core::broadcast_text(comm, 0, learned);
}

void let_engine_learn(MPI_Comm comm, const Problem& problem, const Choice& constraint,
                      double left) {
    const double seconds = std::min(1.0, 0.1 * left);
    const core::FftEngine& native = core::native_engine();
    std::string learned;
    bool may_learn = false;
    core::all_or_none(comm, [&] {
        const bool taken = constraint.engine.empty() || constraint.engine == native.name();
        may_learn = taken && !constraint.reproducible && problem.kind != Kind::redistribute &&
                    !core::Placements(constraint).first().own_engines;
        if (!may_learn) return;
        native.learn(problem.precision, problem.shape, seconds);
        learned = native.export_wisdom();
    });
    if (!may_learn) return;
    const std::string first = core::told_by_first(comm, [&] { return learned; });
    core::all_or_none(comm, [&] { (void)native.import_wisdom(first); });
}

void teach_engine(MPI_Comm comm, const Choice& choice, const core::WisdomEntry& entry) {
    core::all_or_none(comm, [&] {
        const auto known = entry.engines.find(choice.engine);
        if (known == entry.engines.end()) return;
        (void)core::engine(choice.engine).import_wisdom(known->second);
    });
}

}  // namespace weft
