#include "model/device_seconds.hpp"

#include <cmath>

#include "base/index.hpp"
#include "model/operation_seconds.hpp"
#include "plan/placement.hpp"

namespace weft::core {

namespace {

double line_flops(const LineTransform& line, double lines, Index length) {
    const auto n = static_cast<double>(length);
    const double each = line.kind == Kind::c2c ? 5 : 2.5;
    return length < 2 ? 0 : each * lines * n * std::log2(n);
}

double line_bytes(const LineTransform& line) {
    return static_cast<double>(line.source_length() * line.source().bytes() +
                               line.target_length() * line.target().bytes());
}

LinesLie lie_of(bool contiguous_from, bool contiguous_to) {
    if (contiguous_from != contiguous_to) return LinesLie::permuting;
    return contiguous_from ? LinesLie::lines : LinesLie::lanes;
}

/// One axis after the other; the line's own may have real numbers on one side.
std::vector<LinePass> passes_of(const FftTask& task) {
    std::vector<LinePass> result;
    const double elements = static_cast<double>(count_of(task.looped) * count_of(task.axes()));
    if (elements == 0) return result;
    const bool is_r2r = task.line.kind == Kind::r2r;
    const double complex_bytes = elements / static_cast<double>(task.line.length) *
                                 static_cast<double>(task.line.complex_length()) *
                                 static_cast<double>(Scalar{task.line.precision, !is_r2r}.bytes());
    const auto add = [&](const Loop& axis, double bytes) {
        const double lines = elements / static_cast<double>(axis.extent);
        const LinesLie lie =
            lie_of(axis.extent == 1 || axis.from == 1, axis.extent == 1 || axis.to == 1);
        result.push_back({lie, axis.extent, bytes, line_flops(task.line, lines, axis.extent)});
    };
    for (const Loop& axis : task.complex_axes) add(axis, 2 * complex_bytes);
    add(task.line_axis(), elements / static_cast<double>(task.line.length) * line_bytes(task.line));
    return result;
}

LinePass pass_of(const FusedLines& batch) {
    auto lines = static_cast<double>(batch.lanes);
    for (const Index extent : batch.loops) lines *= static_cast<double>(extent);
    const auto contiguous = [](const std::vector<Segments>& side) {
        return side.empty() || side.front().first.step == 1;
    };
    const Index length = batch.line.length;
    return {lie_of(contiguous(batch.from), contiguous(batch.to)), length,
            lines * line_bytes(batch.line), line_flops(batch.line, lines, length)};
}

/// Bytes that lines read of memory for which `counts`, among the places of their operation.
template <class Counts>
double read_bytes(const FusedOp& op, const FusedLines& batch, const Counts& counts) {
    auto lines = static_cast<double>(batch.lanes);
    for (const Index extent : batch.loops) lines *= static_cast<double>(extent);
    Index elements = 0;
    for (const Segments& alike : batch.from) {
        for (const SegmentBegin& one : alike.begins) {
            if (counts(op.places[usize(one.place)])) {
                elements += alike.first.extent;
            }
        }
    }
    return lines * static_cast<double>(elements * batch.line.source().bytes());
}

/// Whether copy b goes on where copy a ends, on both sides.
bool follows(const CopyTask& a, const CopyTask& b) {
    const auto contiguous = [](const CopyTask& task) {
        Index step = 1;
        for (auto loop = task.loops.rbegin(); loop != task.loops.rend(); ++loop) {
            if (loop->extent == 1) continue;
            if (loop->from != step || loop->to != step) return false;
            step *= loop->extent;
        }
        return true;
    };
    if (!contiguous(a) || !contiguous(b)) return false;
    const Index count = bytes_of(a) / std::max(Index{1}, a.element_bytes);
    return b.from_offset == a.from_offset + count && b.to_offset == a.to_offset + count;
}

/// Seconds of each operation of one program.
class DeviceSeconds {
  public:
    DeviceSeconds(const Program& program, const Plan& plan, const Site& site)
        : program_(program),
          devices_(*site.machine.devices),
          engine_(device_engine(devices_, plan.choice.engine)),
          single_(plan.problem.precision == Precision::f32) {
        node_ranks_ =
            plan.placements.device_ranks(std::min(site.ranks, site.machine.ranks_per_node));
        sharers_ = device_sharers(devices_, node_ranks_);
        link_sharers_ = link_sharers(devices_, node_ranks_);
        ranks_per_node_ = site.machine.ranks_per_node;
    }

    [[nodiscard]] double of(std::size_t number) const {
        const Operation& operation = program_.operations[number];
        if (const auto* onward = std::get_if<OnwardOp>(&operation.what)) {
            return take(*onward, onward_copies(program_, number, onward->turn), operation.purpose);
        }
        const auto seconds = [&](const auto& op) -> double {
            if constexpr (requires { take(op, operation.purpose); }) {
                return take(op, operation.purpose);
            }
            return 0;
        };
        return std::visit(seconds, operation.what);
    }

  private:
    [[nodiscard]] double passes(const std::vector<LinePass>& all, double times) const {
        double seconds = 0;
        for (LinePass pass : all) {
            pass.bytes *= times;
            pass.flops *= times;
            seconds += devices_.launch + sharers_ * pass_seconds(engine_, pass, single_);
        }
        return seconds;
    }
    [[nodiscard]] double copy(double bytes, double rate) const {
        return devices_.launch + sharers_ * bytes / rate;
    }

    /// A region of a rank on another device of the node; of one on the same device it is memory as
    /// any other.
    [[nodiscard]] bool of_other_device(const BufferRef& place) const {
        return place.rank && !same_device(devices_, node_ranks_, program_.rank % ranks_per_node_,
                                          *place.rank % ranks_per_node_);
    }
    /// What reads so many bytes of other devices; nothing if there are none. Ranks that share a
    /// device share its link.
    [[nodiscard]] double far(double bytes) const {
        return bytes <= 0 ? 0 : devices_.launch + peer_bytes_seconds(devices_, sharers_ * bytes);
    }

    [[nodiscard]] double take(const TransformOp& op, Purpose /*purpose*/) const {
        return passes(passes_of(op.task), 1);
    }
    [[nodiscard]] double take(const FusedOp& op, Purpose /*purpose*/) const {
        double seconds = 0;
        for (const auto& work : op.work) {
            if (const auto* batch = std::get_if<TransformOp>(&work)) {
                seconds += passes(passes_of(batch->task), static_cast<double>(op.repeat));
            } else if (const auto* lines = std::get_if<FusedLines>(&work)) {
                const auto is_far = [&](const BufferRef& place) { return of_other_device(place); };
                seconds +=
                    std::max(passes({pass_of(*lines)}, 1), far(read_bytes(op, *lines, is_far)));
            }
        }
        return seconds;
    }
    [[nodiscard]] double take(const CopyOp& op, Purpose purpose) const {
        const bool permutes =
            purpose == Purpose::pack || purpose == Purpose::unpack || purpose == Purpose::reorder;
        const auto bytes = static_cast<double>(bytes_of(op.task));
        return std::max(copy(2 * bytes, permutes ? devices_.pack_rate : devices_.copy_rate),
                        far(of_other_device(op.from) ? bytes : 0));
    }
    [[nodiscard]] double take(const ScaleOp& op, Purpose /*purpose*/) const {
        const double real = op.precision == Precision::f64 ? 8 : 4;
        return copy(2 * real * static_cast<double>(op.slice.count()), devices_.copy_rate);
    }
    [[nodiscard]] double take(const OnwardOp& op, const std::vector<CopyTask>& copies,
                              Purpose purpose) const {
        if (purpose == Purpose::hop) return take(HopOp{copies, op.from, op.to}, purpose);
        double bytes = 0;
        for (const CopyTask& task : copies) bytes += 2 * static_cast<double>(bytes_of(task));
        return copy(bytes, devices_.pack_rate);
    }
    [[nodiscard]] double take(const HopOp& op, Purpose /*purpose*/) const {
        const BufferSpec& from = program_.buffers[usize(op.from)];
        const BufferSpec& to = program_.buffers[usize(op.to)];
        const bool to_device = to.space == MemorySpace::device;
        const bool pinned = (to_device ? from : to).role == Role::work;
        double bytes = 0;
        double further = 0;
        for (std::size_t i = 0; i < op.copies.size(); ++i) {
            bytes += static_cast<double>(bytes_of(op.copies[i]));
            if (i > 0 && !follows(op.copies[i - 1], op.copies[i])) further += devices_.launch;
        }
        return devices_.host_link.latency + further +
               link_sharers_ * hop_bytes_seconds(devices_.host_link, bytes, to_device, pinned);
    }

    const Program& program_;
    const Devices& devices_;
    const DeviceEngine& engine_;
    bool single_;
    int ranks_per_node_ = 1;
    int node_ranks_ = 1;  ///< that compute on devices
    double sharers_ = 1;
    double link_sharers_ = 1;
};

}  // namespace

std::vector<double> device_seconds(const Program& program, const Plan& plan, const Site& site,
                                   const std::vector<double>& bytes) {
    const DeviceSeconds seconds(program, plan, site);
    // Where values are the host's, it also copies what arrives.
    const bool host_copies = plan.placement(program.rank).memory > 0;
    std::vector<double> result(program.operations.size());
    if (host_copies) result = operation_seconds(program, plan, site.machine, bytes);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const bool is_host = program.operations[i].queue == Queue::exchange;
        if (!host_copies || !is_host) result[i] = seconds.of(i);
    }
    return result;
}

}  // namespace weft::core
