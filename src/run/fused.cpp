#include "run/fused.hpp"

#include <algorithm>
#include <utility>

namespace weft::core {

FusedRun::FusedRun(const FusedOp& op, Index first_step, Index end_step, int thread,
                   const std::vector<Index>& past, bool any_alignment, EnginePlans& plans)
    : first_(first_step), end_(end_step), places_(op.places.size(), nullptr) {
    for (std::size_t i = 0; i < op.places.size(); ++i) {
        const Place& place = op.places[i];
        if (place.rank != -1 || place.buffer == -1) continue;
        const bool scratch = static_cast<int>(i) == op.scratch;
        own_.push_back(
            {i, static_cast<std::size_t>(place.buffer), scratch ? thread * op.scratch_bytes : 0});
    }
    std::size_t most_parts = 0;
    std::size_t most_loops = 0;
    for (const auto& work : op.work) {
        if (const auto* batch = std::get_if<FusedBatch>(&work)) {
            add(*batch, thread, past, any_alignment, plans);
            continue;
        }
        const auto& task = std::get<PartsTask>(work);
        most_parts = std::max({most_parts, task.from.size(), task.to.size()});
        most_loops = std::max(most_loops, task.loops.size());
        add(task, plans.engine());
    }
    counters_.resize(most_loops);
    from_.resize(most_parts);
    next_.resize(most_parts);
    to_.resize(most_parts);
}

void FusedRun::add(const FusedBatch& batch, int thread, const std::vector<Index>& past,
                   bool any_alignment, EnginePlans& plans) {
    FftTask task = batch.task;
    task.any_alignment = task.any_alignment || any_alignment;
    const Index from_unit = task.source().bytes();
    const Index to_unit = task.target().bytes();
    Batch result{
        task, nullptr, batch.from, batch.to, batch.from_step * from_unit, batch.to_step * to_unit};
    const auto begin = [&](int place) {
        const auto own = std::find_if(own_.begin(), own_.end(), [&](const OwnPlace& one) {
            return one.place == static_cast<std::size_t>(place);
        });
        return own == own_.end() ? Index{0} : past[own->buffer] + own->offset;
    };
    const Index from = begin(batch.from) + task.from_offset * from_unit + first_ * result.from_step;
    const Index to = begin(batch.to) + task.to_offset * to_unit + first_ * result.to_step;
    result.plan = plans.of_thread(thread, task, from, to);
    work_.emplace_back(std::move(result));
}

TilePlan* FusedRun::plan_for(const PartsTask& task, const FftEngine& engine) {
    TileTask tile{task.kind, task.sign,   task.precision,    task.length,       {}, {}, task.stream,
                  task.far,  task.far_to, task.reads_beyond, task.writes_beyond};
    const auto pieces = [](const std::vector<LinePart>& parts) {
        std::vector<LinePiece> result;
        result.reserve(parts.size());
        for (const LinePart& part : parts) {
            result.push_back({part.first, part.extent, part.step, part.strides.back()});
        }
        return result;
    };
    tile.from = pieces(task.from);
    tile.to = pieces(task.to);
    for (const auto& [known, plan] : plans_) {
        if (known == tile) return plan.get();
    }
    plans_.emplace_back(tile, engine.tiles(tile));
    return plans_.back().second.get();
}

void FusedRun::add(const PartsTask& task, const FftEngine& engine) {
    Tiles tiles{nullptr, task.loops, {}, {}, task.far};
    const auto parts = [](const std::vector<LinePart>& some, Index unit) {
        std::vector<Part> result;
        for (const LinePart& part : some) {
            Part& one = result.emplace_back(Part{part.place, part.offset * unit, part.strides});
            for (Index& stride : one.strides) stride *= unit;
        }
        return result;
    };
    tiles.from = parts(task.from, task.source().bytes());
    tiles.to = parts(task.to, task.target().bytes());
    const bool empty = std::count(task.loops.begin(), task.loops.end(), 0) != 0;
    if (!empty) tiles.plan = plan_for(task, engine);
    work_.emplace_back(std::move(tiles));
}

void FusedRun::connect(const std::vector<std::byte*>& places) { places_ = places; }

void FusedRun::execute(const Batch& batch, Index step) const {
    const auto place = [&](int number) { return places_[static_cast<std::size_t>(number)]; };
    batch.plan->execute(place(batch.from) + batch.task.from_offset * batch.task.source().bytes() +
                            step * batch.from_step,
                        place(batch.to) + batch.task.to_offset * batch.task.target().bytes() +
                            step * batch.to_step);
}

template <class Pointer>
void FusedRun::locate(const std::vector<Part>& parts, const std::vector<Index>& counters,
                      std::vector<Pointer>& pointers) const {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = parts[i];
        Index offset = part.offset;
        for (std::size_t k = 0; k < part.strides.size(); ++k) {
            offset += counters[k] * part.strides[k];
        }
        pointers[i] = places_[static_cast<std::size_t>(part.place)] + offset;
    }
}

void FusedRun::execute(const Tiles& tiles, Index step) {
    if (tiles.plan == nullptr) return;
    const std::size_t last = tiles.loops.size() - 1;
    const Index lanes = tiles.loops[last];
    const Index lines = tiles.plan->lines();
    std::fill(counters_.begin(), counters_.end(), 0);
    counters_[0] = step;
    locate(tiles.from, counters_, from_);
    for (bool more = true; more;) {
        locate(tiles.to, counters_, to_);
        const Index count = std::min(lines, lanes - counters_[last]);
        // On to the next tile: the lanes first, then the other loops like an odometer.
        counters_[last] += lines;
        if (counters_[last] >= lanes) {
            counters_[last] = 0;
            std::size_t digit = last;
            while (--digit > 0 && ++counters_[digit] == tiles.loops[digit]) counters_[digit] = 0;
            if (digit == 0) more = ++counters_[0] < end_ && tiles.far;
        }
        locate(tiles.from, counters_, next_);
        tiles.plan->execute(from_.data(), to_.data(), count, more ? next_.data() : nullptr);
        more = more && counters_[0] == step;
        from_.swap(next_);
    }
}

void FusedRun::execute(const std::vector<std::byte*>& buffers) {
    for (const OwnPlace& own : own_) places_[own.place] = buffers[own.buffer] + own.offset;
    for (Index step = first_; step < end_; ++step) {
        for (const Work& work : work_) {
            if (const auto* batch = std::get_if<Batch>(&work)) {
                execute(*batch, step);
            } else {
                execute(std::get<Tiles>(work), step);
            }
        }
    }
    for (const auto& [task, plan] : plans_) plan->complete();
}

}  // namespace weft::core
