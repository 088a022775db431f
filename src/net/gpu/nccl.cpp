// NCCL, RCCL with HIP, as ranks exchange by it from device memory to device memory.
#include <fmt/format.h>

#include <cstring>

#include "base/index.hpp"
#include "device/devices.hpp"
#include "device/gpu/target.hpp"
#include "net/device_comms.hpp"
#include "net/ending.hpp"
#include "net/gpu/library.hpp"
#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

/// The first that lets ranks share a GPU.
constexpr int sharing_version = 23000;

/// 22803 is 2.28.3; 2708, as it was counted before 2.9, is 2.7.8.
std::string text_of(int version) {
    const int unit = version >= 10000 ? 10000 : 1000;
    return fmt::format("{}.{}.{}", version / unit, version % unit / 100, version % 100);
}

std::string_view advice(ncclResult_t result, int version) {
    if (result == ncclInvalidUsage && version < sharing_version) {
        return "; ranks that share a GPU need NCCL 2.30 or later: give each rank a GPU of its own "
               "(WEFT_DEVICE_NUMBER), or take another method";
    }
    if (result == ncclRemoteError) return "; see the messages of the other ranks";
    return "; NCCL_DEBUG=WARN says more";
}

/// Throws Error(system), a PeerFailure if it is another rank's, with what NCCL says, of that
/// communicator or of no one.
void check_nccl(ncclResult_t result, std::string_view call, ncclComm_t comm = nullptr) {
    if (result == ncclSuccess) return;
    int version = 0;
    (void)ncclGetVersion(&version);
    const char* last = ncclGetLastError(comm);
    const std::string more = last != nullptr ? last : "";
    const std::string text =
        fmt::format("device " WEFT_GPU_NAME ": " WEFT_COMMS_NAME " {}: {}: {}{}{}",
                    text_of(version), call, ncclGetErrorString(result),
                    more.empty() ? "" : fmt::format(" ({})", more), advice(result, version));
    if (result == ncclRemoteError) throw PeerFailure(ErrorCode::system, text);
    throw Error(ErrorCode::system, text);
}

class NcclComm final : public DeviceComm {
  public:
    NcclComm(const DeviceCommId& id, int place, int places) {
        ncclUniqueId unique;
        static_assert(sizeof(unique) == sizeof(id));
        std::memcpy(&unique, id.data(), sizeof(unique));
        check_nccl(ncclCommInitRank(&comm_, places, unique, place), "ncclCommInitRank");
    }
    ~NcclComm() override {
        // Whatever fails now concerns nobody any more.
        if (comm_ != nullptr) (void)ncclCommDestroy(comm_);
    }

    void exchange(const DeviceView& view, const std::byte* from,
                  const std::vector<DeviceMessage>& sends, std::byte* to,
                  const std::vector<DeviceMessage>& receives) override {
        require_kept();
        auto* stream = static_cast<cudaStream_t>(view.stream());
        check_nccl(ncclGroupStart(), "ncclGroupStart", comm_);
        ncclResult_t put = ncclSuccess;
        for (const DeviceMessage& one : receives) {
            if (put != ncclSuccess) break;
            put = ncclRecv(to + one.offset, usize(one.bytes), ncclInt8, one.place, comm_, stream);
        }
        for (const DeviceMessage& one : sends) {
            if (put != ncclSuccess) break;
            put = ncclSend(from + one.offset, usize(one.bytes), ncclInt8, one.place, comm_, stream);
        }
        // A group that was opened has to be closed.
        const ncclResult_t closed = ncclGroupEnd();
        check_nccl(put, "ncclSend or ncclRecv", comm_);
        check_nccl(closed, "ncclGroupEnd", comm_);
    }
    void check() override {
        require_kept();
        ncclResult_t state = ncclSuccess;
        check_nccl(ncclCommGetAsyncError(comm_, &state), "ncclCommGetAsyncError", comm_);
        if (state != ncclInProgress) check_nccl(state, "an exchange", comm_);
    }
    void abandon() override {
        if (comm_ != nullptr) (void)ncclCommAbort(comm_);
        comm_ = nullptr;
    }

  private:
    void require_kept() const {
        if (comm_ != nullptr) return;
        throw Error(ErrorCode::system,
                    "device " WEFT_GPU_NAME ": a " WEFT_COMMS_NAME
                    " exchange has failed before, and the communicator was given up; bind the plan "
                    "again");
    }

    ncclComm_t comm_ = nullptr;  ///< null: given up
};

DeviceCommId new_id() {
    ncclUniqueId unique;
    check_nccl(ncclGetUniqueId(&unique), "ncclGetUniqueId");
    DeviceCommId id{};
    std::memcpy(id.data(), &unique, sizeof(unique));
    return id;
}

std::unique_ptr<DeviceComm> join(const DeviceCommId& id, int place, int places) {
    return std::make_unique<NcclComm>(id, place, places);
}

}  // namespace

}  // namespace weft::core::WEFT_GPU_TARGET

namespace weft::core {

const DeviceComms& WEFT_GPU_JOIN(WEFT_GPU_TARGET, _comms)() {
    static constexpr DeviceComms comms = {&WEFT_GPU_TARGET::new_id, &WEFT_GPU_TARGET::join};
    return comms;
}

}  // namespace weft::core
