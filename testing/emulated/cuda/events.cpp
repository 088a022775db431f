#include <chrono>

#include "testing/emulated/cuda/context.hpp"
#include "testing/emulated/cuda/streams.hpp"

namespace weft::core::emulated {

namespace {

/// Work that notes when it runs, for that record of the event.
Closure note_time(const std::shared_ptr<Event>& event, std::uint64_t record) {
    return Closure([event, record](const DeviceView& /*view*/) {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        event->reached_time = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
        event->reached_record = record;
    });
}

Stream::Moment moment_of(Event& event) {
    const std::scoped_lock lock(event.mutex);
    return event.moment;
}

bool has_run(const Stream::Moment& moment) {
    const auto stream = moment.stream.lock();
    return stream == nullptr || stream->has_run(moment);
}

}  // namespace

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return with_device([&](Context& here) {
        if (event == nullptr || flags > (cudaEventBlockingSync | cudaEventDisableTiming)) {
            throw Thrown{cudaErrorInvalidValue};
        }
        *event = here.add_event((flags & cudaEventDisableTiming) == 0);
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return with_device([&](Context& here) { here.remove_event(event); }, true);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return with_device([&](Context& here) {
        const auto recorded = here.event(event);
        const auto chosen = here.stream_for_work(stream);
        const std::scoped_lock lock(recorded->mutex);
        ++recorded->records;
        if (recorded->timed && chosen->captured() == nullptr) {
            chosen->work(note_time(recorded, recorded->records), "event");
        }
        recorded->moment = chosen->now();
        recorded->recorded = true;
    });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return with_device([&](Context& here) {
        if (!has_run(moment_of(*here.event(event)))) throw Thrown{cudaErrorNotReady};
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const auto wait = [&](Context& here) {
        const Stream::Moment moment = moment_of(*here.event(event));
        if (const auto stream = moment.stream.lock()) stream->wait(moment);
    };
    return with_device(wait, true);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
    return with_device([&](Context& here) {
        if (milliseconds == nullptr) throw Thrown{cudaErrorInvalidValue};
        std::int64_t times[2] = {};
        int count = 0;
        for (const auto handle : {from, to}) {
            const auto event = here.event(handle);
            const std::scoped_lock lock(event->mutex);
            if (!event->timed || !event->recorded) throw Thrown{cudaErrorInvalidResourceHandle};
            if (event->reached_record != event->records) throw Thrown{cudaErrorNotReady};
            times[count++] = event->reached_time;
        }
        *milliseconds = static_cast<float>(static_cast<double>(times[1] - times[0]) * 1e-6);
    });
}

}  // namespace weft::core::emulated
