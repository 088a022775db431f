#include "testing/emulated/cuda/memory.hpp"

#include <unistd.h>

#include <cstring>
#include <string>

#include "testing/emulated/cuda/context.hpp"
#include "testing/fake/fake.hpp"
#include "weft/error.hpp"

namespace weft::core::emulated {

namespace {

/// Allocates and keeps it.
void* add_memory(Context& here, std::size_t bytes, bool on_device) {
    const std::scoped_lock lock(here.mutex);
    const auto most = static_cast<std::size_t>(here.options.memory);
    if (on_device && bytes > most - here.device_bytes) throw Thrown{cudaErrorMemoryAllocation};
    Allocation added;
    added.bytes = bytes;
    added.on_device = on_device;
    try {
        const auto size = static_cast<Index>(bytes);
        added.memory = on_device
                           ? here.device->allocate(
                                 size, "cudaMalloc " + std::to_string(here.device_allocations + 1))
                           : here.device->allocate_pinned(size);
    } catch (const Error&) {
        throw Thrown{cudaErrorMemoryAllocation};
    }
    if (on_device) {
        here.device_bytes += bytes;
        ++here.device_allocations;
    }
    void* address = added.memory->data();
    here.allocations[reinterpret_cast<std::uintptr_t>(address)] = std::move(added);
    return address;
}

/// Throws `unknown` unless memory of that kind begins there.
void remove_memory(Context& here, const void* address, bool on_device, bool owned,
                   cudaError_t unknown) {
    const std::scoped_lock lock(here.mutex);
    const auto found = here.allocations.find(reinterpret_cast<std::uintptr_t>(address));
    if (found == here.allocations.end() || found->second.on_device != on_device ||
        (found->second.memory != nullptr) != owned) {
        throw Thrown{unknown};
    }
    if (found->second.opened) throw Thrown{unknown};
    if (on_device) here.device_bytes -= found->second.bytes;
    here.allocations.erase(found);
}

bool overlaps_known(Context& here, std::uintptr_t begin, std::size_t bytes) {
    const auto after = here.allocations.lower_bound(begin);
    if (after != here.allocations.end() && after->first - begin < bytes) return true;
    std::uintptr_t other = 0;
    const auto* first = reinterpret_cast<const void*>(begin);  // NOLINT(performance-no-int-to-ptr)
    return here.find(first, other) != nullptr;
}

}  // namespace

cudaError_t cudaMalloc(void** address, std::size_t bytes) {
    return with_device([&](Context& here) {
        if (address == nullptr) throw Thrown{cudaErrorInvalidValue};
        *address = nullptr;
        here.require_no_capture();
        if (bytes != 0) *address = add_memory(here, bytes, true);
    });
}

// After an error too, so that nothing leaks.
cudaError_t cudaFree(void* address) {
    const auto free = [&](Context& here) {
        here.require_no_capture();
        if (address != nullptr) remove_memory(here, address, true, true, cudaErrorInvalidValue);
    };
    return with_device(free, true);
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* address) {
    return with_device([&](Context& here) {
        const std::scoped_lock lock(here.mutex);
        const auto found = here.allocations.find(reinterpret_cast<std::uintptr_t>(address));
        const bool known = found != here.allocations.end() && found->second.on_device;
        if (handle == nullptr || !known || found->second.opened)
            throw Thrown{cudaErrorInvalidValue};
        try {
            const DeviceHandle made = here.device->handle_of(*found->second.memory);
            static_assert(sizeof(FakeHandle) <= sizeof(handle->reserved));
            std::memcpy(handle->reserved, made.bytes.data(), sizeof(handle->reserved));
        } catch (const Error&) {
            throw Thrown{cudaErrorNotSupported};
        }
    });
}

cudaError_t cudaIpcOpenMemHandle(void** address, cudaIpcMemHandle_t handle, unsigned flags) {
    return with_device([&](Context& here) {
        if (address == nullptr || flags != cudaIpcMemLazyEnablePeerAccess) {
            throw Thrown{cudaErrorInvalidValue};
        }
        DeviceHandle received;
        std::memcpy(received.bytes.data(), handle.reserved, sizeof(handle.reserved));
        const FakeHandle fake = fake_handle(received);
        if (fake.piece.process == getpid()) throw Thrown{cudaErrorInvalidResourceHandle};
        Allocation added;
        added.bytes = static_cast<std::size_t>(fake.bytes);
        added.on_device = added.opened = true;
        const std::scoped_lock lock(here.mutex);
        try {
            added.memory = here.device->open(received, fake.bytes);
        } catch (const Error&) {
            throw Thrown{cudaErrorInvalidResourceHandle};
        }
        *address = added.memory->data();
        here.allocations[reinterpret_cast<std::uintptr_t>(*address)] = std::move(added);
    });
}

// After an error too, so that nothing leaks.
cudaError_t cudaIpcCloseMemHandle(void* address) {
    const auto close = [&](Context& here) {
        const std::scoped_lock lock(here.mutex);
        const auto found = here.allocations.find(reinterpret_cast<std::uintptr_t>(address));
        if (found == here.allocations.end() || !found->second.opened) {
            throw Thrown{cudaErrorInvalidValue};
        }
        here.allocations.erase(found);
    };
    return with_device(close, true);
}

cudaError_t cudaMallocHost(void** address, std::size_t bytes) {
    return cudaHostAlloc(address, bytes, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void** address, std::size_t bytes, unsigned flags) {
    return with_device([&](Context& here) {
        if (address == nullptr || flags > 7) throw Thrown{cudaErrorInvalidValue};
        *address = nullptr;
        here.require_no_capture();
        if (bytes != 0) *address = add_memory(here, bytes, false);
    });
}

cudaError_t cudaFreeHost(void* address) {
    const auto free = [&](Context& here) {
        here.require_no_capture();
        if (address != nullptr) remove_memory(here, address, false, true, cudaErrorInvalidValue);
    };
    return with_device(free, true);
}

cudaError_t cudaHostRegister(void* address, std::size_t bytes, unsigned flags) {
    return with_device([&](Context& here) {
        if (address == nullptr || bytes == 0 || flags > 15 || here.device->owns(address)) {
            throw Thrown{cudaErrorInvalidValue};
        }
        const auto begin = reinterpret_cast<std::uintptr_t>(address);
        const std::scoped_lock lock(here.mutex);
        if (overlaps_known(here, begin, bytes)) throw Thrown{cudaErrorHostMemoryAlreadyRegistered};
        Allocation& added = here.allocations[begin];
        added.bytes = bytes;
    });
}

cudaError_t cudaHostUnregister(void* address) {
    const auto forget = [&](Context& here) {
        if (address == nullptr) throw Thrown{cudaErrorInvalidValue};
        remove_memory(here, address, false, false, cudaErrorHostMemoryNotRegistered);
    };
    return with_device(forget, true);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
    return with_device([&](Context& here) {
        if (attributes == nullptr) throw Thrown{cudaErrorInvalidValue};
        void* const open = const_cast<void*>(address);
        const std::scoped_lock lock(here.mutex);
        std::uintptr_t begin = 0;
        const Allocation* found = here.find(address, begin);
        if (found == nullptr) {
            *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, open};
        } else if (found->on_device) {
            *attributes = {cudaMemoryTypeDevice, 0, open, nullptr};
        } else {
            *attributes = {cudaMemoryTypeHost, 0, open, open};
        }
    });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return with_device([&](Context& here) {
        if (free == nullptr || total == nullptr) throw Thrown{cudaErrorInvalidValue};
        const std::scoped_lock lock(here.mutex);
        *total = static_cast<std::size_t>(here.options.memory);
        *free = *total - here.device_bytes;
    });
}

bool mpi_may_reach() { return context().device->mpi_reaches(); }

std::byte* as_mpi_reaches(std::byte* address) { return context().device->for_mpi(address); }

}  // namespace weft::core::emulated
