#include "run/profile.hpp"

#include <chrono>

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

std::vector<Part> parts(const Program& program) {
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

Profile profile(Executor& executor, const std::vector<Part>& parts) {
    Profile result;
    const double begin = now();
    double last = begin;
    executor.start();
    while (!executor.done()) {
        const auto part = static_cast<std::size_t>(parts[executor.next()]);
        executor.advance_blocking();
        const double time = now();
        result.seconds[part] += time - last;
        last = time;
    }
    result.total = last - begin;
    return result;
}

}  // namespace weft::core
