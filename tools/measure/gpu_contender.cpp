#include "measure/gpu_contender.hpp"

#include <fmt/format.h>

#include <vector>

#include "device/gpu/check.hpp"
#include "measure/cufft_type.hpp"
#include "measure/device_array.hpp"
#include "plan/problem.hpp"

namespace weft::cli::WEFT_GPU_TARGET {

namespace {

using namespace core::WEFT_GPU_TARGET;

/// One of cuFFT's plans of a whole array, as its manual makes it: dense arrays in natural order,
/// one field after another, work memory of its own.
class WholePlan {
  public:
    WholePlan(const Problem& problem, cufftType type, cudaStream_t stream) : type_(type) {
        std::vector<long long> lengths(problem.shape.begin(), problem.shape.end());
        std::size_t bytes = 0;
        check(cufftCreate(&handle_), "cufftCreate");
        check(cufftMakePlanMany64(handle_, static_cast<int>(lengths.size()), lengths.data(),
                                  nullptr, 1, 0, nullptr, 1, 0, type, problem.batch, &bytes),
              "cufftMakePlanMany64");
        check(cufftSetStream(handle_, stream), "cufftSetStream");
        work_bytes_ = static_cast<Index>(bytes);
    }
    ~WholePlan() { (void)cufftDestroy(handle_); }
    WholePlan(const WholePlan&) = delete;
    WholePlan& operator=(const WholePlan&) = delete;

    [[nodiscard]] Index work_bytes() const { return work_bytes_; }

    void execute(void* from, void* to, int sign) const {
        check(call(from, to, sign), "executing a plan of cuFFT");
    }

  private:
    [[nodiscard]] cufftResult call(void* from, void* to, int sign) const {
        switch (type_) {
            case CUFFT_C2C:
                return cufftExecC2C(handle_, static_cast<cufftComplex*>(from),
                                    static_cast<cufftComplex*>(to), sign);
            case CUFFT_R2C:
                return cufftExecR2C(handle_, static_cast<cufftReal*>(from),
                                    static_cast<cufftComplex*>(to));
            case CUFFT_C2R:
                return cufftExecC2R(handle_, static_cast<cufftComplex*>(from),
                                    static_cast<cufftReal*>(to));
            case CUFFT_Z2Z:
                return cufftExecZ2Z(handle_, static_cast<cufftDoubleComplex*>(from),
                                    static_cast<cufftDoubleComplex*>(to), sign);
            case CUFFT_D2Z:
                return cufftExecD2Z(handle_, static_cast<cufftDoubleReal*>(from),
                                    static_cast<cufftDoubleComplex*>(to));
            default:
                return cufftExecZ2D(handle_, static_cast<cufftDoubleComplex*>(from),
                                    static_cast<cufftDoubleReal*>(to));
        }
    }

    cufftType type_;
    cufftHandle handle_{};
    Index work_bytes_ = 0;
};

class Stream {
  public:
    Stream() {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
              "cudaStreamCreateWithFlags");
    }
    ~Stream() { (void)cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    [[nodiscard]] cudaStream_t get() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

  private:
    cudaStream_t stream_ = nullptr;
};

/// One side of the transform: dense, in natural order, the fields of a batch one after another.
struct Side {
    core::StoredBox stored;
    core::Scalar scalar;

    Side(const Problem& problem, bool spectrum)
        : scalar{problem.precision, spectrum || problem.kind == Kind::c2c} {
        const bool half = spectrum && problem.kind != Kind::c2c;
        const std::vector<Index> shape = core::array_shape(problem, half);
        stored.box = whole(shape);
        stored.strides.assign(shape.size(), 1);
        Index stride = 1;
        for (std::size_t axis = problem.shape.size(); axis-- > 0;) {
            stored.strides[axis] = stride;
            stride *= shape[axis];
        }
        if (shape.size() > problem.shape.size()) stored.strides.back() = stride;
        elements = stride * problem.batch;
    }
    [[nodiscard]] Index bytes() const { return elements * scalar.bytes(); }

    Index elements = 0;
};

class GpuContender : public Contender {
  public:
    GpuContender(const Problem& problem, core::Device& device)
        : problem_(problem),
          signal_(problem, false),
          spectrum_(problem, true),
          in_(device, side(false).bytes(), "cufft's array") {
        if (!problem.in_place) {
            out_ = std::make_unique<DeviceArray>(device, side(true).bytes(), "cufft's array");
        }
        plans_.push_back(plan(false));
        if (problem.kind != Kind::c2c) plans_.push_back(plan(true));
    }

    [[nodiscard]] Description description() const override {
        Index work = 0;
        for (const auto& plan : plans_) work += plan->work_bytes();
        return {"cufft",
                "cufft",
                {},
                "natural order",
                "natural order",
                problem_.in_place,
                "one plan of all axes",
                work,
                {}};
    }

    void run(bool backward) override {
        const bool synthesis = backward != (problem_.kind == Kind::c2r);
        const WholePlan& plan = *(synthesis ? plans_.back() : plans_.front());
        plan.execute(array(backward).data(), array(!backward).data(),
                     synthesis ? CUFFT_INVERSE : CUFFT_FORWARD);
        stream_.wait();
    }

    [[nodiscard]] std::vector<LocalPiece> pieces(bool output) const override {
        return {{side(output).stored, side(output).scalar, array(output).mirror()}};
    }
    void put(bool output) override { array(output).put(); }
    void fetch(bool output) override { array(output).fetch(); }
    void clear() override {
        in_.clear();
        if (out_) out_->clear();
    }

  private:
    [[nodiscard]] const Side& side(bool output) const {
        return output == (problem_.kind == Kind::c2r) ? signal_ : spectrum_;
    }
    [[nodiscard]] DeviceArray& array(bool output) const { return output && out_ ? *out_ : in_; }
    [[nodiscard]] std::unique_ptr<WholePlan> plan(bool synthesis) const {
        return std::make_unique<WholePlan>(problem_, transform_type(problem_, synthesis),
                                           stream_.get());
    }

    Problem problem_;
    Side signal_;
    Side spectrum_;
    mutable DeviceArray in_;
    std::unique_ptr<DeviceArray> out_;
    Stream stream_;
    std::vector<std::unique_ptr<WholePlan>> plans_;  ///< analysis, synthesis; of c2c one for both
};

}  // namespace

std::unique_ptr<Contender> contender(const Problem& problem, core::Device& device) {
    return std::make_unique<GpuContender>(problem, device);
}

}  // namespace weft::cli::WEFT_GPU_TARGET
