#include "fft/gpu/gathered_lines.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft::core::WEFT_GPU_TARGET {

namespace {

Index line_count(const FusedLines& lines) {
    return std::accumulate(lines.loops.begin(), lines.loops.end(), lines.lanes,
                           std::multiplies<>());
}

/// Copies of one segment of every line.
CopyTask copy_of(const FusedLines& lines, const Segments& alike, std::size_t j, bool gathers) {
    const LineTransform& line = lines.line;
    const Index length = gathers ? line.source_length() : line.target_length();
    const LineSegment segment = alike.segment(j);
    const Index bytes = gathers ? line.source().bytes() : line.target().bytes();
    CopyTask copy{.loops = {}, .element_bytes = bytes};
    const auto add = [&](Index extent, Index place, Index memory) {
        copy.loops.push_back(gathers ? Loop{extent, place, memory} : Loop{extent, memory, place});
    };
    Index memory = line_count(lines) * length;
    for (std::size_t k = 0; k < lines.loops.size(); ++k) {
        memory /= lines.loops[k];
        add(lines.loops[k], alike.strides[k], memory);
    }
    add(lines.lanes, segment.lane_step, length);
    add(segment.extent, segment.step, 1);
    (gathers ? copy.from_offset : copy.to_offset) = alike.begins[j].offset;
    (gathers ? copy.to_offset : copy.from_offset) = segment.first;
    return copy;
}

class GatheredLines final : public PreparedWork {
  public:
    GatheredLines(const FusedLines& lines, const std::shared_ptr<WorkArea>& area,
                  const FftEngine& library)
        : area_(area) {
        const Index count = line_count(lines);
        if (count == 0) return;
        const LineTransform& line = lines.line;
        FftTask task{.line = line,
                     .looped = {{count, line.source_length(), line.target_length()}},
                     .may_destroy_input = true};
        gathered_bytes_ = WorkArea::rounded(count * line.source_length() * line.source().bytes());
        const Index transformed =
            WorkArea::rounded(count * line.target_length() * line.target().bytes());
        // The library's plan takes the beginning of the area for itself.
        plan_ = library.plan(task, Effort::estimate, nullptr, nullptr);
        work_bytes_ = WorkArea::rounded(area->bytes());
        area->require(work_bytes_ + gathered_bytes_ + transformed);
        gather_ = kernels(line_copies(lines, true));
        scatter_ = kernels(line_copies(lines, false));
    }

    void run(const DeviceView& view, std::span<std::byte* const> places) override {
        if (plan_ == nullptr) return;
        std::byte* gathered = area_->data() + work_bytes_;
        std::byte* transformed = gathered + gathered_bytes_;
        for (std::size_t place = 0; place < gather_.size(); ++place) {
            if (gather_[place] != nullptr) gather_[place]->run(view, places[place], gathered);
        }
        plan_->run(view, gathered, transformed);
        for (std::size_t place = 0; place < scatter_.size(); ++place) {
            if (scatter_[place] != nullptr) scatter_[place]->run(view, transformed, places[place]);
        }
    }

  private:
    using Kernels = std::vector<std::unique_ptr<PreparedWork>>;

    [[nodiscard]] Kernels kernels(const std::vector<std::vector<CopyTask>>& of_places) const {
        Kernels result;
        for (const std::vector<CopyTask>& copies : of_places) {
            result.push_back(copies.empty() ? nullptr : area_->device().copies(copies));
        }
        return result;
    }

    std::shared_ptr<WorkArea> area_;
    std::unique_ptr<FftPlan> plan_;  ///< null: there are no lines
    Kernels gather_;                 ///< by place; null: none of them
    Kernels scatter_;
    Index work_bytes_ = 0;
    Index gathered_bytes_ = 0;
};

}  // namespace

std::vector<std::vector<CopyTask>> line_copies(const FusedLines& lines, bool gathers) {
    std::vector<std::vector<CopyTask>> result;
    for (const Segments& alike : gathers ? lines.from : lines.to) {
        for (std::size_t j = 0; j < alike.begins.size(); ++j) {
            const auto place = static_cast<std::size_t>(alike.begins[j].place);
            if (result.size() <= place) result.resize(place + 1);
            result[place].push_back(copy_of(lines, alike, j, gathers));
        }
    }
    return result;
}

std::unique_ptr<PreparedWork> gathered_lines(const FusedLines& lines,
                                             const std::shared_ptr<WorkArea>& area,
                                             const FftEngine& library) {
    return std::make_unique<GatheredLines>(lines, area, library);
}

}  // namespace weft::core::WEFT_GPU_TARGET
