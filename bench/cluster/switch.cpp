// A switch in user space for the hosts of a virtual cluster: links of a set rate, full duplex, and
// a constant latency, which the kernel's own switch has only with netem. `cluster vup` starts it.
//
// usage: cluster_switch SETTINGS NAMESPACE...
//
// Each network namespace gets an interface eth0, which is a port here. SETTINGS is a file with the
// rate in Mbit/s (0: no limit) and the latency in microseconds; SIGHUP has it read again. Once all
// ports are there, the program goes on in the background.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;
using std::chrono::nanoseconds;
using Bytes = std::vector<unsigned char>;
using Address = std::array<unsigned char, 6>;

/// Before each frame, what the kernel says about it (its virtio_net_hdr, whose header C++ cannot
/// read), so that frames of up to 64 KiB pass unsegmented.
constexpr int note_bytes = 10;
constexpr int ethernet_bytes = 14;
constexpr std::size_t longest_frame = std::size_t{128} << 10;
/// What a port keeps for a link that is busy; frames beyond are lost, as TCP expects.
constexpr std::size_t port_memory = std::size_t{16} << 20;
/// How far ahead of its link a sender may be: as far as this program may wake up late.
constexpr nanoseconds ahead = std::chrono::microseconds(200);

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

struct Settings {
    double nanoseconds_per_byte = 0;
    nanoseconds latency{0};

    explicit Settings(const std::string& path) {
        std::ifstream file(path);
        double megabits = 0;
        double microseconds = 0;
        if (!(file >> megabits >> microseconds)) {
            throw std::runtime_error(path + " does not hold a rate and a latency");
        }
        nanoseconds_per_byte = megabits > 0 ? 8e3 / megabits : 0;
        latency = nanoseconds(static_cast<std::int64_t>(1e3 * microseconds));
    }

    [[nodiscard]] nanoseconds on_link(std::size_t bytes) const {
        return nanoseconds(
            static_cast<std::int64_t>(nanoseconds_per_byte * static_cast<double>(bytes)));
    }
};

struct Frame {
    Time arrives;
    Bytes bytes;
};

struct Port {
    int file = -1;
    Time sender_free;    ///< when the link from the host has carried all that was read from it
    Time receiver_free;  ///< the same of the link to the host
    std::deque<Frame> queue;
    std::size_t queued_bytes = 0;
};

void enter(const std::string& network_namespace) {
    const int file = open(network_namespace.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 || setns(file, CLONE_NEWNET) != 0) fail(network_namespace);
    close(file);
}

/// An interface of the namespace that this process is in.
int open_interface() {
    const int file = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) fail("/dev/net/tun");
    ifreq request{};
    std::strncpy(request.ifr_name, "eth0", IFNAMSIZ - 1);
    request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
    if (ioctl(file, TUNSETIFF, &request) != 0) fail("an interface in a namespace");
    if (ioctl(file, TUNSETVNETHDRSZ, &note_bytes) != 0) fail("headers of an interface");
    constexpr unsigned offload = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6;
    if (ioctl(file, TUNSETOFFLOAD, offload) != 0) fail("long frames of an interface");
    return file;
}

class Switch {
  public:
    Switch(std::string settings, const std::vector<std::string>& namespaces)
        : path_(std::move(settings)), settings_(path_), ports_(namespaces.size()) {
        const char* home = "/proc/self/ns/net";
        const int file = open(home, O_RDONLY | O_CLOEXEC);
        if (file < 0) fail(home);
        for (std::size_t i = 0; i < namespaces.size(); ++i) {
            enter(namespaces[i]);
            ports_[i].file = open_interface();
        }
        if (setns(file, CLONE_NEWNET) != 0) fail(home);
        close(file);
    }

    void read_settings() { settings_ = Settings(path_); }

    /// Waits until something is to be done or a signal comes, and does it.
    void step(const sigset_t& signals) {
        Time now = Clock::now();
        const timespec most = until(next_event(now), now);
        std::vector<pollfd> wanted(ports_.size());
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            wanted[i] = {ports_[i].file, static_cast<short>(may_send(ports_[i], now) ? POLLIN : 0),
                         0};
        }
        if (ppoll(wanted.data(), wanted.size(), &most, &signals) < 0 && errno != EINTR) {
            fail("ppoll");
        }
        deliver();
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            if ((wanted[i].revents & POLLIN) != 0) receive(i);
        }
        deliver();
    }

  private:
    /// Whether the host's next frame is taken yet. Until then it stays where TCP sees it.
    static bool may_send(const Port& port, Time now) { return port.sender_free <= now + ahead; }

    /// When a frame arrives or a host may send again, a second at most.
    [[nodiscard]] Time next_event(Time now) const {
        Time next = now + std::chrono::seconds(1);
        for (const Port& port : ports_) {
            if (!port.queue.empty()) next = std::min(next, port.queue.front().arrives);
            if (!may_send(port, now)) next = std::min(next, port.sender_free - ahead);
        }
        return next;
    }

    static timespec until(Time then, Time now) {
        const auto wait = std::max(std::chrono::duration_cast<nanoseconds>(then - now).count(),
                                   nanoseconds::rep{0});
        return {wait / 1'000'000'000, wait % 1'000'000'000};
    }

    void deliver() {
        const Time now = Clock::now();
        for (Port& port : ports_) {
            while (!port.queue.empty() && port.queue.front().arrives <= now) {
                const Bytes& bytes = port.queue.front().bytes;
                // A host that cannot take it loses it, as it would from any link.
                [[maybe_unused]] const ssize_t written =
                    write(port.file, bytes.data(), bytes.size());
                port.queued_bytes -= bytes.size();
                port.queue.pop_front();
            }
        }
    }

    void receive(std::size_t from) {
        Port& port = ports_[from];
        while (may_send(port, Clock::now())) {
            const ssize_t length = read(port.file, buffer_.data(), buffer_.size());
            if (length < note_bytes + ethernet_bytes) return;
            forward(from, static_cast<std::size_t>(length));
        }
    }

    /// To the port of the frame's destination, if that has sent anything yet, or else to all
    /// others.
    void forward(std::size_t from, std::size_t length) {
        const auto* const ethernet = buffer_.data() + note_bytes;
        Address to{};
        Address source{};
        std::copy_n(ethernet, to.size(), to.begin());
        std::copy_n(ethernet + to.size(), source.size(), source.begin());
        port_of_[source] = from;

        Port& sender = ports_[from];
        const Time begin = std::max(sender.sender_free, Clock::now());
        sender.sender_free = begin + settings_.on_link(length - note_bytes);
        const auto known = port_of_.find(to);
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            const bool is_meant = known == port_of_.end() || known->second == i;
            if (i != from && is_meant) enqueue(ports_[i], begin + settings_.latency, length);
        }
    }

    /// Cut through: the last byte arrives so much later than the first as the link needs.
    void enqueue(Port& port, Time first_byte, std::size_t length) {
        if (port.queued_bytes + length > port_memory) return;
        const Time begin = std::max(port.receiver_free, first_byte);
        port.receiver_free = begin + settings_.on_link(length - note_bytes);
        port.queued_bytes += length;
        const auto* const data = buffer_.data();
        port.queue.push_back({port.receiver_free, Bytes(data, data + length)});
    }

    std::string path_;
    Settings settings_;
    std::vector<Port> ports_;
    std::map<Address, std::size_t> port_of_;
    Bytes buffer_ = Bytes(longest_frame);
};

volatile std::sig_atomic_t settings_changed = 0;

/// Signals as they are while the switch waits; otherwise SIGHUP stays pending.
sigset_t hear_changes() {
    struct sigaction action {};
    action.sa_handler = [](int) { settings_changed = 1; };
    if (sigaction(SIGHUP, &action, nullptr) != 0) fail("sigaction");
    sigset_t blocked;
    sigset_t waiting;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &blocked, &waiting) != 0) fail("sigprocmask");
    sigdelset(&waiting, SIGHUP);
    return waiting;
}

void run(const std::string& settings, const std::vector<std::string>& namespaces) {
    Switch all(settings, namespaces);
    const sigset_t signals = hear_changes();
    if (daemon(0, 0) != 0) fail("daemon");
    // Frames are due to the microsecond.
    prctl(PR_SET_TIMERSLACK, 1);
    for (;;) {
        if (settings_changed != 0) {
            settings_changed = 0;
            all.read_settings();
        }
        all.step(signals);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: cluster_switch SETTINGS NAMESPACE...\n");
        return 2;
    }
    try {
        run(argv[1], {argv + 2, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "cluster_switch: %s\n", error.what());
    }
    return 1;
}
