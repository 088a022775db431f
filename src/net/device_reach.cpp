#include "net/device_reach.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "base/no_copy.hpp"
#include "base/variables.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace weft::core {

namespace {

/// What the library says of the memory of a device; nothing if it has no such question.
std::optional<bool> asked(const Device& device) {
    if (device.answers_for_mpi()) return true;
    [[maybe_unused]] const std::string_view kind = device.name();
#ifdef MPIX_CUDA_AWARE_SUPPORT
    if (kind == "cuda") return MPIX_Query_cuda_support() != 0;
#endif
#ifdef OMPI_HAVE_MPI_EXT_ROCM
    if (kind == "hip") return MPIX_Query_rocm_support() != 0;
#endif
// MPICH's header has it, but its library of the MPI ABI does not.
#if defined(MPIX_GPU_SUPPORT_CUDA) && !defined(MPI_ABI)
    const bool cuda = kind == "cuda";
    if (cuda || kind == "hip") {
        int supported = 0;
        const int asked_for = cuda ? MPIX_GPU_SUPPORT_CUDA : MPIX_GPU_SUPPORT_HIP;
        return MPIX_GPU_query_support(asked_for, &supported) == MPI_SUCCESS && supported != 0;
    }
#endif
    return {};
}

DeviceReach no(std::string why) { return {false, false, std::move(why)}; }

class OwnMessages : NoCopy {
  public:
    OwnMessages() {
        check_mpi(MPI_Comm_dup(MPI_COMM_SELF, &comm_), "MPI_Comm_dup");
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    }
    ~OwnMessages() { MPI_Comm_free(&comm_); }

    /// What went wrong; empty if nothing did.
    [[nodiscard]] std::string send(const std::byte* from, std::byte* to, int bytes) const {
        const int status = MPI_Sendrecv(from, bytes, MPI_BYTE, 0, 0, to, bytes, MPI_BYTE, 0, 0,
                                        comm_, MPI_STATUS_IGNORE);
        return attempt([&] { check_mpi(status, "MPI_Sendrecv"); }).message;
    }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// What is wrong with a message from the device's memory to the device's memory; empty if it
/// brings what was sent. Throws if the device has no memory for it, or fails.
std::string wrong_with(Device& device, const OwnMessages& messages, int bytes) {
    const auto host = device.allocate_pinned(2 * Index{bytes});
    const auto memory = device.allocate(2 * Index{bytes}, "probe of MPI");
    const auto queue = device.queue("probe of MPI");
    std::byte* const sent = host->data();
    std::byte* const found = sent + bytes;
    for (int i = 0; i < bytes; ++i) {
        sent[i] = static_cast<std::byte>((i * 37 + 11) & 0xff);
        found[i] = ~sent[i];
    }
    queue->copy(sent, memory->data(), bytes, "probe of MPI");
    queue->wait(queue->copy(found, memory->data() + bytes, bytes, "probe of MPI"));
    std::string wrong = messages.send(device.for_mpi(memory->data()),
                                      device.for_mpi(memory->data() + bytes), bytes);
    if (!wrong.empty()) return wrong;
    queue->wait(queue->copy(memory->data() + bytes, found, bytes, "probe of MPI"));
    if (std::equal(sent, sent + bytes, found)) return "";
    return fmt::format("a message of {} bytes brought other bytes", bytes);
}

/// One message of each way that MPI has for short and for long ones.
DeviceReach tried(Device& device) {
    const OwnMessages messages;
    for (const int bytes : {64, 1 << 20}) {
        const std::string wrong = wrong_with(device, messages, bytes);
        if (wrong.empty()) continue;
        return {false, true,
                fmt::format("MPI says that it reaches the memory of {}, but a trial failed: {}",
                            device.name(), wrong)};
    }
    return {true, false, ""};
}

}  // namespace

DeviceReach claimed_reach(const Device& device) {
    const std::optional<bool> said = said_to_reach_devices();
    if (said == false) return no("WEFT_DEVICE_MPI=no says that MPI does not reach devices");
    if (!device.mpi_reaches()) {
        return no(fmt::format("the memory of {} cannot be handed to MPI", device.name()));
    }
    const std::optional<bool> answer = said ? said : asked(device);
    if (!answer) {
        return no(
            fmt::format("this MPI does not say whether it reaches the memory of {}; if it "
                        "does, set WEFT_DEVICE_MPI=yes",
                        device.name()));
    }
    if (!*answer) {
        return no(
            fmt::format("this MPI says that it does not reach the memory of {}", device.name()));
    }
    return {true, false, ""};
}

const DeviceReach& device_reach(Device& device) {
    static std::mutex mutex;
    static std::map<const Device*, DeviceReach> known;
    const std::scoped_lock lock(mutex);
    const auto found = known.find(&device);
    if (found != known.end()) return found->second;
    DeviceReach reach = claimed_reach(device);
    if (reach.reaches) reach = tried(device);
    return known.emplace(&device, std::move(reach)).first->second;
}

}  // namespace weft::core
