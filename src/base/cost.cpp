#include "base/cost.hpp"

#include <algorithm>
#include <cmath>

namespace weft::core {

namespace {

Account account_of(const FftTask& task) {
    Account account;
    account.add(task, true, true);
    return account;
}

}  // namespace

void Account::add_flops(Index elements, Index length, bool real) {
    if (length < 2) return;
    const double all = 5 * static_cast<double>(elements) * std::log2(static_cast<double>(length));
    flops[length] += real ? all / 2 : all;
}

void Account::add(const FftTask& task, bool reads, bool writes) {
    const Index elements = count_of(task.looped) * count_of(task.axes());
    if (elements == 0) return;
    const Index lines = elements / task.line.length;
    if (reads) read += lines * task.line.source_length() * task.line.source().bytes();
    if (writes) written += lines * task.line.target_length() * task.line.target().bytes();
    for (const Loop& axis : task.axes()) {
        add_flops(elements, axis.extent, task.line.kind != Kind::c2c);
    }
}

double flops(const FftTask& task) {
    double sum = 0;
    for (const auto& [length, some] : account_of(task).flops) sum += some;
    return sum;
}

bool smooth(Index n) {
    for (const Index p : {2, 3, 5, 7}) {
        while (n > 1 && n % p == 0) n /= p;
    }
    return n <= 1;
}

double flop_seconds(const EngineRates& rates, double flops, Index length, bool single) {
    const double rate =
        rates.rate * (smooth(length) ? 1 : rates.rough) * (single ? rates.single : 1);
    return flops / rate;
}

double pass_seconds(const MemoryRates& memory, double bytes) {
    return pass_seconds(memory, bytes, bytes);
}

double pass_seconds(const MemoryRates& memory, double bytes, double whole) {
    return whole <= memory.cache ? 0 : bytes / memory.copy_rate;
}

double copy_seconds(const MemoryRates& memory, double bytes, double rate) {
    if (bytes > memory.cache) return bytes / rate;
    return memory.cache_rate ? bytes / std::max(rate, *memory.cache_rate) : 0;
}

double seconds(const FftTask& task, const CoreRates& rates) {
    const Account account = account_of(task);
    const bool single = task.line.precision == Precision::f32;
    double sum = pass_seconds(rates.memory, static_cast<double>(account.read + account.written));
    for (const auto& [length, some] : account.flops) {
        sum += flop_seconds(rates.engine, some, length, single);
    }
    return sum;
}

}  // namespace weft::core
