// A queue of a GPU: a stream.
#pragma once

#include <array>
#include <exception>
#include <memory>
#include <string>

#include "device/device.hpp"
#include "device/gpu/target.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Work is put into the stream when it is launched. Behind each piece of work an event is recorded,
/// in a ring of them: whoever asks about a ticket whose event has been recorded anew since then
/// waits for the oldest event that there is, which comes later in the stream.
class GpuQueue final : public DeviceQueue, private DeviceView {
  public:
    /// On the GPU of that number; with a stream of its own, or with one that the caller has.
    GpuQueue(int number, std::string name);
    GpuQueue(int number, std::string name, cudaStream_t of_caller);
    ~GpuQueue() override;

    Ticket launch(Work work, std::string_view step) override;
    Ticket copy(const std::byte* from, std::byte* to, Index bytes, std::string_view step) override;
    void wait_for(DeviceQueue& other, Ticket ticket) override;
    bool done(Ticket ticket) override;
    void wait(Ticket ticket) override;
    [[nodiscard]] Ticket last() const override { return last_; }
    /// A CUDA graph, unless WEFT_DEVICE_GRAPHS=no.
    std::unique_ptr<PreparedWork> record(FunctionRef<void()> put) override;

  private:
    static constexpr Ticket ring = 64;

    void create_events();

    [[nodiscard]] std::byte* reach(std::byte* address) const override { return address; }
    [[nodiscard]] void* stream() const override { return stream_; }
    /// Puts work into the stream unless something has failed, and gives it a ticket.
    template <class Put>
    Ticket put(const Put& put_it, std::string_view step);
    [[nodiscard]] cudaEvent_t event_of(Ticket ticket) const;
    void check_given_out(Ticket ticket) const;
    /// Keeps the first error; throws it.
    void fail_if(cudaError_t result, std::string_view what);
    void throw_what_failed() const;

    int number_;
    std::string name_;
    cudaStream_t stream_ = nullptr;
    bool owned_ = true;
    std::array<cudaEvent_t, ring> events_{};
    Ticket last_ = 0;
    bool recording_ = false;
    std::exception_ptr error_;
};

}  // namespace weft::core::WEFT_GPU_TARGET
