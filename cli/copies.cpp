// weft copies: how fast a device copies, packs and permutes, beside how fast its memory is copied;
// and how fast the host's memory reaches it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/text.hpp"
#include "columns.hpp"
#include "device/devices.hpp"
#include "measure/device_array.hpp"
#include "measure/json.hpp"
#include "measure/progress.hpp"
#include "measure/quartiles.hpp"
#include "verbs.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

struct Copies {
    std::string space = "cuda";
    Index extent = 512;
    int repeat = 11;
    bool json = false;
    bool quiet = false;
};

/// A copy of an array of extent^3 elements and what it is called.
struct DeviceCopy {
    std::string name;
    core::CopyTask task;
};

/// Axis k of the target is axis order[k] of the source.
DeviceCopy permutation(const std::string& name, const std::vector<std::size_t>& order, Index n,
                       Index bytes) {
    const std::vector<Index> strides = {n * n, n, 1};
    DeviceCopy result{fmt::format("{} of {} bytes", name, bytes), {{}, bytes, 0, 0}};
    for (std::size_t k = 0; k < 3; ++k) {
        result.task.loops.push_back({n, strides[order[k]], strides[k]});
    }
    return result;
}

/// For `parts` peers one after another what each gets of the middle axis; and back.
DeviceCopy pack(Index parts, Index n, Index bytes, bool unpacks) {
    const Index rows = n / parts;
    DeviceCopy result{
        fmt::format("{} {} parts of {} bytes", unpacks ? "unpack" : "pack", parts, bytes),
        {{{parts, rows * n, n * rows * n}, {n, n * n, rows * n}, {rows * n, 1, 1}}, bytes, 0, 0}};
    if (unpacks) {
        for (core::Loop& loop : result.task.loops) std::swap(loop.from, loop.to);
    }
    return result;
}

std::vector<DeviceCopy> device_copies(Index n) {
    std::vector<DeviceCopy> result;
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
Quartiles seconds_of(core::Device& device, int repeat, const Work& work) {
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
    return quartiles(seconds);
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

/// A copy that was timed.
struct TimedCopy {
    std::string what;
    Index bytes;
    Quartiles seconds;
    double rate;     ///< bytes that are read and written, a second
    double of_copy;  ///< over that of the device's own copy; 0 between it and the host
};

class CopyStudy {
  public:
    CopyStudy(const Copies& options, core::Device& device)
        : options_(options),
          device_(device),
          bytes_(16 * options.extent * options.extent * options.extent),
          from_(device, bytes_, "source"),
          to_(device, bytes_, "target"),
          copies_(device_copies(options.extent)),
          progress_("weft copies", "copies", static_cast<int>(copies_.size()) + 3,
                    !options.json && !options.quiet) {
        core::Random random(1);
        auto* words = reinterpret_cast<std::uint64_t*>(from_.mirror());
        for (Index i = 0; i < bytes_ / 8; ++i) words[i] = random.next();
        from_.put();
    }

    /// Copies within the device: both directions count.
    void within() {
        const Quartiles plain = seconds_of(device_, options_.repeat, [&](core::DeviceQueue& queue) {
            queue.copy(from_.data(), to_.data(), bytes_, "copy");
        });
        const double most = 2 * static_cast<double>(bytes_) / plain.median;
        add("copy of the device's own", bytes_, 2, plain, most);
        for (const DeviceCopy& one : copies_) kernel(one, most);
    }
    void hops() {
        const auto pinned = device_.allocate_pinned(bytes_);
        std::fill_n(pinned->data(), bytes_, std::byte{1});
        for (const bool out : {false, true}) {
            const Quartiles seconds =
                seconds_of(device_, options_.repeat, [&](core::DeviceQueue& queue) {
                    queue.copy(out ? to_.data() : pinned->data(), out ? pinned->data() : to_.data(),
                               bytes_, "hop");
                });
            add(out ? "pinned memory from the device" : "pinned memory to the device", bytes_, 1,
                seconds, 0);
        }
    }
    [[nodiscard]] const std::vector<TimedCopy>& rows() const { return rows_; }

  private:
    void kernel(const DeviceCopy& one, double most) {
        const auto copies = device_.copies({one.task});
        if (!copies)
            throw Error(ErrorCode::not_available,
                        fmt::format("device '{}' has no kernels of weft; name a GPU of `weft info`",
                                    options_.space));
        const auto work = [&](const core::DeviceView& view) {
            copies->run(view, from_.data(), to_.data());
        };
        to_.clear();
        const Quartiles seconds =
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

    /// `most`: the rate that is a hundred percent.
    void add(const std::string& what, Index bytes, int ways, const Quartiles& seconds,
             double most) {
        const double rate = ways * static_cast<double>(bytes) / seconds.median;
        rows_.push_back({what, bytes, seconds, rate, most > 0 ? rate / most : 0});
        progress_.done(static_cast<int>(rows_.size()));
    }

    Copies options_;
    core::Device& device_;
    Index bytes_;
    DeviceArray from_;
    DeviceArray to_;
    std::vector<DeviceCopy> copies_;
    Progress progress_;
    std::vector<TimedCopy> rows_;
};

std::vector<TimedCopy> measured(const Copies& options) {
    CopyStudy study(options, core::device(options.space));
    study.hops();
    study.within();
    return study.rows();
}

std::string verdict_of(const std::vector<TimedCopy>& rows) {
    const auto own = std::find_if(rows.begin(), rows.end(),
                                  [](const TimedCopy& row) { return row.of_copy > 0; });
    const auto [least, most] = std::minmax_element(
        own + 1, rows.end(),
        [](const TimedCopy& a, const TimedCopy& b) { return a.of_copy < b.of_copy; });
    return fmt::format("the device copies {:.1f} GB/s, weft's kernels {:.0f} to {:.0f}% of that",
                       1e-9 * own->rate, 100 * least->of_copy, 100 * most->of_copy);
}

void print_json(const Copies& options, const std::vector<TimedCopy>& rows) {
    Json all = {
        {"verdict", verdict_of(rows)}, {"device", options.space}, {"extent", options.extent}};
    add_origin(all);
    all["copies"] = Json::array();
    for (const TimedCopy& row : rows) {
        all["copies"].push_back({{"what", row.what},
                                 {"bytes", row.bytes},
                                 {"seconds", json(row.seconds)},
                                 {"bytes_per_s", row.rate},
                                 {"of_copy", row.of_copy > 0 ? Json(row.of_copy) : Json(nullptr)}});
    }
    fmt::print("{}\n", all.dump(1));
}

int run(const Copies& options) {
    // Beyond it an array's bytes would overflow.
    constexpr Index most_extent = Index{1} << 13;
    if (options.extent < 4 || options.extent > most_extent || options.extent % 4 != 0) {
        core::bad_request(
            fmt::format("--extent {}: a multiple of 4, at most {}", options.extent, most_extent));
    }
    if (options.repeat < 1) {
        core::bad_request(fmt::format("--repeat {}: at least 1", options.repeat));
    }
    const std::vector<TimedCopy> rows = measured(options);
    if (options.json) {
        print_json(options, rows);
        return 0;
    }
    fmt::print("{}", verdict_text(verdict_of(rows)));
    for (const TimedCopy& row : rows) {
        fmt::print("{:<34} {:>10.3f} ms {:>9.1f} GB/s {:>6}\n", row.what, 1e3 * row.seconds.median,
                   1e-9 * row.rate,
                   row.of_copy > 0 ? fmt::format("{:.1f}%", 100 * row.of_copy) : "");
    }
    return 0;
}

}  // namespace

Verb add_copies(CLI::App& app) {
    auto options = std::make_shared<Copies>();
    CLI::App* verb = app.add_subcommand(
        "copies", "Time how a device copies, packs and permutes, beside copies of its memory");
    verb->add_option("--space", options->space, "the device: a GPU of `weft info`, as cuda")
        ->capture_default_str();
    verb->add_option("--extent", options->extent, "arrays of extent^3 elements of up to 16 bytes")
        ->capture_default_str();
    verb->add_option("--repeat", options->repeat, "timed repeats")->capture_default_str();
    verb->add_flag("--json", options->json, "print one JSON document");
    verb->add_flag("--quiet", options->quiet, "print no progress on stderr");
    verb->footer("Example: weft copies --space cuda");
    return {verb, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weft::cli
