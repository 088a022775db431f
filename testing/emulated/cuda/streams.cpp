#include "testing/emulated/cuda/streams.hpp"

#include "testing/emulated/cuda/context.hpp"
#include "testing/emulated/cuda/launch.hpp"

namespace weft::core::emulated {

namespace {

/// Throws for a captured stream, whose capture then is not valid: what is put into it does not run.
void require_not_captured(Stream& stream) {
    if (const auto capture = stream.captured()) {
        capture->invalidate();
        throw Thrown{cudaErrorStreamCaptureUnsupported};
    }
}

}  // namespace

cudaError_t put_work(cudaStream_t stream, const Closure& work, std::string_view step) {
    return with_device([&](Context& here) { here.stream_for_work(stream)->work(work, step); });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return with_device([&](Context& here) {
        if (stream == nullptr || flags > cudaStreamNonBlocking) throw Thrown{cudaErrorInvalidValue};
        *stream = here.add_stream(flags == cudaStreamDefault);
    });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int /*priority*/) {
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return with_device([&](Context& /*here*/) {
        if (least != nullptr) *least = 0;
        if (greatest != nullptr) *greatest = -5;
    });
}

// After an error too: the caller goes on to free what work refers to.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return with_device([&](Context& here) { here.remove_stream(stream); }, true);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const auto wait = [&](Context& here) {
        const auto chosen = here.stream_for_work(stream);
        require_not_captured(*chosen);
        chosen->wait(chosen->now());
    };
    return with_device(wait, true);
}

cudaError_t cudaDeviceSynchronize() {
    const auto wait = [](Context& here) {
        here.require_no_capture();
        here.synchronize();
    };
    return with_device(wait, true);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return with_device([&](Context& here) {
        const auto chosen = here.stream_for_work(stream);
        require_not_captured(*chosen);
        if (!chosen->has_run(chosen->now())) throw Thrown{cudaErrorNotReady};
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return with_device([&](Context& here) {
        if (flags != 0) throw Thrown{cudaErrorInvalidValue};
        const auto chosen = here.stream_for_work(stream);
        const auto awaited = here.event(event);
        const std::scoped_lock lock(awaited->mutex);
        if (awaited->recorded) chosen->wait_for(awaited->moment);
    });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* argument) {
    if (function == nullptr) {
        return with_device([](Context& /*here*/) { throw Thrown{cudaErrorInvalidValue}; });
    }
    const Closure call([=](const DeviceView& /*view*/) { function(argument); });
    return put_work(stream, call, "host function");
}

}  // namespace weft::core::emulated
