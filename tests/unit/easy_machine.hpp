// Machines with devices whose figures are easy to calculate with.
#pragma once

#include <string>
#include <vector>

#include "model/machine.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"

namespace weft::core::test {

/// All passes and copies at 1e9 bytes a second, hops at 5e8 to the device and 2.5e8 from it.
inline Devices easy_devices() {
    Devices devices;
    devices.kind = "fake";
    devices.launch = 1e-6;
    devices.host_link = {1e-5, 5e8, 2.5e8};
    devices.copy_rate = devices.pack_rate = 1e9;
    devices.engines["cufft"] = {1e9, 1e9, 1e9, 1e15};
    devices.other_engines = "cufft";
    return devices;
}

inline Machine easy_machine() {
    Machine machine;
    machine.name = "easy";
    machine.inside = machine.between = {1e-6, 1e9};
    machine.memory = {0, 1e9, 1e9};
    machine.engines["native"] = {1e9};
    machine.other_engines = "native";
    machine.devices = easy_devices();
    return machine;
}

/// On which nothing takes time but hops and messages between nodes.
inline Machine pipeline_machine(double hops, double messages) {
    Machine machine = easy_machine();
    machine.between = {0, messages};
    Devices& devices = *machine.devices;
    devices.launch = 0;
    devices.host_link = {0, hops, hops};
    devices.copy_rate = devices.pack_rate = 1e16;
    devices.engines["cufft"] = {1e16, 1e16, 1e16, 1e16};
    return machine;
}

inline Plan device_plan(const std::string& text, int ranks) {
    return make_plan(parse_plan_request(text), ranks);
}

/// Every rate of a description of devices.
inline std::vector<double*> rates_of(Machine& machine) {
    Devices& devices = *machine.devices;
    DeviceEngine& engine = devices.engines.begin()->second;
    std::vector<double*> rates = {&devices.copy_rate,
                                  &devices.pack_rate,
                                  &devices.host_link.to_device,
                                  &devices.host_link.from_device,
                                  &engine.lines,
                                  &engine.lanes,
                                  &engine.permuting,
                                  &engine.rate,
                                  &machine.between.bandwidth,
                                  &machine.inside.bandwidth};
    if (devices.peer_link) rates.push_back(&devices.peer_link->bandwidth);
    if (devices.direct) rates.push_back(&devices.direct->between.bandwidth);
    return rates;
}

}  // namespace weft::core::test
