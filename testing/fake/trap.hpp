// What happens on an access to memory of a fake device that is not allowed: a message and an end.
#pragma once

#include "testing/fake/arena.hpp"
#include "testing/fake/signal_text.hpp"

namespace weft::core {

/// From now on accesses to what is not mapped in the arena end the process with a message on
/// stderr that names the buffer and the step. Installs a handler of SIGSEGV on the first call; it
/// hands any other address to the handler that was there before, a sanitizer's say. False if there
/// are as many arenas as it can know.
bool watch(const FakeArena& arena);
void unwatch(const FakeArena& arena) noexcept;
/// Whether the address is of memory that one of them has handed out.
bool is_watched(const void* address) noexcept;

/// What the thread of a queue is doing, for the message.
struct QueueLabel {
    SignalText name;
    SignalText step;
};
/// The calling thread is a queue's from now on, or, with null, no longer.
void set_queue_label(const QueueLabel* label) noexcept;

}  // namespace weft::core
