#include "net/cross_memory.hpp"

#include <fmt/format.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/index.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// What the first line of a file of the kernel's that begins so goes on with; empty if none does.
std::string kernel_text(const char* file, const std::string& begin) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(begin)) return line.substr(begin.size());
    }
    return "";
}

/// Yama, a security module, lets only a parent read its children's memory, unless the reader may
/// trace any process.
bool yama_forbids() {
    const std::string scope = kernel_text("/proc/sys/kernel/yama/ptrace_scope", "");
    if (scope.empty() || scope == "0") return false;
    constexpr int may_trace = 19;  // CAP_SYS_PTRACE
    const std::string capabilities = kernel_text("/proc/self/status", "CapEff:");
    return capabilities.empty() || (std::stoull(capabilities, nullptr, 16) >> may_trace & 1U) == 0;
}

/// A container may forbid the call altogether, even on the process itself.
std::string refusal() {
    const std::byte from{1};
    std::byte to{0};
    try {
        read_memory(getpid(), &from, &to, 1);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

std::string why_no_cross_memory() {
    static const std::string refused = refusal();
    if (!refused.empty()) {
        return fmt::format(
            "{}; this system forbids it, as containers may (docker run "
            "--cap-add=SYS_PTRACE)",
            refused);
    }
    if (yama_forbids()) {
        return "Yama forbids processes to read each other's memory; as root, sysctl "
               "kernel.yama.ptrace_scope=0 lets them";
    }
    return "";
}

void read_memory(int process, const std::byte* address, std::byte* to, Index bytes) {
    // Linux reads at most 2 GiB at a time.
    for (Index done = 0; done < bytes;) {
        const auto left = usize(bytes - done);
        const iovec here = {to + done, left};
        const iovec there = {const_cast<std::byte*>(address) + done, left};
        const ssize_t read = process_vm_readv(process, &here, 1, &there, 1, 0);
        if (read <= 0) {
            throw Error(ErrorCode::system,
                        fmt::format("process_vm_readv failed: {}",
                                    read == 0 ? "process_vm_readv read nothing"
                                              : std::generic_category().message(errno)));
        }
        done += read;
    }
}

}  // namespace weft::core
