#include "study/contest.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <span>

#include "base/cost.hpp"
#include "base/random.hpp"
#include "study/rules.hpp"
#include "study/threads.hpp"
#include "weft/error.hpp"

namespace weft::study {

namespace {

constexpr Index cache_line = 64;
/// Arrays of this size lie on huge pages. Small ones do so too, because how scattered pages share a
/// cache changes from run to run.
constexpr Index huge_pages = Index{4} << 20;

Index rounded_up(Index bytes, Index unit) { return (bytes + unit - 1) / unit * unit; }

template <class Real>
void fill_with_random(std::byte* data, Index bytes) {
    core::Random random(1);
    const std::span<Real> values(reinterpret_cast<Real*>(data),
                                 static_cast<std::size_t>(bytes) / sizeof(Real));
    for (Real& value : values) {
        value = static_cast<Real>(static_cast<double>(random.next() >> 11) * 0x1p-52 - 1);
    }
}

/// A spectrum of real data is real at frequency 0 and, for even n, at n/2.
template <class Real>
void make_ends_real(const core::FftTask& task, std::byte* data) {
    const core::Loop line = task.line_axis();
    const core::Loop lines = task.looped.empty() ? core::Loop{} : task.looped.front();
    auto* values = reinterpret_cast<Real*>(data);
    for (Index i = 0; i < lines.extent; ++i) {
        Real* first = values + 2 * i * lines.from;
        first[1] = 0;
        if (line.extent % 2 == 0) first[line.extent / 2 * line.from * 2 + 1] = 0;
    }
}

/// The rms of the difference over that of the first.
template <class Real>
double difference(const std::byte* first, const std::byte* second, Index bytes) {
    const auto* a = reinterpret_cast<const Real*>(first);
    const auto* b = reinterpret_cast<const Real*>(second);
    double sum = 0;
    double all = 0;
    for (Index i = 0; i < bytes / static_cast<Index>(sizeof(Real)); ++i) {
        const double error = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += error * error;
        all += static_cast<double>(a[i]) * static_cast<double>(a[i]);
    }
    return std::sqrt(sum / all);
}

}  // namespace

Index span_bytes(const core::FftTask& task, bool output) {
    const auto stride = output ? &core::Loop::to : &core::Loop::from;
    const Index stored = output ? task.line.target_length() : task.line.source_length();
    Index last = (stored - 1) * (output ? task.to_step : task.from_step);
    for (const auto* loops : {&task.complex_axes, &task.looped}) {
        for (const core::Loop& loop : *loops) last += (loop.extent - 1) * loop.*stride;
    }
    return (last + 1) * (output ? task.line.target() : task.line.source()).bytes();
}

Contest::Contest(const core::FftTask& task, const std::vector<std::string>& engines, Effort effort,
                 int threads)
    : task_(task),
      from_bytes_(span_bytes(task, false)),
      to_bytes_(span_bytes(task, true)),
      to_begins_(rounded_up(from_bytes_, cache_line)),
      arrays_(std::max(to_begins_ + to_bytes_, huge_pages)) {
    fill_with_noise();
    for (const std::string& name : engines) {
        Contestant contestant{name, effort, 0, nullptr, 1, {}};
        const Stopwatch watch;
        try {
            contestant.plan = plan_by_rule(name, task);
            if (!contestant.plan) {
                contestant.plan = plan(name, threads, task, effort, from(), to());
            }
        } catch (const Error& error) {
            if (error.code() != ErrorCode::not_available) throw;
            fmt::print(stderr, "engine_study: left out: {}: {}\n", name, error.what());
            continue;
        }
        contestant.planning_s = watch.seconds();
        contestants_.push_back(std::move(contestant));
    }
}

void Contest::fill_with_noise() {
    if (task_.line.precision == Precision::f64) {
        fill_with_random<double>(from(), from_bytes_);
        if (task_.line.kind == Kind::c2r) make_ends_real<double>(task_, from());
    } else {
        fill_with_random<float>(from(), from_bytes_);
        if (task_.line.kind == Kind::c2r) make_ends_real<float>(task_, from());
    }
}

void Contest::run_alone(std::size_t i) {
    std::memset(to(), 0, static_cast<std::size_t>(to_bytes_));
    contestants_[i].plan->execute(from(), to());
}

void Contest::check_same_results() {
    const std::vector<std::byte> input(from(), from() + from_bytes_);
    std::vector<std::byte> expected;
    const bool twice = task_.line.precision == Precision::f64;
    const double tolerance = twice ? 1e-9 : 1e-3;
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
        const std::string& name = contestants_[i].engine;
        run_alone(i);
        if (std::memcmp(input.data(), from(), input.size()) != 0) {
            throw Error(ErrorCode::wrong_result, name + " has overwritten its input");
        }
        if (expected.empty()) expected.assign(to(), to() + to_bytes_);
        const double error = twice ? difference<double>(expected.data(), to(), to_bytes_)
                                   : difference<float>(expected.data(), to(), to_bytes_);
        if (error <= tolerance) continue;  // which a NaN is not
        throw Error(ErrorCode::wrong_result,
                    fmt::format("{} and {} differ by {:.2g} of the result's rms",
                                contestants_.front().engine, name, error));
    }
}

/// Seconds of one transform, of as many as a sample has. Another engine ran before, so the caches
/// are made this one's first, unless a single transform is as long as a sample.
double Contest::sample(Contestant& contestant) {
    if (contestant.calls > 1) contestant.plan->execute(from(), to());
    const Stopwatch watch;
    for (Index i = 0; i < contestant.calls; ++i) contestant.plan->execute(from(), to());
    return watch.seconds() / static_cast<double>(contestant.calls);
}

void Contest::race(const Pace& pace) {
    double round_s = 0;
    for (Contestant& one : contestants_) {
        sample(one);
        // Of two, because the first of all pays for pages that nobody touched before.
        const double seconds = std::min(sample(one), sample(one));
        one.calls = std::max<Index>(1, std::lround(pace.sample_s / std::max(seconds, 1e-8)));
        round_s += std::max(seconds, pace.sample_s);
    }
    const int affordable = static_cast<int>(std::min(pace.case_s / round_s, 1e6));
    const int rounds = std::min(pace.repeat, std::max(pace.fewest_samples, affordable));
    for (int round = 0; round < rounds; ++round) {
        for (Contestant& one : contestants_) one.samples.push_back(sample(one));
    }
}

Json Contest::json() const {
    const double flops = core::flops(task_);
    Json result = Json::object();
    for (const Contestant& one : contestants_) {
        const cli::Quartiles seconds = cli::quartiles(one.samples);
        result[one.engine] = {
            {"effort", to_string(one.effort)},
            {"planning_s", one.planning_s},
            {"calls", one.calls},
            {"samples", one.samples.size()},
            {"seconds", {{"median", seconds.median}, {"q1", seconds.q1}, {"q3", seconds.q3}}},
            {"gflops", 1e-9 * flops / seconds.median}};
    }
    return result;
}

}  // namespace weft::study
