#include "testing/fake/trap.hpp"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is not in <csignal>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace weft::core {

namespace {

std::array<std::atomic<const FakeArena*>, 1024> watched{};
std::atomic<int> arenas = 0;  ///< that are watched
struct sigaction handler_before {};
// With this model it exists from the thread's start. With another, the first use of it in a thread
// may allocate it, which a signal handler must not do.
[[gnu::tls_model("initial-exec")]] thread_local const QueueLabel* queue_label = nullptr;

/// A line for stderr, made without anything that a signal handler may not do.
class SignalLine {
  public:
    void add(char one) {
        if (length_ < text_.size()) text_[length_++] = one;
    }
    void add(std::string_view text) {
        for (const char one : text) add(one);
    }
    void add(const SignalText& text) {
        text.each([&](char one) { add(one); });
    }
    void add(Index number) {
        if (number < 0) add('-');
        std::array<char, 20> digits{};
        std::size_t count = 0;
        for (; count == 0 || number != 0; number /= 10) {
            const auto digit = static_cast<int>(number % 10);
            digits[count++] = static_cast<char>('0' + (digit < 0 ? -digit : digit));
        }
        while (count != 0) add(digits[--count]);
    }
    void write() const {
        std::size_t written = 0;
        while (written < length_) {
            const ssize_t more = ::write(STDERR_FILENO, &text_[written], length_ - written);
            if (more <= 0) return;
            written += static_cast<std::size_t>(more);
        }
    }

  private:
    std::array<char, 512> text_{};
    std::size_t length_ = 0;
};

[[noreturn]] void end_process(const FakeArena& arena, const FakeArena::Found& found) {
    SignalLine line;
    line.add("weft: ");
    if (queue_label == nullptr) {
        line.add("the host touched device memory: ");
    } else {
        line.add("queue ");
        line.add(queue_label->name);
        line.add(found.reached ? " touched what is in no buffer: "
                               : " touched device memory without its view: ");
    }
    if (found.name == nullptr) {
        line.add("a byte that was never allocated");
    } else {
        line.add("byte ");
        line.add(found.offset);
        line.add(found.freed ? " of freed buffer " : " of buffer ");
        line.add(*found.name);
        line.add(" (");
        line.add(found.bytes);
        line.add(" bytes)");
    }
    line.add(queue_label == nullptr ? ", after step " : ", in step ");
    const SignalText& step = queue_label == nullptr ? arena.last_step : queue_label->step;
    line.add(step);
    if (step.empty()) line.add("none");
    line.add('\n');
    line.write();
    std::abort();
}

void pass_on(int signal, siginfo_t* info, void* context) {
    if ((handler_before.sa_flags & SA_SIGINFO) != 0) {
        handler_before.sa_sigaction(signal, info, context);
    } else if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN) {
        handler_before.sa_handler(signal);
    } else {
        // The access is made again when this returns, and ends the process as it would have.
        sigaction(SIGSEGV, &handler_before, nullptr);
    }
}

void on_fault(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    for (const auto& one : watched) {
        const FakeArena* arena = one;
        if (arena == nullptr) continue;
        if (const auto found = arena->find(info->si_addr)) end_process(*arena, *found);
    }
    errno = error;
    pass_on(signal, info, context);
}

/// Only called once. A handler that is installed later may hand faults on to this one; if this one
/// were then installed again before it, the two would call each other for ever.
void install() {
    sigaction(SIGSEGV, nullptr, &handler_before);
    struct sigaction ours {};
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace

bool watch(const FakeArena& arena) {
    static const bool installed = (install(), true);
    (void)installed;
    for (auto& one : watched) {
        const FakeArena* none = nullptr;
        if (!one.compare_exchange_strong(none, &arena)) continue;
        ++arenas;
        return true;
    }
    return false;
}

void unwatch(const FakeArena& arena) noexcept {
    for (auto& one : watched) {
        const FakeArena* own = &arena;
        if (!one.compare_exchange_strong(own, nullptr)) continue;
        --arenas;
        return;
    }
}

bool is_watched(const void* address) noexcept {
    if (arenas == 0) return false;
    return std::any_of(watched.begin(), watched.end(), [&](const auto& one) {
        const FakeArena* arena = one;
        return arena != nullptr && arena->owns(address);
    });
}

void set_queue_label(const QueueLabel* label) noexcept { queue_label = label; }

}  // namespace weft::core
