#include "calibrate/devices.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "calibrate/copies.hpp"
#include "calibrate/peers.hpp"
#include "device/devices.hpp"
#include "measure/statistics.hpp"
#include "measure/turns.hpp"
#include "memory/buffer.hpp"
#include "net/agree.hpp"

namespace weft::cli {

namespace {

constexpr int launches = 16;  ///< one after the other

/// Memory on both sides, and a queue.
struct DeviceBench {
    explicit DeviceBench(core::Device& device)
        : here(device.allocate(large, "calibrate")),
          there(device.allocate(large, "calibrate")),
          pinned(device.allocate_pinned(large)),
          pageable(large),
          queue(device.queue("calibrate")) {
        std::fill_n(pinned->data(), large, std::byte{0});
        std::fill_n(pageable.data(), large, std::byte{0});
        copy(pinned->data(), here->data(), large);
    }
    void copy(const std::byte* from, std::byte* to, Index bytes) const {
        queue->wait(queue->copy(from, to, bytes, "calibrate"));
    }
    void launch() const {
        const auto nothing = [](const core::DeviceView&) {};
        for (int i = 0; i < launches; ++i) queue->launch(nothing, "calibrate");
        queue->wait(queue->last());
    }

    std::unique_ptr<core::DeviceMemory> here;
    std::unique_ptr<core::DeviceMemory> there;
    std::unique_ptr<core::DeviceMemory> pinned;
    core::Buffer pageable;
    std::unique_ptr<core::DeviceQueue> queue;
};

/// Seconds, medians of the slowest rank's.
struct DeviceTimes {
    double launch;
    double latency;  ///< of a hop
    double to_device;
    double from_device;
    double pageable;
    double copy;
};

DeviceTimes device_times(const DeviceBench& bench, double seconds, const Calibration& calibration) {
    const std::vector<std::function<void()>> calls = {
        [&] { bench.launch(); },
        [&] { bench.copy(bench.pinned->data(), bench.here->data(), small); },
        [&] { bench.copy(bench.pinned->data(), bench.here->data(), large); },
        [&] { bench.copy(bench.here->data(), bench.pinned->data(), large); },
        [&] { bench.copy(bench.pageable.data(), bench.here->data(), large); },
        [&] { bench.copy(bench.here->data(), bench.there->data(), large); }};
    std::vector<double> medians;
    for (const CallTimes& times :
         take_turns(calls, {seconds, 0, calibration.after_round}, calibration.comm)) {
        medians.push_back(statistics(times.with_barrier).quartiles.median);
    }
    return {medians[0] / launches, medians[1], medians[2], medians[3], medians[4], medians[5]};
}

core::Devices devices_of(const std::string& kind, const DeviceTimes& times, int ranks_per_node) {
    core::Devices devices;
    devices.kind = kind;
    devices.per_node = ranks_per_node;
    devices.launch = times.launch;
    core::HostLink& link = devices.host_link;
    link.latency = times.latency;
    link.to_device = bytes_a_second(large, times.to_device, times.latency);
    link.from_device = bytes_a_second(large, times.from_device, times.latency);
    link.pageable = std::min(bytes_a_second(large, times.pageable, times.latency),
                             std::max(link.to_device, link.from_device));
    devices.copy_rate = 2 * bytes_a_second(large, times.copy, times.launch);
    devices.pack_rate = 0.8 * devices.copy_rate;
    core::DeviceEngine engine;
    engine.lines = 0.9 * devices.copy_rate;
    engine.lanes = 0.6 * devices.copy_rate;
    engine.permuting = 0.5 * devices.copy_rate;
    engine.longest = 4096;
    engine.rough = 0.2;
    devices.engines["any"] = engine;
    devices.other_engines = "any";
    return devices;
}

}  // namespace

std::string measure_devices(const std::string& kind, const Placement& placed, double seconds,
                            const Calibration& calibration, core::Machine& machine) {
    core::Device* device = nullptr;
    std::optional<DeviceBench> bench;
    bool reached = false;
    core::all_or_none(calibration.comm, [&] {
        device = &core::device(kind);
        reached = device->mpi_reaches();
        bench.emplace(*device);
    });
    const DeviceTimes times = device_times(*bench, 0.7 * seconds, calibration);
    bench.reset();
    machine.devices = devices_of(kind, times, machine.ranks_per_node);
    if (!core::on_any_rank(calibration.comm, !reached)) {
        machine.devices->direct = core::DirectLinks{machine.inside, machine.between};
        machine.sources["devices.direct.inside.latency"] = "assumed: as between hosts";
        machine.sources["devices.direct.between.latency"] = "assumed: as between hosts";
    }
    for (const char* figure : {"per_node", "launch", "host_link.latency", "host_link.to_device",
                               "host_link.from_device", "host_link.pageable", "memory.copy_rate"}) {
        machine.sources[std::string("devices.") + figure] = calibration.source;
    }
    machine.sources["devices.memory.pack_rate"] = "assumed: four fifths of a copy";
    machine.sources["devices.engines.any.lines"] = "assumed: nine tenths of a copy";
    machine.sources["devices.engines.any.lanes"] = "assumed: six tenths of a copy";
    machine.sources["devices.engines.any.permuting"] = "assumed: half of a copy";
    return measure_peers(*device, placed, 0.3 * seconds, calibration, machine);
}

}  // namespace weft::cli
