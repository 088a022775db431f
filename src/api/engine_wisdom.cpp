#include "api/engine_wisdom.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "base/function_ref.hpp"
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

/// The lowest rank of those with a number in common.
struct Lowest {
    int rank = 0;
    std::uint64_t number = 0;
};

/// Collective. The lowest ranks by what `number` says on each rank, at most 64.
std::vector<Lowest> lowest_of_each(MPI_Comm comm, core::FunctionRef<std::uint64_t()> number) {
    constexpr std::size_t most = 64;
    std::uint64_t mine = 0;
    std::vector<std::uint64_t> all;
    core::all_or_none(comm, [&] {
        mine = number();
        all.resize(core::usize(core::ranks_in(comm)));
    });
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm),
                        "MPI_Allgather");
    });
    std::vector<Lowest> result;
    core::all_or_none(comm, [&] {
        std::set<std::uint64_t> seen;
        for (std::size_t rank = 0; rank < all.size() && result.size() < most; ++rank) {
            if (seen.insert(all[rank]).second) {
                result.push_back({static_cast<int>(rank), all[rank]});
            }
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
    const auto representatives = lowest_of_each(comm, [&] {
        const core::Plan plan = core::make_plan(problem, choice, core::ranks_in(comm));
        return extents_of(plan, core::rank_in(comm));
    });
    for (const Lowest& one : representatives) {
        const std::string text = core::broadcast_text(comm, one.rank, learned);
        core::all_or_none(comm, [&] { (void)engine->import_wisdom(text); });
    }
    core::all_or_none(comm, [&] { learned = engine->export_wisdom(); });
    return core::broadcast_text(comm, 0, learned);
}

void agree_on_learned(MPI_Comm comm) {
    const core::FftEngine& native = core::native_engine();
    std::string learned;
    std::uint64_t here = 0;
    core::all_or_none(comm, [&] {
        learned = native.export_wisdom();
        here = core::hash(core::native_learns_for());
    });
    if (!core::on_any_rank(comm, !learned.empty())) return;
    for (const Lowest& one : lowest_of_each(comm, [&] { return here; })) {
        const std::string text = core::broadcast_text(comm, one.rank, learned);
        core::all_or_none(comm, [&] {
            if (one.number != here || text == learned) return;
            core::forget_native_wisdom();
            (void)native.import_wisdom(text);
        });
    }
}

void let_engine_learn(MPI_Comm comm, const Problem& problem, const Choice& constraint,
                      double left) {
    const double seconds = std::min(1.0, 0.1 * left);
    const core::FftEngine& native = core::native_engine();
    bool may_learn = false;
    core::all_or_none(comm, [&] {
        const bool taken = constraint.engine.empty() || constraint.engine == native.name();
        may_learn = taken && !constraint.reproducible && problem.kind != Kind::redistribute &&
                    !core::Placements(constraint).first().own_engines;
        if (may_learn) native.learn(problem.precision, problem.shape, seconds);
    });
    if (may_learn) agree_on_learned(comm);
}

void teach_engine(MPI_Comm comm, const Choice& choice, const core::WisdomEntry& entry) {
    core::all_or_none(comm, [&] {
        const auto known = entry.engines.find(choice.engine);
        if (known == entry.engines.end()) return;
        (void)core::engine(choice.engine).import_wisdom(known->second);
    });
    agree_on_learned(comm);
}

}  // namespace weft
