#include "measure/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "measure/files.hpp"

namespace weft::cli {

ProgressOutput progress_output(bool speaks) {
    ProgressOutput output;
    if (!speaks) return output;
    output.terminal = isatty(STDERR_FILENO) != 0;
    output.write = say_error;
    output.now = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    };
    return output;
}

Progress::Progress(std::string verb, std::string unit, int steps, ProgressOutput output)
    : verb_(std::move(verb)),
      unit_(std::move(unit)),
      steps_(steps),
      output_(std::move(output)),
      begin_(output_.now ? output_.now() : 0),
      next_(begin_ + pause_) {}

Progress::~Progress() { clear(); }

std::string Progress::line(int step, double now) const {
    if (steps_ == 0) return fmt::format("{}: {} {} in {:.0f} s", verb_, step, unit_, now - begin_);
    return fmt::format("{}: {} of {} {}, about {:.0f} s left", verb_, step, steps_, unit_,
                       (now - begin_) / step * (steps_ - step));
}

void Progress::clear() {
    if (shown_ == 0) return;
    output_.write("\r" + std::string(shown_, ' ') + "\r");
    shown_ = 0;
}

void Progress::done(int step) {
    constexpr double longest_pause = 30;
    constexpr double terminal_pause = 0.5;
    if (!output_.write) return;
    if (steps_ > 0 && step >= steps_) {
        clear();
        return;
    }
    const double now = output_.now();
    if (step < 1 || now < next_) return;
    const std::string text = line(step, now);
    if (output_.terminal) {
        const std::size_t rest = shown_ > text.size() ? shown_ - text.size() : 0;
        output_.write("\r" + text + std::string(rest, ' '));
        shown_ = text.size();
        next_ = now + terminal_pause;
    } else {
        output_.write(text + "\n");
        pause_ = std::min(2 * pause_, longest_pause);
        next_ = now + pause_;
    }
}

}  // namespace weft::cli
