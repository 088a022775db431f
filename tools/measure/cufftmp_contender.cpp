#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "device/gpu/check.hpp"
#include "measure/cufft_type.hpp"
#include "measure/cufftmp.hpp"
#include "measure/device_array.hpp"
#include "measure/gpu_contender.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "plan/problem.hpp"

namespace weft::cli::WEFT_GPU_TARGET {

namespace {

/// This rank's part of one side of the transform, in the one array: a slab of axis `cut` in natural
/// order, the first ranks with one plane more; rows of real elements have room for the spectrum's.
struct Slab {
    core::StoredBox stored;
    core::Scalar scalar;
    int cut;

    Slab(const Problem& problem, bool spectrum, int rank, int ranks)
        : scalar{problem.precision, spectrum || problem.kind == Kind::c2c}, cut(spectrum ? 1 : 0) {
        const bool real = problem.kind != Kind::c2c;
        const auto axis = static_cast<std::size_t>(cut);
        const std::vector<Index> shape = core::array_shape(problem, spectrum && real);
        stored.box = whole(shape);
        const Index length = shape[axis];
        stored.box.lo[axis] = rank * (length / ranks) + std::min<Index>(rank, length % ranks);
        stored.box.hi[axis] =
            stored.box.lo[axis] + length / ranks + (rank < length % ranks ? 1 : 0);
        stored.strides.assign(shape.size(), 1);
        Index stride = 1;
        for (std::size_t i = shape.size(); i-- > 0;) {
            stored.strides[i] = stride;
            const bool padded = real && !spectrum && i + 1 == shape.size();
            stride *= padded ? 2 * (shape[i] / 2 + 1) : stored.box.hi[i] - stored.box.lo[i];
        }
    }
    [[nodiscard]] std::string text(int dims) const {
        LayoutRequest request = slab(cut);
        request.order.resize(static_cast<std::size_t>(dims));
        std::iota(request.order.begin(), request.order.end(), 0);
        return weft::to_string(request, dims);
    }
};

/// One of cuFFTMp's plans, with work memory of its own.
class MpPlan {
  public:
    MpPlan(const Problem& problem, cufftType type, MPI_Comm& comm) {
        const auto length = [&](std::size_t axis) { return static_cast<int>(problem.shape[axis]); };
        check(cufftmp().create(&handle_), "cufftCreate");
        check(cufftmp().attach(handle_, CUFFT_COMM_MPI, &comm),
              "cufftMpAttachComm (each rank needs a GPU of its own)");
        if (problem.shape.size() == 2) {
            check(cufftmp().make_2d(handle_, length(0), length(1), type, &work_bytes_),
                  "cufftMakePlan2d");
        } else {
            check(cufftmp().make_3d(handle_, length(0), length(1), length(2), type, &work_bytes_),
                  "cufftMakePlan3d");
        }
    }
    ~MpPlan() { (void)cufftmp().destroy(handle_); }
    MpPlan(const MpPlan&) = delete;
    MpPlan& operator=(const MpPlan&) = delete;

    [[nodiscard]] cufftHandle handle() const { return handle_; }
    [[nodiscard]] std::size_t work_bytes() const { return work_bytes_; }

  private:
    cufftHandle handle_{};
    std::size_t work_bytes_ = 0;
};

struct FreeDescriptor {
    void operator()(cudaLibXtDesc* array) const { (void)cufftmp().free(array); }
};

class CufftMpContender : public Contender {
  public:
    /// `comm` stays: cuFFTMp is given its address.
    CufftMpContender(const Problem& problem, core::Device& device, MPI_Comm comm)
        : problem_(problem), comm_(comm) {
        core::check_mpi(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
        core::check_mpi(MPI_Comm_size(comm, &ranks_), "MPI_Comm_size");
        // Its first queue makes the device this thread's, which NVSHMEM takes.
        core::all_or_none(comm, [&] {
            (void)cufftmp();
            (void)device.queue("cufftmp");
        });
        add_plan(false);
        if (problem.kind != Kind::c2c) add_plan(true);
        core::all_or_none(comm, [&] {
            cudaLibXtDesc* made = nullptr;
            check(cufftmp().allocate(plans_.front()->handle(), &made, CUFFT_XT_FORMAT_INPLACE),
                  "cufftXtMalloc");
            descriptor_.reset(made);
        });
        core::all_or_none(comm, [&] {
            const auto& memory = *descriptor_->descriptor;
            array_ = std::make_unique<DeviceArray>(device, static_cast<std::byte*>(memory.data[0]),
                                                   static_cast<Index>(memory.size[0]),
                                                   "cufftmp's array");
        });
    }

    [[nodiscard]] Description description() const override {
        std::size_t work = 0;
        for (const auto& plan : plans_) work += plan->work_bytes();
        const int dims = static_cast<int>(problem_.shape.size());
        return {"cufftmp",
                "cufftmp",
                {ranks_},
                side(false).text(dims),
                side(true).text(dims),
                true,
                "CUFFT_XT_FORMAT_INPLACE, of the spectrum CUFFT_XT_FORMAT_INPLACE_SHUFFLED",
                static_cast<Index>(work),
                {}};
    }

    void run(bool backward) override {
        const bool synthesis = backward != (problem_.kind == Kind::c2r);
        const MpPlan& plan = *(synthesis ? plans_.back() : plans_.front());
        // As which side the array is read: what was put into it need not be its last result.
        descriptor_->subFormat =
            synthesis ? CUFFT_XT_FORMAT_INPLACE_SHUFFLED : CUFFT_XT_FORMAT_INPLACE;
        check(cufftmp().execute(plan.handle(), descriptor_.get(), descriptor_.get(),
                                synthesis ? CUFFT_INVERSE : CUFFT_FORWARD),
              "cufftXtExecDescriptor");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    [[nodiscard]] std::vector<LocalPiece> pieces(bool output) const override {
        const Slab here = side(output);
        return {{here.stored, here.scalar, array_->mirror()}};
    }
    void put(bool /*output*/) override { array_->put(); }
    void fetch(bool /*output*/) override { array_->fetch(); }
    void clear() override { array_->clear(); }

  private:
    void add_plan(bool synthesis) {
        core::all_or_none(comm_, [&] {
            plans_.push_back(
                std::make_unique<MpPlan>(problem_, transform_type(problem_, synthesis), comm_));
        });
    }
    [[nodiscard]] Slab side(bool output) const {
        return {problem_, output != (problem_.kind == Kind::c2r), rank_, ranks_};
    }

    Problem problem_;
    MPI_Comm comm_;
    int rank_ = 0;
    int ranks_ = 1;
    std::vector<std::unique_ptr<MpPlan>> plans_;  ///< analysis, synthesis; of c2c one for both
    std::unique_ptr<cudaLibXtDesc, FreeDescriptor> descriptor_;
    std::unique_ptr<DeviceArray> array_;
};

}  // namespace

std::unique_ptr<Contender> cufftmp_contender(const Problem& problem, core::Device& device,
                                             MPI_Comm comm) {
    return std::make_unique<CufftMpContender>(problem, device, comm);
}

}  // namespace weft::cli::WEFT_GPU_TARGET
