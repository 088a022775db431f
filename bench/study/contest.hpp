// One task, planned by several engines on the same two arrays, checked and timed in turns.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fft/engine.hpp"
#include "measure/quartiles.hpp"
#include "memory/buffer.hpp"
#include "study/options.hpp"

namespace weft::study {

using Json = nlohmann::ordered_json;

/// One engine's plan and times.
struct Contestant {
    std::string engine;
    Effort effort = Effort::automatic;
    double planning_s = 0;
    std::unique_ptr<core::FftPlan> plan;
    Index calls = 1;              ///< transforms in a sample
    std::vector<double> samples;  ///< seconds of one transform
};

/// The engines' efforts: FFTW's is the one that is asked for, others take what they make of it.
class Contest {
  public:
    /// Plans; an engine that says that it cannot do the task is left out, with a word on stderr.
    /// The task is out of place and keeps its input, a c2r task has one transformed axis.
    Contest(const core::FftTask& task, const std::vector<std::string>& engines, Effort effort,
            int threads = 1);

    /// Transforms a random signal with every engine. Throws Error(wrong_result) if results differ
    /// by more than rounding, if anything is written between the elements, or if the input is.
    void check_same_results();
    void race(const Pace& pace);

    /// Runs engine i once, on a cleared output.
    void run_alone(std::size_t i);

    [[nodiscard]] std::vector<Contestant>& contestants() { return contestants_; }
    [[nodiscard]] std::byte* from() const { return arrays_.data(); }
    [[nodiscard]] std::byte* to() const { return arrays_.data() + to_begins_; }
    [[nodiscard]] Index from_bytes() const { return from_bytes_; }
    [[nodiscard]] Index to_bytes() const { return to_bytes_; }

    /// By engine: effort, seconds of planning and of one execution, GFLOP/s by core::flops.
    [[nodiscard]] Json json() const;

  private:
    void fill_with_noise();
    double sample(Contestant& contestant);

    core::FftTask task_;
    Index from_bytes_;
    Index to_bytes_;
    Index to_begins_;
    /// Both arrays, one after the other, so that what is to fit into a cache does.
    core::Buffer arrays_;
    std::vector<Contestant> contestants_;
};

/// Bytes from the first element that the task reads, or writes, to the last.
Index span_bytes(const core::FftTask& task, bool output);

}  // namespace weft::study
