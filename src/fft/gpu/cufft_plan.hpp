// A plan of cuFFT, as often as a task needs it.
#pragma once

#include <vector>

#include "base/no_copy.hpp"
#include "fft/gpu/calls.hpp"
#include "fft/gpu/library.hpp"
#include "fft/gpu/work_area.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Calls that differ in where they begin. Executing allocates nothing; what cuFFT works in is the
/// area's memory.
class CufftCalls : NoCopy {
  public:
    /// The area outlives it. Throws Error(system) if cuFFT cannot plan it.
    CufftCalls(const FftCalls& calls, WorkArea& area);
    ~CufftCalls();

    /// Bytes of the area that it works in, from its start.
    [[nodiscard]] Index work_bytes() const { return work_bytes_; }
    [[nodiscard]] FftSide side() const { return side_; }
    /// Puts all calls into the stream.
    void execute(cudaStream_t stream, std::byte* from, std::byte* to);

  private:
    struct Begin {
        Index from = 0;  ///< in bytes
        Index to = 0;
    };
    void set_begins(const FftCalls& calls);
    void call(std::byte* from, std::byte* to) const;

    WorkArea& area_;
    LineTransform line_;
    FftSide side_;
    cufftHandle handle_{};
    Index work_bytes_ = 0;
    std::vector<Begin> begins_;
    std::byte* set_area_ = nullptr;  ///< the area that the plan was told
    cudaStream_t set_stream_ = nullptr;
};

}  // namespace weft::core::WEFT_GPU_TARGET
