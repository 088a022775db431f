#include "run/profile.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <utility>

namespace weft::core {

namespace {

/// Which copies of a stage pack and which unpack: those before its exchange and those after.
enum class Progress { before, during, after };

Part part_of_copy(Progress exchange, bool stage_moves) {
    if (!stage_moves) return Part::other;
    switch (exchange) {
        case Progress::before:
            return Part::pack;
        case Progress::during:
            return Part::exchange;
        case Progress::after:
            return Part::unpack;
    }
    return Part::other;
}

bool moves(const Program& program, int stage) {
    for (const Operation& operation : program.operations) {
        if (operation.stage == stage && std::holds_alternative<PostOp>(operation.what)) return true;
    }
    return false;
}

double now() {
    using Seconds = std::chrono::duration<double>;
    return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

namespace {

/// Whether operations of several tiles are interleaved.
bool interleaved(const Program& program) {
    const auto& all = program.operations;
    return !std::is_sorted(all.begin(), all.end(),
                           [](const auto& a, const auto& b) { return a.stage < b.stage; });
}

/// Where stages come again and again buffers tell what copies are for.
std::vector<Part> parts_of_tiles(const Program& program) {
    std::set<std::pair<int, int>> sent;  // By stage.
    std::set<std::pair<int, int>> landed;
    for (const Operation& operation : program.operations) {
        const auto* post = std::get_if<PostOp>(&operation.what);
        if (post == nullptr) continue;
        sent.insert({operation.stage, post->from});
        landed.insert({operation.stage, post->to});
    }
    const auto part_of = [&](int stage, const CopyOp& copy) {
        const auto first = sent.lower_bound({stage, std::numeric_limits<int>::min()});
        if (first == sent.end() || first->first != stage) return Part::other;
        if (sent.contains({stage, copy.to})) return Part::pack;
        const bool beside = sent.contains({stage, copy.from}) && landed.contains({stage, copy.to});
        return beside ? Part::exchange : Part::unpack;
    };
    std::vector<Part> result;
    result.reserve(program.operations.size());
    for (const Operation& operation : program.operations) {
        const auto* copy = std::get_if<CopyOp>(&operation.what);
        if (std::holds_alternative<TransformOp>(operation.what) ||
            std::holds_alternative<FusedOp>(operation.what)) {
            result.push_back(Part::fft);
        } else if (copy != nullptr) {
            result.push_back(part_of(operation.stage, *copy));
        } else {
            const bool scales = std::holds_alternative<ScaleOp>(operation.what);
            result.push_back(scales ? Part::other : Part::exchange);
        }
    }
    return result;
}

}  // namespace

std::vector<Part> parts(const Program& program) {
    if (interleaved(program)) return parts_of_tiles(program);
    std::vector<Part> result;
    int stage = -1;
    bool stage_moves = false;
    Progress exchange = Progress::before;
    for (const Operation& operation : program.operations) {
        if (operation.stage != stage) {
            stage = operation.stage;
            stage_moves = moves(program, stage);
            exchange = Progress::before;
        }
        if (std::holds_alternative<TransformOp>(operation.what) ||
            std::holds_alternative<FusedOp>(operation.what)) {
            result.push_back(Part::fft);
        } else if (std::holds_alternative<CopyOp>(operation.what)) {
            result.push_back(part_of_copy(exchange, stage_moves));
        } else if (std::holds_alternative<ScaleOp>(operation.what)) {
            result.push_back(Part::other);
        } else {
            const bool posts = std::holds_alternative<PostOp>(operation.what);
            exchange = posts ? Progress::during : Progress::after;
            result.push_back(Part::exchange);
        }
    }
    return result;
}

std::vector<double> seconds_of_operations(Executor& executor) {
    std::vector<double> result;
    double last = now();
    executor.start();
    while (!executor.done()) {
        executor.advance_blocking();
        const double time = now();
        result.push_back(time - last);
        last = time;
    }
    return result;
}

Profile profile(Executor& executor, const std::vector<Part>& parts) {
    Profile result;
    const std::vector<double> seconds = seconds_of_operations(executor);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        result.seconds[static_cast<std::size_t>(parts[i])] += seconds[i];
        result.total += seconds[i];
    }
    return result;
}

}  // namespace weft::core
