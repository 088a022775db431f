#include "program/storage.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "weft/error.hpp"

namespace weft::core {

namespace {

// The places a value can have. In place there is no input array, only the output.
constexpr int input = 0;
constexpr int output = 1;
constexpr int first_work = 2;
constexpr int second_work = 3;
constexpr std::array<int, 4> places = {input, output, first_work, second_work};

/// What it costs to put one value into a place; the sums order the solutions: a second work buffer
/// only where one does not do, the first one only where the output array does not.
double cost(int place, Index bytes) {
    const auto size = static_cast<double>(bytes) + 1;
    if (place == first_work) return size;
    if (place == second_work) return 1e6 * size;
    return 0;
}

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
    const auto allowed = [&](std::size_t value, int place) {
        if (value == 0) return place == (in_place ? output : input);
        if (value + 1 == count) return place == output;
        if (place == input) {
            return use.may_destroy_input && !in_place && bytes[value] <= bytes.front();
        }
        if (place != output) return true;
        return bytes[value] <= capacity && (use.output_is_scratch || value >= finished);
    };

    // Shortest path through the values' places (Viterbi).
    std::vector<std::array<double, places.size()>> best(count);
    std::vector<std::array<int, places.size()>> came_from(count);
    for (std::size_t value = 0; value < count; ++value) {
        for (const int place : places) {
            const auto p = static_cast<std::size_t>(place);
            best[value][p] = impossible;
            came_from[value][p] = place;
            if (!allowed(value, place)) continue;
            if (value == 0) best[value][p] = 0;
            for (const int before : places) {
                if (value == 0) break;
                if (before == place && !steps[value - 1].in_place) continue;
                const double total =
                    best[value - 1][static_cast<std::size_t>(before)] + cost(place, bytes[value]);
                if (total < best[value][p]) {
                    best[value][p] = total;
                    came_from[value][p] = before;
                }
            }
        }
    }

    if (best.back()[output] == impossible) {
        throw Error(ErrorCode::system, "internal: a single step cannot turn one array into itself");
    }
    Storage storage;
    storage.buffer_of.resize(count);
    int place = output;
    for (std::size_t value = count; value-- > 0;) {
        storage.buffer_of[value] = place;
        place = came_from[value][static_cast<std::size_t>(place)];
    }

    // Number the buffers: arrays first, then the work buffers that are used.
    std::array<int, places.size()> number = {0, 1, -1, -1};
    if (in_place) {
        storage.buffers = {{Role::both, capacity}};
        number = {0, 0, -1, -1};
    } else {
        storage.buffers = {{Role::input, bytes.front()}, {Role::output, bytes.back()}};
    }
    for (std::size_t value = 0; value < count; ++value) {
        int& buffer = number[static_cast<std::size_t>(storage.buffer_of[value])];
        if (buffer == -1) {
            buffer = static_cast<int>(storage.buffers.size());
            storage.buffers.push_back({Role::work, 0});
        }
        storage.buffer_of[value] = buffer;
        BufferSpec& spec = storage.buffers[static_cast<std::size_t>(buffer)];
        if (spec.role == Role::work) spec.bytes = std::max(spec.bytes, bytes[value]);
    }
    return storage;
}

}  // namespace weft::core
