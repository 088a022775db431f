#include "measure/cufftmp.hpp"

#include <mpi.h>

#include <algorithm>
#include <map>
#include <vector>

#include "weft/box.hpp"

namespace weft::cli::emulated {

namespace {

/// What a handle has besides what the emulated cuFFT knows of it.
struct MpPlan {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    int ranks = 1;
    cufftType type = CUFFT_Z2Z;
    std::array<Index, 3> cells{};  ///< complex elements, or the rooms of two real ones
    void* whole = nullptr;         ///< on the device
    std::vector<std::byte> host;   ///< all cells
    std::vector<std::byte> part;   ///< this rank's

    [[nodiscard]] std::size_t cell_bytes() const { return type >= CUFFT_Z2Z ? 16 : 8; }
    [[nodiscard]] std::size_t bytes() const {
        return cell_bytes() * static_cast<std::size_t>(cells[0] * cells[1] * cells[2]);
    }
    /// Where the rank's part of that axis begins: the first ranks have one more.
    [[nodiscard]] Index begin(std::size_t axis, int of_rank) const {
        return of_rank * (cells[axis] / ranks) + std::min<Index>(of_rank, cells[axis] % ranks);
    }
    [[nodiscard]] std::size_t part_bytes(std::size_t cut) const {
        return bytes() / static_cast<std::size_t>(cells[cut]) *
               static_cast<std::size_t>(begin(cut, rank + 1) - begin(cut, rank));
    }
    /// copy(bytes of the host's array, bytes of the part, how many) for each run of cells.
    template <class Copy>
    void each_run(std::size_t cut, const Copy& copy) {
        const std::size_t row = cell_bytes() * static_cast<std::size_t>(cells[2]);
        std::byte* here = part.data();
        for (Index i = 0; i < cells[0]; ++i) {
            for (Index j = 0; j < cells[1]; ++j) {
                const Index at = cut == 0 ? i : j;
                if (at < begin(cut, rank) || at >= begin(cut, rank + 1)) continue;
                copy(host.data() + static_cast<std::size_t>(i * cells[1] + j) * row, here, row);
                here += row;
            }
        }
    }
};

std::map<cufftHandle, MpPlan>& plans() {
    static std::map<cufftHandle, MpPlan> all;
    return all;
}

MpPlan* find(cufftHandle handle) {
    const auto found = plans().find(handle);
    return found == plans().end() ? nullptr : &found->second;
}

cufftResult make(cufftHandle handle, std::vector<long long> n, cufftType type,
                 std::size_t* work_bytes) {
    MpPlan* plan = find(handle);
    if (plan == nullptr) return CUFFT_INVALID_PLAN;
    if (n[0] < plan->ranks || n[1] < plan->ranks) return CUFFT_INVALID_SIZE;
    const bool real = type != CUFFT_C2C && type != CUFFT_Z2Z;
    plan->type = type;
    plan->cells = {n[0], n[1], n.size() > 2 ? n[2] : 1};
    if (real) {
        if (n.size() == 2) return CUFFT_NOT_SUPPORTED;
        plan->cells[2] = n[2] / 2 + 1;
    }
    if (cudaMalloc(&plan->whole, plan->bytes()) != cudaSuccess) return CUFFT_ALLOC_FAILED;
    plan->host.resize(plan->bytes());
    return cufftMakePlanMany64(handle, static_cast<int>(n.size()), n.data(), nullptr, 1, 0, nullptr,
                               1, 0, type, 1, work_bytes);
}

cufftResult execute_whole(cufftHandle handle, const MpPlan& plan, int direction) {
    void* data = plan.whole;
    auto* single = static_cast<cufftComplex*>(data);
    auto* twice = static_cast<cufftDoubleComplex*>(data);
    switch (plan.type) {
        case CUFFT_C2C:
            return cufftExecC2C(handle, single, single, direction);
        case CUFFT_R2C:
            return cufftExecR2C(handle, static_cast<cufftReal*>(data), single);
        case CUFFT_C2R:
            return cufftExecC2R(handle, single, static_cast<cufftReal*>(data));
        case CUFFT_Z2Z:
            return cufftExecZ2Z(handle, twice, twice, direction);
        case CUFFT_D2Z:
            return cufftExecD2Z(handle, static_cast<cufftDoubleReal*>(data), twice);
        default:
            return cufftExecZ2D(handle, twice, static_cast<cufftDoubleReal*>(data));
    }
}

/// All parts, on every rank: the cells of other ranks are added as bits to this one's.
void gather(MpPlan& plan, std::size_t cut) {
    std::fill(plan.host.begin(), plan.host.end(), std::byte{0});
    plan.each_run(cut, [](std::byte* whole, const std::byte* part, std::size_t bytes) {
        std::copy_n(part, bytes, whole);
    });
    MPI_Allreduce(MPI_IN_PLACE, plan.host.data(), static_cast<int>(plan.host.size()), MPI_BYTE,
                  MPI_BOR, plan.comm);
}

bool copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpy(to, from, bytes, kind) == cudaSuccess;
}

}  // namespace

cufftResult cufftMpAttachComm(cufftHandle handle, cufftMpCommType type, void* comm) {
    if (type != CUFFT_COMM_MPI || comm == nullptr) return CUFFT_INVALID_VALUE;
    MpPlan& plan = plans()[handle];
    plan.comm = *static_cast<MPI_Comm*>(comm);
    MPI_Comm_rank(plan.comm, &plan.rank);
    MPI_Comm_size(plan.comm, &plan.ranks);
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type,
                            std::size_t* work_bytes) {
    return make(plan, {nx, ny}, type, work_bytes);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            std::size_t* work_bytes) {
    return make(plan, {nx, ny, nz}, type, work_bytes);
}

cufftResult cufftDestroy(cufftHandle handle) {
    if (MpPlan* plan = find(handle)) (void)cudaFree(plan->whole);
    plans().erase(handle);
    return core::emulated::cufftDestroy(handle);
}

cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc** array, cufftXtSubFormat format) {
    const MpPlan* plan = find(handle);
    if (plan == nullptr || plan->whole == nullptr) return CUFFT_INVALID_PLAN;
    const std::size_t bytes = std::max(plan->part_bytes(0), plan->part_bytes(1));
    void* data = nullptr;
    if (cudaMalloc(&data, bytes) != cudaSuccess) return CUFFT_ALLOC_FAILED;
    *array = new cudaLibXtDesc{new cudaXtDesc{1, {data}, {bytes}}, format};
    return CUFFT_SUCCESS;
}

cufftResult cufftXtFree(cudaLibXtDesc* array) {
    const cudaError_t freed = cudaFree(array->descriptor->data[0]);
    delete array->descriptor;
    delete array;
    return freed == cudaSuccess ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

cufftResult cufftXtExecDescriptor(cufftHandle handle, cudaLibXtDesc* in, cudaLibXtDesc* out,
                                  int direction) {
    MpPlan* plan = find(handle);
    if (plan == nullptr || plan->whole == nullptr) return CUFFT_INVALID_PLAN;
    const bool forward = direction == CUFFT_FORWARD;
    const auto from = forward ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
    const auto to = forward ? CUFFT_XT_FORMAT_INPLACE_SHUFFLED : CUFFT_XT_FORMAT_INPLACE;
    if (in != out || in->subFormat != from) return CUFFT_INVALID_VALUE;
    void* data = in->descriptor->data[0];
    if (cudaStreamSynchronize(nullptr) != cudaSuccess) return CUFFT_EXEC_FAILED;
    plan->part.resize(plan->part_bytes(forward ? 0 : 1));
    if (!copy(plan->part.data(), data, plan->part.size(), cudaMemcpyDeviceToHost)) {
        return CUFFT_EXEC_FAILED;
    }
    gather(*plan, forward ? 0 : 1);
    if (!copy(plan->whole, plan->host.data(), plan->bytes(), cudaMemcpyHostToDevice)) {
        return CUFFT_EXEC_FAILED;
    }
    const cufftResult computed = execute_whole(handle, *plan, direction);
    if (computed != CUFFT_SUCCESS) return computed;
    if (cudaStreamSynchronize(nullptr) != cudaSuccess ||
        !copy(plan->host.data(), plan->whole, plan->bytes(), cudaMemcpyDeviceToHost)) {
        return CUFFT_EXEC_FAILED;
    }
    plan->part.resize(plan->part_bytes(forward ? 1 : 0));
    plan->each_run(forward ? 1 : 0, [](const std::byte* whole, std::byte* part, std::size_t bytes) {
        std::copy_n(whole, bytes, part);
    });
    out->subFormat = to;
    const cudaError_t put = cudaMemcpyAsync(data, plan->part.data(), plan->part.size(),
                                            cudaMemcpyHostToDevice, nullptr);
    return put == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

const CufftMp& cufftmp() {
    static const CufftMp functions{&core::emulated::cufftCreate,
                                   &cufftDestroy,
                                   &cufftMpAttachComm,
                                   &cufftMakePlan2d,
                                   &cufftMakePlan3d,
                                   &cufftXtMalloc,
                                   &cufftXtFree,
                                   &cufftXtExecDescriptor};
    return functions;
}

}  // namespace weft::cli::emulated
