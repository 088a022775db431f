#include "tune/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "geometry/census.hpp"
#include "model/price.hpp"
#include "plan/fuse.hpp"
#include "program/lower.hpp"

namespace weft::core {

namespace {

double sum(const std::vector<StagePrice>& stages) {
    double seconds = 0;
    for (const StagePrice& stage : stages) seconds += stage.seconds();
    return seconds;
}

void slow_down(Link& link, double latency, double bytes) {
    link.latency *= latency;
    if (link.overhead) *link.overhead *= latency;
    link.bandwidth /= bytes;
    // A point of the table is latency and bytes together; the larger part is not told apart.
    for (TablePoint& point : link.by_size) point.y *= std::sqrt(latency * bytes);
}

}  // namespace

Forecast::Forecast(const Plan& plan, const Topology& nodes, const Machine& machine) {
    const Environment environment = environment_of(plan, nodes);
    plan_ = fuse(plan, environment);
    std::set<int> ranks = {0, plan.ranks / 2, plan.ranks - 1};
    for (const Layout& layout : plan.at) {
        if (!plan.pipeline) ranks.insert(fullest_rank(layout.where));
    }
    const Site site{machine, plan.ranks};
    double slowest = -1;
    for (const int rank : ranks) {
        Program program = lower(plan_, rank, environment);
        const double seconds = sum(price(program, plan_, site));
        if (rank != 0 && seconds <= slowest) continue;
        slowest = seconds;
        programs_.resize(std::min<std::size_t>(programs_.size(), 1));
        programs_.push_back(std::move(program));
    }
}

double Forecast::seconds(const Machine& machine) const {
    const Site site{machine, plan_.ranks};
    double slowest = 0;
    for (const Program& program : programs_) {
        slowest = std::max(slowest, sum(price(program, plan_, site)));
    }
    return slowest;
}

Machine Correction::applied(const Machine& machine) const {
    std::vector<double> factor(doublings_.size());
    std::transform(doublings_.begin(), doublings_.end(), factor.begin(),
                   [](double doublings) { return std::exp2(doublings); });
    Machine result = machine;
    slow_down(result.between, factor[0], factor[2]);
    slow_down(result.inside, factor[1], factor[3]);
    if (result.injection) *result.injection /= factor[6];
    result.network.link /= factor[6];
    result.memory.copy_rate /= factor[4];
    result.memory.pack_rate /= factor[5];
    for (std::size_t i = 0; i < engines_.size(); ++i) {
        EngineRates rates = engine_rates(machine, engines_[i]);
        rates.rate /= factor[first_engine + i];
        result.engines[engines_[i]] = rates;
    }
    return result;
}

std::vector<Correction::Parts> Correction::parts(const Machine& machine,
                                                 const std::vector<Sample>& samples) const {
    constexpr double step = 0.25;
    std::vector<Machine> slower;
    for (std::size_t kind = 0; kind < doublings_.size(); ++kind) {
        Correction other = *this;
        other.doublings_[kind] += step;
        slower.push_back(other.applied(machine));
    }
    const Machine corrected = applied(machine);
    std::vector<Parts> result;
    for (const Sample& sample : samples) {
        const double seconds = sample.forecast->seconds(corrected);
        Parts parts{sample.seconds, seconds, {}};
        for (const Machine& other : slower) {
            const double more = sample.forecast->seconds(other) - seconds;
            parts.of_kind.push_back(std::max(0.0, more / (std::exp2(step) - 1)));
            parts.rest -= parts.of_kind.back();
        }
        parts.rest = std::max(parts.rest, 0.0);
        result.push_back(std::move(parts));
    }
    return result;
}

Correction Correction::changed(const std::vector<double>& change, double part) const {
    Correction result = *this;
    for (std::size_t kind = 0; kind < change.size(); ++kind) {
        result.doublings_[kind] += part * change[kind];
    }
    return result;
}

double Correction::misfit(const std::vector<Parts>& all, const std::vector<double>& change) const {
    constexpr double noise = 0.05;  // of a run that the corrected model describes
    constexpr double usual = 2;     // doublings that a description is off by
    double sum = 0;
    std::vector<double> factor(change.size());
    for (std::size_t kind = 0; kind < change.size(); ++kind) {
        sum += std::pow((doublings_[kind] + change[kind]) / usual, 2);
        factor[kind] = std::exp2(change[kind]);
    }
    for (const Parts& parts : all) {
        double seconds = parts.rest;
        for (std::size_t kind = 0; kind < parts.of_kind.size(); ++kind) {
            seconds += factor[kind] * parts.of_kind[kind];
        }
        const double off = std::log(parts.measured / seconds) / noise;
        sum += std::sqrt(1 + off * off) - 1;
    }
    return sum;
}

double Correction::misfit(const Machine& machine, const std::vector<Sample>& samples) const {
    const Machine corrected = applied(machine);
    std::vector<Parts> whole;
    whole.reserve(samples.size());
    for (const Sample& sample : samples) {
        whole.push_back({sample.seconds, sample.forecast->seconds(corrected), {}});
    }
    return misfit(whole, std::vector<double>(doublings_.size(), 0.0));
}

std::vector<double> Correction::best_change(const std::vector<Parts>& all) const {
    constexpr double most = 6;       // doublings in all
    constexpr double most_once = 2;  // what overlaps changes with the machine, and parts with it
    std::vector<double> change(doublings_.size(), 0.0);
    double least = misfit(all, change);
    for (double step = 1; step > 0.02; step /= 2) {
        for (bool better = true; better;) {
            better = false;
            for (std::size_t move = 0; move < 2 * change.size(); ++move) {
                const std::size_t kind = move / 2;
                std::vector<double> next = change;
                next[kind] += move % 2 == 0 ? step : -step;
                if (std::abs(next[kind]) > most_once) continue;
                if (std::abs(doublings_[kind] + next[kind]) > most) continue;
                const double value = misfit(all, next);
                if (value >= least - 1e-9) continue;
                least = value;
                change = std::move(next);
                better = true;
            }
        }
    }
    return change;
}

void Correction::fit(const Machine& machine, const std::vector<Sample>& samples) {
    constexpr int times = 5;
    double least = misfit(machine, samples);
    for (int time = 0; time < times; ++time) {
        const std::vector<double> change = best_change(parts(machine, samples));
        bool better = false;
        for (double part = 1; part > 0.1 && !better; part /= 2) {
            Correction next = changed(change, part);
            const double value = next.misfit(machine, samples);
            better = value < 0.99 * least;
            if (!better) continue;
            least = value;
            *this = std::move(next);
        }
        if (!better) return;
    }
}

}  // namespace weft::core
