#include "api/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

#include "base/index.hpp"
#include "base/no_copy.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

namespace fs = std::filesystem;

/// Of a file or what comes through a pipe.
constexpr off_t most_bytes = off_t{256} << 20;

[[noreturn]] void fail(const std::string& path, const std::string& what,
                       const std::string& reason) {
    throw Error(ErrorCode::system, fmt::format("'{}' could not be {}: {}", path, what, reason));
}

[[noreturn]] void fail(const std::string& path, const std::string& what, int reason) {
    fail(path, what, std::generic_category().message(reason));
}

/// Closes what was opened.
class Descriptor : core::NoCopy {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ != -1) ::close(number_);
    }

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ != -1; }

  private:
    int number_;
};

/// Beyond the limit of files (ulimit -f) a write ends the process by SIGXFSZ, unless the thread
/// holds that signal back: then the write fails.
class WithoutFileSizeSignal : core::NoCopy {
  public:
    WithoutFileSizeSignal() {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    ~WithoutFileSizeSignal() {
        const timespec at_once{};
        if (sigismember(&before_, SIGXFSZ) == 0) sigtimedwait(&signal_, nullptr, &at_once);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

  private:
    sigset_t signal_{};
    sigset_t before_{};
};

/// Holds the lock of a file as long as it lives.
class FileLock {
  public:
    FileLock(const std::string& path, double patience)
        : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
        if (!file_.is_open()) fail(path, "opened", errno);
        constexpr double least = 0.1;
        const double seconds = std::clamp(patience, least, lock_patience);
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
            const int reason = errno;
            if (reason != EWOULDBLOCK && reason != EINTR) fail(path, "locked", reason);
            if (std::chrono::steady_clock::now() > end) {
                throw Error(ErrorCode::system,
                            fmt::format("'{}' was locked by another process for {:.1f} seconds",
                                        path, seconds));
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

  private:
    Descriptor file_;  ///< closing it gives the lock back
};

void require_file(const struct stat& about, const std::string& path, const char* what) {
    if (S_ISDIR(about.st_mode)) fail(path, what, EISDIR);
    if (!S_ISREG(about.st_mode)) fail(path, what, "Is a device or a socket, no file");
}

void write_all(int file, std::string_view text, const std::string& path) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail(path, "written", written == 0 ? ENOSPC : errno);
        text.remove_prefix(core::usize(written));
    }
}

/// Makes the change of a folder's entries last.
void sync_folder(const std::string& path) {
    const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.is_open()) (void)::fsync(folder.number());
}

/// Gives a new file the rights and, if this process may, the owner that the old one has.
void make_like(const Descriptor& file, const std::string& old) {
    struct stat about {};
    if (::stat(old.c_str(), &about) != 0) return;
    (void)!::fchown(file.number(), about.st_uid, about.st_gid);
    (void)::fchmod(file.number(), about.st_mode & 07777U);
}

/// Where several processes write the file, with its lock held: they would make the same new file.
void replace_file(const std::string& path, const std::string& text) {
    const std::string fresh = path + ".new";
    const WithoutFileSizeSignal held_back;
    ::unlink(fresh.c_str());  // left behind by a process that was ended
    const Descriptor file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.is_open()) fail(path, "written", errno);
    try {
        make_like(file, path);
        write_all(file.number(), text, path);
        if (::fsync(file.number()) != 0) fail(path, "written", errno);
        if (::rename(fresh.c_str(), path.c_str()) != 0) fail(path, "replaced", errno);
    } catch (...) {
        ::unlink(fresh.c_str());
        throw;
    }
    sync_folder(fs::path(path).parent_path());
}

/// The file itself where `path` is a symbolic link; absolute.
std::string resolved(const std::string& path) {
    std::error_code reason;
    const fs::path real = fs::weakly_canonical(fs::absolute(path, reason), reason);
    if (reason) fail(path, "found", reason.value());
    return real;
}

}  // namespace

std::string read_text_file(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.is_open() && errno == ENOENT) return "";
    struct stat about {};
    if (!file.is_open() || ::fstat(file.number(), &about) != 0) fail(path, "read", errno);
    require_file(about, path, "read");
    if (about.st_size > most_bytes) fail(path, "read", EFBIG);
    // Files of /proc say that they have no bytes: the end is where nothing more is read.
    constexpr std::size_t piece = 1 << 16;
    std::string text(core::usize(about.st_size) + 1, '\0');
    std::size_t end = 0;
    for (;;) {
        if (end == text.size()) text.resize(end + piece);
        const ssize_t got = ::read(file.number(), text.data() + end, text.size() - end);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path, "read", errno);
        if (got == 0) break;
        end += core::usize(got);
        if (end > core::usize(most_bytes)) fail(path, "read", EFBIG);
    }
    text.resize(end);
    return text;
}

std::string read_existing_text_file(const std::string& path) {
    std::error_code reason;
    const fs::file_status about = fs::status(path, reason);
    if (!fs::exists(about)) fail(path, "read", reason ? reason.value() : ENOENT);
    if (!fs::is_fifo(about)) return read_text_file(path);
    std::ifstream file(path);
    errno = 0;
    std::string text;
    std::array<char, 1 << 16> piece{};
    while (file.read(piece.data(), piece.size()) || file.gcount() > 0) {
        text.append(piece.data(), core::usize(file.gcount()));
        if (text.size() > core::usize(most_bytes)) fail(path, "read", EFBIG);
    }
    if (!file.eof()) fail(path, "read", errno);
    return text;
}

void replace_text_file(const std::string& path, const std::string& text) {
    replace_file(resolved(path), text);
}

void change_text_file(const std::string& path,
                      core::FunctionRef<std::string(const std::string&)> change, double patience) {
    const std::string real = resolved(path);
    // What is no file gets no lock beside it.
    struct stat about {};
    if (::stat(real.c_str(), &about) == 0) require_file(about, path, "written");
    std::error_code reason;
    fs::create_directories(fs::path(real).parent_path(), reason);
    if (reason) fail(path, "written", reason.value());
    const FileLock lock(real + ".lock", patience);
    replace_file(real, change(read_text_file(real)));
}

}  // namespace weft
