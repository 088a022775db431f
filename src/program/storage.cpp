#include "program/storage.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "weft/error.hpp"

namespace weft::core {

namespace {

// The places a value can have. In place there is no input array, only the output.
constexpr std::size_t input = 0;
constexpr std::size_t output = 1;
constexpr std::size_t first_work = 2;
constexpr std::size_t first_region = 6;
constexpr std::size_t places = 8;

/// What it costs to put one value into a place; the sums order the solutions: a further work buffer
/// only where those before do not do, the first one only where the output array does not.
double cost(std::size_t place, Index bytes) {
    if (place < first_work || place >= first_region) return 0;
    constexpr std::array<double, first_region - first_work> of_work = {1, 1e6, 1e12, 1e18};
    return of_work[place - first_work] * (static_cast<double>(bytes) + 1);
}

/// The places of the last three values, the newest first. Those before the first value count as
/// the place of the first; nothing reads them.
struct Recent {
    std::size_t here = 0;
    std::size_t second = 0;
    std::size_t third = 0;

    static constexpr std::size_t count = places * places * places;
    [[nodiscard]] std::size_t number() const { return (here * places + second) * places + third; }
    static Recent of(std::size_t number) {
        return {number / (places * places), number / places % places, number % places};
    }
    [[nodiscard]] Recent then(std::size_t next) const { return {next, here, second}; }
    /// Whether a step may make the next value there.
    [[nodiscard]] bool may_go_to(std::size_t next, const StepNeeds& step) const {
        if (next == here && !step.in_place) return false;
        if (step.reads_second && next == second) return false;
        return !step.reads_third || (next != third && here != third);
    }
};

}  // namespace

Storage place_values(const std::vector<Index>& bytes, const std::vector<StepNeeds>& steps,
                     const ArrayUse& use) {
    constexpr double impossible = std::numeric_limits<double>::infinity();
    const std::size_t count = bytes.size();
    const bool in_place = use.in_place;
    const Index capacity = in_place ? std::max(bytes.front(), bytes.back()) : bytes.back();
    // From here on steps work in place on the elements of the last value.
    std::size_t finished = count - 1;
    while (finished > 0 && steps[finished - 1].in_place && steps[finished - 1].same_elements) {
        --finished;
    }
    const auto allowed = [&](std::size_t value, std::size_t place) {
        if (value == 0) return place == (in_place ? output : input);
        if (value + 1 == count) return place == output;
        if (steps[value - 1].output) return place == output;
        if (const auto region = steps[value - 1].region) {
            return place == first_region + static_cast<std::size_t>(*region);
        }
        if (place >= first_region) return false;
        if (place == input) {
            return use.may_destroy_input && !in_place && bytes[value] <= bytes.front();
        }
        if (place != output) return true;
        return bytes[value] <= capacity && (use.output_is_scratch || value >= finished);
    };

    // Shortest path through the places of the values (Viterbi).
    std::vector<std::array<double, Recent::count>> best(count);
    std::vector<std::array<std::size_t, Recent::count>> came_from(count);
    for (auto& row : best) row.fill(impossible);
    const std::size_t start = in_place ? output : input;
    best[0][Recent{start, start, start}.number()] = 0;
    for (std::size_t value = 1; value < count; ++value) {
        const StepNeeds& step = steps[value - 1];
        for (std::size_t from = 0; from < Recent::count; ++from) {
            if (best[value - 1][from] == impossible) continue;
            const Recent recent = Recent::of(from);
            for (std::size_t place = 0; place < places; ++place) {
                if (!allowed(value, place) || !recent.may_go_to(place, step)) continue;
                const std::size_t to = recent.then(place).number();
                const double total = best[value - 1][from] + cost(place, bytes[value]);
                if (total >= best[value][to]) continue;
                best[value][to] = total;
                came_from[value][to] = from;
            }
        }
    }

    const auto cheapest = std::min_element(best.back().begin(), best.back().end());
    if (*cheapest == impossible) {
        throw Error(ErrorCode::system, "internal: a single step cannot turn one array into itself");
    }
    Storage storage;
    std::vector<std::size_t> place_of(count);
    auto recent = static_cast<std::size_t>(cheapest - best.back().begin());
    for (std::size_t value = count; value-- > 0;) {
        place_of[value] = Recent::of(recent).here;
        recent = came_from[value][recent];
    }

    // Number the buffers: arrays first, then the work buffers that are used.
    std::array<int, places> number{};
    number.fill(-1);
    if (in_place) {
        storage.buffers = {{Role::both, capacity}};
        number[output] = 0;
    } else {
        storage.buffers = {{Role::input, bytes.front()}, {Role::output, bytes.back()}};
        number[input] = 0;
        number[output] = 1;
    }
    for (std::size_t value = 0; value < count; ++value) {
        int& buffer = number[place_of[value]];
        if (buffer == -1) {
            buffer = static_cast<int>(storage.buffers.size());
            const bool region = place_of[value] >= first_region;
            storage.buffers.push_back({region ? Role::region : Role::work, 0});
        }
        storage.buffer_of.push_back(buffer);
        BufferSpec& spec = storage.buffers[static_cast<std::size_t>(buffer)];
        if (spec.role == Role::work || spec.role == Role::region)
            spec.bytes = std::max(spec.bytes, bytes[value]);
    }
    return storage;
}

}  // namespace weft::core
