#include "ft/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "measure/json.hpp"
#include "weft/version.hpp"

namespace weft::cli {

namespace {

/// Millions of operations per second by NAS' count, whatever the transform really does.
double rate(const ProblemClass& problem, double seconds) {
    const auto n = static_cast<double>(problem.shape[0] * problem.shape[1] * problem.shape[2]);
    const auto iterations = static_cast<double>(problem.published.size());
    const double log_n = std::log(n);
    const double once = 14.8157 + 7.19641 * log_n;
    const double each = 5.23518 + 7.21113 * log_n;
    return 1e-6 * n * (once + each * iterations) / seconds;
}

double relative_error(const Complex& computed, const Complex& published) {
    return std::abs((computed - published) / published);
}

/// Whether a checksum is right. Not a number is not.
bool agrees(const Complex& computed, const Complex& published) {
    return relative_error(computed, published) <= 1e-12;
}

std::string digits(const Complex& value) {
    return fmt::format("{:20.12e} {:20.12e}", value.real(), value.imag());
}

std::array<double, 2> parts(const Complex& value) { return {value.real(), value.imag()}; }

}  // namespace

bool all_agree(const std::vector<Complex>& computed, std::span<const Complex> published) {
    bool all = computed.size() == published.size();
    for (std::size_t t = 0; all && t < computed.size(); ++t)
        all = agrees(computed[t], published[t]);
    return all;
}

void print_problem(const ProblemClass& problem, const Plan& plan) {
    fmt::print("NAS Parallel Benchmark FT, weft {}\n\n", version());
    fmt::print("Class         {}\n", problem.name);
    fmt::print("Size          {} x {} x {}\n", problem.shape[2], problem.shape[1],
               problem.shape[0]);
    fmt::print("Iterations    {}\n", problem.published.size());
    fmt::print("Ranks         {}\n", plan.ranks());
    fmt::print("Plan          {}\n\n", plan.text());
    std::fflush(stdout);
}

void print_outcome(const ProblemClass& problem, const FtOutcome& outcome) {
    double worst = 0;
    for (std::size_t t = 0; t < outcome.checksums.size(); ++t) {
        fmt::print("T = {:4}      Checksum = {}\n", t + 1, digits(outcome.checksums[t]));
        worst = std::max(worst, relative_error(outcome.checksums[t], problem.published[t]));
    }
    if (all_agree(outcome.checksums, problem.published)) {
        fmt::print("\nVerification  SUCCESSFUL, relative error {:.1e}\n", worst);
    } else {
        fmt::print("\nVerification  FAILED\n");
        for (std::size_t t = 0; t < outcome.checksums.size(); ++t) {
            const Complex& computed = outcome.checksums[t];
            const Complex& published = problem.published[t];
            if (agrees(computed, published)) continue;
            fmt::print("  iteration {:2}  computed  {}\n", t + 1, digits(computed));
            fmt::print("                published {}, relative error {:.1e}\n", digits(published),
                       relative_error(computed, published));
        }
    }
    fmt::print("Time          {:.4f} s, of which initial conditions {:.4f} s\n", outcome.seconds,
               outcome.initialising_seconds);
    fmt::print("Rate          {:.2f} Mop/s\n", rate(problem, outcome.seconds));
    std::fflush(stdout);
}

void print_json(const ProblemClass& problem, const Plan& plan, const FtOutcome& outcome) {
    double worst = 0;
    Json checksums = Json::array();
    for (std::size_t t = 0; t < outcome.checksums.size(); ++t) {
        const double error = relative_error(outcome.checksums[t], problem.published[t]);
        worst = std::max(worst, error);
        checksums.push_back({{"computed", parts(outcome.checksums[t])},
                             {"published", parts(problem.published[t])},
                             {"error", error}});
    }
    const bool right = all_agree(outcome.checksums, problem.published);
    const Json all = {
        {"verdict", fmt::format("class {} on {} ranks: {}, relative error {:.1e}", problem.name,
                                plan.ranks(), right ? "SUCCESSFUL" : "FAILED", worst)},
        {"right", right},
        {"class", std::string(1, problem.name)},
        {"shape", problem.shape},
        {"ranks", plan.ranks()},
        {"plan", plan.text()},
        {"checksums", checksums},
        {"seconds", outcome.seconds},
        {"initial_conditions_s", outcome.initialising_seconds},
        {"mops", rate(problem, outcome.seconds)}};
    fmt::print("{}\n", all.dump(1));
    std::fflush(stdout);
}

}  // namespace weft::cli
