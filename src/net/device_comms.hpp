// How ranks exchange data from device memory to device memory without MPI: NCCL, or what is like it
// for another kind of device.
//
// A communicator is made by all ranks of a group together, of an id that one of them makes and the
// others get from it by MPI. Example, 2 ranks, each of which sends 80 bytes to the other:
//
//     const DeviceComms& nccl = *device_comms("cuda");
//     const DeviceCommId id = nccl.new_id();                  // on rank 0, and broadcast
//     const auto comm = nccl.join(id, rank, 2);               // on both, with the device current
//     const auto work = [&](const DeviceView& view) {
//         comm->exchange(view, {from, {{1 - rank, 0, 80}}}, {to, {{1 - rank, 0, 80}}});
//     };
//     queue.wait(queue.launch(work, "exchange"));
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/no_copy.hpp"
#include "device/device.hpp"

namespace weft::core {

/// What ranks of one communicator know each other by.
using DeviceCommId = std::array<char, 128>;

/// One message, of so many bytes, from (to) so many bytes behind where a buffer begins.
struct DeviceMessage {
    int place = 0;  ///< of the peer in the communicator
    Index offset = 0;
    Index bytes = 0;
};

class DeviceComm : NoCopy {
  public:
    /// Together with the peers, once all that was put into streams has run; alone after abandon().
    virtual ~DeviceComm() = default;

    /// Puts all of them into the view's stream at once, so that none waits for another one. All
    /// ranks of the communicator put their exchanges in in the same order.
    virtual void exchange(const DeviceView& view, const std::byte* from,
                          const std::vector<DeviceMessage>& sends, std::byte* to,
                          const std::vector<DeviceMessage>& receives) = 0;
    /// Throws if something has failed since it was made, on this rank or, as far as it is known, on
    /// a peer.
    virtual void check() = 0;
    /// Something has failed, so that its peers may be gone. What is still in streams ends, and what
    /// is asked of it from now on throws.
    virtual void abandon() = 0;
};

/// What makes communicators for one kind of device.
struct DeviceComms {
    DeviceCommId (*new_id)();
    /// Collective over so many ranks, of which this one has that place. The queue that calls it is
    /// of the device that is used.
    std::unique_ptr<DeviceComm> (*join)(const DeviceCommId& id, int place, int places);
};

/// Null: there are none in this build for devices of that name.
const DeviceComms* device_comms(std::string_view device);

/// Why plans that are computed on that device, or on the host if it is empty, cannot use them, and
/// what would help; empty if they can.
std::string why_no_device_comms(std::string_view device);

}  // namespace weft::core
