#include "fft/gpu/cufft_plan.hpp"

#include <fmt/format.h>

#include <array>

#include "device/gpu/check.hpp"
#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

cufftType type_of(const LineTransform& line) {
    const bool twice = line.precision == Precision::f64;
    switch (line.kind) {
        case Kind::r2c:
            return twice ? CUFFT_D2Z : CUFFT_R2C;
        case Kind::c2r:
            return twice ? CUFFT_Z2D : CUFFT_C2R;
        default:
            return twice ? CUFFT_Z2Z : CUFFT_C2C;
    }
}

/// One side of a call, in the words of cufftMakePlanMany64.
struct Side {
    std::array<long long, 3> embed{};
    long long stride = 1;
    long long distance = 1;

    Side(const FftCalls& calls, Index Loop::*step, Index line_length)
        : stride(calls.axes.back().*step), distance(stride) {
        const auto found = embedding(calls.axes, step, line_length);
        for (std::size_t k = 0; k < found->size(); ++k) {
            embed[k] = (*found)[k];
            distance *= embed[k];
        }
        // Of a single transform it says nothing, but cuFFT refuses 0.
        if (calls.batch.extent > 1) distance = calls.batch.*step;
    }
};

}  // namespace

void check(cufftResult result, std::string_view what) {
    if (result == CUFFT_SUCCESS) return;
    std::string_view advice;
    if (result == CUFFT_ALLOC_FAILED) {
        advice = ": there is no memory for it on the device; use more ranks or smaller arrays";
    }
    throw Error(ErrorCode::system, fmt::format("device " WEFT_GPU_NAME ": {}: cuFFT's result {}{}",
                                               what, static_cast<int>(result), advice));
}

CufftCalls::CufftCalls(const FftCalls& calls, WorkArea& area)
    : area_(area), line_(calls.line), side_(calls.side) {
    std::array<long long, 3> lengths{};
    for (std::size_t k = 0; k < calls.axes.size(); ++k) lengths[k] = calls.axes[k].extent;
    Side from(calls, &Loop::from, line_.source_length());
    Side to(calls, &Loop::to, line_.target_length());
    check(cufftCreate(&handle_), "cufftCreate");
    try {
        check(cufftSetAutoAllocation(handle_, 0), "cufftSetAutoAllocation");
        std::size_t bytes = 0;
        check(
            cufftMakePlanMany64(handle_, static_cast<int>(calls.axes.size()), lengths.data(),
                                from.embed.data(), from.stride, from.distance, to.embed.data(),
                                to.stride, to.distance, type_of(line_), calls.batch.extent, &bytes),
            fmt::format("cufftMakePlanMany64 of lines of {}, batch {}", line_.length,
                        calls.batch.extent));
        work_bytes_ = static_cast<Index>(bytes);
        set_begins(calls);
    } catch (...) {
        (void)cufftDestroy(handle_);
        throw;
    }
}

CufftCalls::~CufftCalls() { (void)cufftDestroy(handle_); }

void CufftCalls::set_begins(const FftCalls& calls) {
    begins_ = {Begin{}};
    for (const Loop& loop : calls.around) {
        std::vector<Begin> more;
        more.reserve(begins_.size() * static_cast<std::size_t>(loop.extent));
        for (const Begin& begin : begins_) {
            for (Index i = 0; i < loop.extent; ++i) {
                more.push_back({begin.from + i * loop.from * line_.source().bytes(),
                                begin.to + i * loop.to * line_.target().bytes()});
            }
        }
        begins_ = std::move(more);
    }
}

void CufftCalls::execute(cudaStream_t stream, std::byte* from, std::byte* to) {
    if (stream != set_stream_) {
        check(cufftSetStream(handle_, stream), "cufftSetStream");
        set_stream_ = stream;
    }
    if (work_bytes_ != 0 && area_.data() != set_area_) {
        check(cufftSetWorkArea(handle_, area_.data()), "cufftSetWorkArea");
        set_area_ = area_.data();
    }
    for (const Begin& begin : begins_) call(from + begin.from, to + begin.to);
}

void CufftCalls::call(std::byte* from, std::byte* to) const {
    const auto as = [](std::byte* array, auto* kind) {
        return reinterpret_cast<decltype(kind)>(array);
    };
    cufftComplex* c = nullptr;
    cufftDoubleComplex* z = nullptr;
    cufftReal* r = nullptr;
    cufftDoubleReal* d = nullptr;
    const int sign = line_.sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;
    cufftResult result = CUFFT_SUCCESS;
    switch (type_of(line_)) {
        case CUFFT_C2C:
            result = cufftExecC2C(handle_, as(from, c), as(to, c), sign);
            break;
        case CUFFT_Z2Z:
            result = cufftExecZ2Z(handle_, as(from, z), as(to, z), sign);
            break;
        case CUFFT_R2C:
            result = cufftExecR2C(handle_, as(from, r), as(to, c));
            break;
        case CUFFT_D2Z:
            result = cufftExecD2Z(handle_, as(from, d), as(to, z));
            break;
        case CUFFT_C2R:
            result = cufftExecC2R(handle_, as(from, c), as(to, r));
            break;
        case CUFFT_Z2D:
            result = cufftExecZ2D(handle_, as(from, z), as(to, d));
            break;
    }
    check(result, "executing a plan of cuFFT");
}

}  // namespace weft::core::WEFT_GPU_TARGET
