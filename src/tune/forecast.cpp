#include "tune/forecast.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "base/mapped.hpp"
#include "geometry/census.hpp"
#include "model/price.hpp"
#include "plan/fuse.hpp"
#include "tune/median_interval.hpp"

namespace weft::core {

namespace {

/// Like a square near 0, and like the distance far off, so that what is far off counts less.
double excess(double off) { return std::sqrt(1 + off * off) - 1; }

void slow_down(Link& link, double latency, double bytes) {
    link.latency *= latency;
    if (link.overhead) *link.overhead *= latency;
    link.bandwidth /= bytes;
    // A point of the table is latency and bytes together; the larger part is not told apart.
    for (TablePoint& point : link.by_size) point.y *= std::sqrt(latency * bytes);
}

/// `copies`: factor of the time of copies, hops among them.
void slow_down(Devices& devices, double latency, double bytes, double copies) {
    devices.copy_rate /= copies;
    devices.pack_rate /= copies;
    devices.host_link.to_device /= copies;
    devices.host_link.from_device /= copies;
    if (devices.host_link.pageable) *devices.host_link.pageable /= copies;
    if (devices.peer_link) devices.peer_link->bandwidth /= copies;
    if (!devices.direct) return;
    slow_down(devices.direct->between, latency, bytes);
    slow_down(devices.direct->inside, latency, bytes);
}

/// Of its transforms' time.
DeviceEngine slowed(DeviceEngine engine, double factor) {
    engine.lines /= factor;
    engine.lanes /= factor;
    engine.permuting /= factor;
    engine.rate /= factor;
    return engine;
}

/// What carries each redistribution where all arrays are exposed, forward and backward.
std::vector<Carrier> carriers_of(const Plan& plan, const Topology& nodes) {
    Environment exposed = environment_of(plan, nodes);
    exposed.input_exposed = exposed.output_exposed = true;
    std::vector<Carrier> result;
    for (const Plan& fused : {fuse(plan, exposed), fuse(reverse(plan), exposed)}) {
        for (std::size_t i = 0; i < fused.stages.size(); ++i) {
            const RedistributionStage* stage = redistribution_at(fused, i);
            if (stage != nullptr) result.push_back(stage->carrier);
        }
    }
    return result;
}

}  // namespace

Forecast::Forecast(const Plan& plan, const Topology& nodes, const Machine& machine)
    : nodes_(nodes), asked_(plan) {
    const Environment environment = environment_of(plan, nodes);
    plan_ = fuse(plan, environment);
    std::set<int> ranks = {0, plan.ranks / 2, plan.ranks - 1};
    for (const Layout& layout : plan.at) {
        if (!plan.pipeline) ranks.insert(fullest_rank(layout.where));
    }
    const Site site{machine, plan.ranks};
    double slowest = -1;
    for (const int rank : ranks) {
        Sketch sketch(plan_, rank, environment);
        const double seconds = sketch.price(plan_, site).seconds();
        if (rank != 0 && seconds <= slowest) continue;
        slowest = seconds;
        if (sketches_.size() > 1) sketches_.pop_back();
        sketches_.push_back(std::move(sketch));
    }
}

double Forecast::seconds(const Machine& machine) const {
    const Site site{machine, plan_.ranks};
    double slowest = 0;
    for (const Sketch& sketch : sketches_) {
        slowest = std::max(slowest, sketch.price(plan_, site).seconds());
    }
    return slowest;
}

bool Forecast::same(const Forecast& other) const {
    const Choice& a = asked_.choice;
    const Choice& b = other.asked_.choice;
    return a.engine == b.engine && a.effort == b.effort && a.threads == b.threads &&
           a.space == b.space && a.chunk == b.chunk && plan_.at == other.plan_.at &&
           sketches_ == other.sketches_ &&
           carriers_of(asked_, nodes_) == carriers_of(other.asked_, other.nodes_);
}

Machine Correction::applied(const Machine& machine) const {
    std::vector<double> factor(doublings_.size());
    std::transform(doublings_.begin(), doublings_.end(), factor.begin(),
                   [](double doublings) { return std::exp2(doublings); });
    Machine result = machine;
    slow_down(result.between, factor[0], factor[2]);
    slow_down(result.inside, factor[1], factor[3]);
    // What is slow for one rank is as slow for a node, and what is slow for one kind of copies is
    // so for the others, but for what runs say.
    if (result.injection) *result.injection /= factor[2] * factor[6];
    result.network.link /= factor[2] * factor[6];
    result.memory.copy_rate /= factor[4];
    result.memory.pack_rate /= factor[4] * factor[5];
    if (result.memory.cache_rate) *result.memory.cache_rate /= factor[4] * factor[5] * factor[7];
    for (std::size_t i = 0; i < engines_.size(); ++i) {
        EngineRates rates = engine_rates(machine, engines_[i]);
        rates.rate /= factor[first_engine + i];
        result.engines[engines_[i]] = rates;
        if (!machine.devices) continue;
        result.devices->engines[engines_[i]] =
            slowed(device_engine(*machine.devices, engines_[i]), factor[first_engine + i]);
    }
    if (result.devices) slow_down(*result.devices, factor[0], factor[2], factor[4]);
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
        sum += 2 * excess((doublings_[kind] + change[kind]) / usual);
        factor[kind] = std::exp2(change[kind]);
    }
    for (const Parts& parts : all) {
        double seconds = parts.rest;
        for (std::size_t kind = 0; kind < parts.of_kind.size(); ++kind) {
            seconds += factor[kind] * parts.of_kind[kind];
        }
        sum += excess(std::log(parts.measured / seconds) / noise);
    }
    return sum;
}

double Correction::misfit(const Machine& machine, const std::vector<Sample>& samples) const {
    const Machine corrected = applied(machine);
    const std::vector<Parts> whole = mapped(samples, [&](const Sample& sample) {
        return Parts{sample.seconds, sample.forecast->seconds(corrected), {}};
    });
    return misfit(whole, std::vector<double>(doublings_.size(), 0.0));
}

std::vector<double> Correction::best_change(const std::vector<Parts>& all) const {
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
                if (std::abs(doublings_[kind] + next[kind]) > most_doublings) continue;
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
    descend(machine, samples);
    // From one start the nearest explanation is found, which need not be the best one. A few more
    // are tried while every run may change all.
    if (!std::has_single_bit(samples.size())) return;
    double least = misfit(machine, samples);
    for (const Correction& start : starts(machine, samples)) {
        Correction other = start;
        other.descend(machine, samples);
        const double value = other.misfit(machine, samples);
        if (value >= least) continue;
        least = value;
        *this = std::move(other);
    }
}

std::vector<Correction> Correction::starts(const Machine& machine,
                                           const std::vector<Sample>& samples) const {
    const std::vector<double> off = mapped(samples, [&](const Sample& sample) {
        return std::log2(sample.seconds / sample.forecast->seconds(machine));
    });
    const double usual = std::clamp(median(off), -most_doublings, most_doublings);
    Correction none(engines_);
    std::vector<Correction> result = {none};
    for (const std::size_t kind : {0, 2, 4}) {
        result.push_back(none);
        result.back().doublings_[kind] = usual;
    }
    result.push_back(none);
    for (std::size_t i = first_engine; i < doublings_.size(); ++i) {
        result.back().doublings_[i] = usual;
    }
    return result;
}

void Correction::descend(const Machine& machine, const std::vector<Sample>& samples) {
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
