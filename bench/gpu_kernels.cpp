// How fast a device copies, packs and permutes, beside how fast its memory is copied; and how fast
// the host's memory reaches it. bench/README.md says how to run it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "device/devices.hpp"
#include "measure/device_array.hpp"
#include "measure/files.hpp"
#include "measure/json.hpp"
#include "measure/quartiles.hpp"
#include "weft/error.hpp"

namespace {

using namespace weft;
using cli::Json;

struct Options {
    std::string space = "cuda";
    Index extent = 512;
    int repeat = 11;
    std::string json;
};

/// A copy of an array of extent^3 elements and what it is called.
struct Case {
    std::string name;
    core::CopyTask task;
};

/// Axis k of the target is axis order[k] of the source.
Case permutation(const std::string& name, const std::vector<std::size_t>& order, Index n,
                 Index bytes) {
    const std::vector<Index> strides = {n * n, n, 1};
    Case result{fmt::format("{} of {} bytes", name, bytes), {{}, bytes, 0, 0}};
    for (std::size_t k = 0; k < 3; ++k) {
        result.task.loops.push_back({n, strides[order[k]], strides[k]});
    }
    return result;
}

/// For `parts` peers one after another what each gets of the middle axis; and back.
Case pack(Index parts, Index n, Index bytes, bool unpacks) {
    const Index rows = n / parts;
    Case result{
        fmt::format("{} {} parts of {} bytes", unpacks ? "unpack" : "pack", parts, bytes),
        {{{parts, rows * n, n * rows * n}, {n, n * n, rows * n}, {rows * n, 1, 1}}, bytes, 0, 0}};
    if (unpacks) {
        for (core::Loop& loop : result.task.loops) std::swap(loop.from, loop.to);
    }
    return result;
}

std::vector<Case> cases(Index n) {
    std::vector<Case> result;
    for (const Index bytes : {16, 8, 4}) {
        for (const bool unpacks : {false, true}) result.push_back(pack(4, n, bytes, unpacks));
        result.push_back(permutation("permute 021", {0, 2, 1}, n, bytes));
        result.push_back(permutation("permute 102", {1, 0, 2}, n, bytes));
        result.push_back(permutation("permute 210", {2, 1, 0}, n, bytes));
        result.push_back(permutation("permute 120", {1, 2, 0}, n, bytes));
    }
    return result;
}

using Work = std::function<void(core::DeviceQueue& queue)>;

/// Seconds of one, of several that follow each other without the host's waiting.
cli::Quartiles seconds_of(core::Device& device, int repeat, const Work& work) {
    constexpr int together = 5;
    const auto queue = device.queue("study");
    std::vector<double> seconds;
    for (int i = -1; i < repeat; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        for (int k = 0; k < together; ++k) work(*queue);
        queue->wait(queue->last());
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        if (i >= 0) seconds.push_back(took.count() / together);
    }
    return cli::quartiles(seconds);
}

void visit(const core::CopyTask& task, std::size_t depth, Index from, Index to,
           const std::function<void(Index from, Index to)>& each) {
    if (depth == task.loops.size()) return each(from, to);
    const core::Loop& loop = task.loops[depth];
    for (Index i = 0; i < loop.extent; ++i) {
        visit(task, depth + 1, from + i * loop.from, to + i * loop.to, each);
    }
}

/// Elements that are not where they belong; of a large array some planes are looked at.
Index wrong_elements(const core::CopyTask& task, const std::byte* from, const std::byte* to) {
    core::CopyTask some = task;
    some.loops.front().extent = std::min<Index>(some.loops.front().extent, 4);
    Index wrong = 0;
    visit(some, 0, 0, 0, [&](Index source, Index target) {
        const std::byte* expected = from + source * task.element_bytes;
        if (!std::equal(expected, expected + task.element_bytes, to + target * task.element_bytes))
            ++wrong;
    });
    return wrong;
}

class Study {
  public:
    Study(const Options& options, core::Device& device)
        : options_(options),
          device_(device),
          bytes_(16 * options.extent * options.extent * options.extent),
          from_(device, bytes_, "source"),
          to_(device, bytes_, "target") {
        core::Random random(1);
        auto* words = reinterpret_cast<std::uint64_t*>(from_.mirror());
        for (Index i = 0; i < bytes_ / 8; ++i) words[i] = random.next();
        from_.put();
    }

    /// Copies within the device: both directions count.
    void copies() {
        const cli::Quartiles plain =
            seconds_of(device_, options_.repeat, [&](core::DeviceQueue& queue) {
                queue.copy(from_.data(), to_.data(), bytes_, "copy");
            });
        const double most = 2 * static_cast<double>(bytes_) / plain.median;
        add("copy of the device's own", bytes_, 2, plain, most);
        for (const Case& one : cases(options_.extent)) kernel(one, most);
    }
    void hops() {
        const auto pinned = device_.allocate_pinned(bytes_);
        std::fill_n(pinned->data(), bytes_, std::byte{1});
        for (const bool out : {false, true}) {
            const cli::Quartiles seconds =
                seconds_of(device_, options_.repeat, [&](core::DeviceQueue& queue) {
                    queue.copy(out ? to_.data() : pinned->data(), out ? pinned->data() : to_.data(),
                               bytes_, "hop");
                });
            add(out ? "pinned memory from the device" : "pinned memory to the device", bytes_, 1,
                seconds, 0);
        }
    }
    [[nodiscard]] const std::string& json() const { return json_; }

  private:
    void kernel(const Case& one, double most) {
        const auto copies = device_.copies({one.task});
        if (!copies) throw Error(ErrorCode::not_available, "this device has no kernels of its own");
        const auto work = [&](const core::DeviceView& view) {
            copies->run(view, from_.data(), to_.data());
        };
        to_.clear();
        const cli::Quartiles seconds =
            seconds_of(device_, options_.repeat,
                       [&](core::DeviceQueue& queue) { queue.launch(work, "kernel"); });
        to_.fetch();
        if (const Index wrong = wrong_elements(one.task, from_.mirror(), to_.mirror());
            wrong != 0) {
            throw Error(ErrorCode::wrong_result,
                        fmt::format("{}: {} elements are wrong", one.name, wrong));
        }
        add(one.name, core::bytes_of(one.task), 2, seconds, most);
    }

    /// A rate counts bytes that are read and written; `most`: what is a hundred percent.
    void add(const std::string& name, Index bytes, int ways, const cli::Quartiles& seconds,
             double most) {
        const double rate = ways * static_cast<double>(bytes) / seconds.median;
        Json line;
        cli::add_origin(line);
        line["study"] = "gpu_kernels";
        line["device"] = options_.space;
        line["what"] = name;
        line["extent"] = options_.extent;
        line["bytes"] = bytes;
        line["seconds"] = cli::json(seconds);
        line["bytes_per_s"] = rate;
        line["of_copy"] = most > 0 ? Json(rate / most) : Json(nullptr);
        json_ += line.dump() + "\n";
        fmt::print("{:<34} {:>10.3f} ms {:>9.1f} GB/s {:>6}\n", name, 1e3 * seconds.median,
                   1e-9 * rate, most > 0 ? fmt::format("{:.1f}%", 100 * rate / most) : "");
        std::fflush(stdout);
    }

    Options options_;
    core::Device& device_;
    Index bytes_;
    cli::DeviceArray from_;
    cli::DeviceArray to_;
    std::string json_;
};

int run(const Options& options) {
    try {
        if (options.extent < 4 || options.extent % 4 != 0) {
            throw Error(ErrorCode::bad_request,
                        fmt::format("--extent {}: a multiple of 4", options.extent));
        }
        Study study(options, core::device(options.space));
        study.hops();
        study.copies();
        if (!options.json.empty()) cli::write_file(options.json, study.json());
        return 0;
    } catch (const Error& error) {
        fmt::print(stderr, "gpu_kernels: {}\n", error.what());
        return static_cast<int>(error.code());
    }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Copies, packs and permutations within a device, and copies between it and the host");
    Options options;
    app.add_option("--space", options.space, "the device: cuda, hip, emulated")
        ->capture_default_str();
    app.add_option("--extent", options.extent, "arrays of extent^3 elements of up to 16 bytes")
        ->capture_default_str();
    app.add_option("--repeat", options.repeat, "repeats that count")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
