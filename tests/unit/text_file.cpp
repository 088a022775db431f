// A file that many processes change at once, and all that can go wrong with files.
#include "api/text_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "api/wisdom_store.hpp"
#include "unit/wisdom_entries.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

namespace fs = std::filesystem;

/// A folder of this test's own.
class TextFile : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "weft-text-file-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path() const { return folder_ + "/some/wisdom.jsonl"; }
    [[nodiscard]] std::string folder() const { return folder_; }
    void write(const std::string& text) const {
        change_text_file(path(), [&](const std::string&) { return text; });
    }
    /// The files beside it, the lock included.
    [[nodiscard]] std::set<std::string> files() const {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(fs::path(path()).parent_path())) {
            names.insert(entry.path().filename());
        }
        return names;
    }

  private:
    std::string folder_;
};

void expect_failure(const std::function<void()>& work, const std::string& file,
                    const std::string& reason) {
    try {
        work();
        ADD_FAILURE() << "nothing failed; " << reason << " was expected";
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_EQ(error.code(), ErrorCode::system);
        EXPECT_NE(text.find(file), std::string::npos) << text;
        EXPECT_NE(text.find(reason), std::string::npos) << text;
    }
}

/// Runs `work` in a process of its own; whether it returned true.
bool in_child(const std::function<bool()>& work) {
    const pid_t child = fork();
    if (child == 0) _exit(work() ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(TextFile, HoldsWhatWasWritten) {
    EXPECT_EQ(read_text_file(path()), "");
    write("one\n");
    EXPECT_EQ(read_text_file(path()), "one\n");
    change_text_file(path(), [](const std::string& text) { return text + "two\n"; });
    EXPECT_EQ(read_text_file(path()), "one\ntwo\n");
    EXPECT_EQ(files(), (std::set<std::string>{"wisdom.jsonl", "wisdom.jsonl.lock"}));
}

TEST_F(TextFile, KeepsItsRightsAndItsLink) {
    write("one");
    ASSERT_EQ(chmod(path().c_str(), 0640), 0);
    const std::string link = folder() + "/link";
    fs::create_symlink("some/wisdom.jsonl", link);
    change_text_file(link, [](const std::string&) { return "two"; });
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(read_text_file(path()), "two");
    struct stat about {};
    ASSERT_EQ(stat(path().c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777U, 0640U);
}

TEST_F(TextFile, StaysAsItWasIfTheChangeThrows) {
    write("one");
    EXPECT_THROW(change_text_file(path(),
                                  [](const std::string&) -> std::string {
                                      throw Error(ErrorCode::bad_request, "no");
                                  }),
                 Error);
    EXPECT_EQ(read_text_file(path()), "one");
}

TEST_F(TextFile, SurvivesAProcessThatIsEndedWhileItWrites) {
    write("one");
    std::ofstream(path() + ".new") << "half of a te";
    write("two");
    EXPECT_EQ(read_text_file(path()), "two");
    EXPECT_FALSE(files().contains("wisdom.jsonl.new"));
}

TEST_F(TextFile, IsNoFolderAndNoDevice) {
    expect_failure([&] { (void)read_text_file(folder()); }, folder(), "directory");
    expect_failure([&] { (void)read_text_file("/dev/zero"); }, "/dev/zero", "no file");
    expect_failure([&] { change_text_file(folder(), [](const std::string&) { return ""; }); },
                   folder(), "directory");
    expect_failure([&] { change_text_file("/dev/full", [](const std::string&) { return ""; }); },
                   "/dev/full", "no file");
    // What is no file gets no lock beside it.
    for (const std::string& other : {folder(), std::string("/dev/full")}) {
        EXPECT_FALSE(fs::exists(other + ".lock"));
    }
    write("");
    expect_failure([&] { change_text_file(path() + "/x", [](const std::string&) { return ""; }); },
                   path(), "Not a directory");
}

// As on a full disk; without care SIGXFSZ would end the process.
TEST_F(TextFile, StaysAsItWasWhereThereIsNoRoom) {
    write("one");
    const bool fine = in_child([&] {
        rlimit limit{4096, 4096};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
        expect_failure([&] { write(std::string(100000, 'x')); }, path(), "File too large");
        // The signal is not left pending for later either.
        sigset_t pending;
        sigpending(&pending);
        return sigismember(&pending, SIGXFSZ) == 0 && read_text_file(path()) == "one" &&
               !files().contains("wisdom.jsonl.new") && !testing::Test::HasFailure();
    });
    EXPECT_TRUE(fine);
    EXPECT_EQ(read_text_file(path()), "one");
}

// Nothing holds root back, so the child is another user there.
TEST_F(TextFile, SaysThatItMayNotBeReadOrWritten) {
    write("one");
    ASSERT_EQ(chmod(folder().c_str(), 0755), 0);
    const auto as_another_user = [&](const std::function<void()>& work) {
        return in_child([&] {
            constexpr uid_t nobody = 65534;
            if (geteuid() == 0 && seteuid(nobody) != 0) return false;
            work();
            return !testing::Test::HasFailure();
        });
    };
    ASSERT_EQ(chmod(path().c_str(), 0), 0);
    EXPECT_TRUE(as_another_user([&] {
        expect_failure([&] { (void)read_text_file(path()); }, path(), "Permission denied");
    }));
    ASSERT_EQ(chmod(path().c_str(), 0644), 0);
    ASSERT_EQ(chmod((path() + ".lock").c_str(), 0444), 0);
    ASSERT_EQ(chmod(fs::path(path()).parent_path().c_str(), 0555), 0);
    EXPECT_TRUE(as_another_user([&] {
        expect_failure([&] { write("two"); }, path(), "Permission denied");
        EXPECT_EQ(read_text_file(path()), "one");
    }));
}

/// Changes a file that many others change meanwhile. On a busy machine their turns together can
/// take longer than one waits for the lock; then it is tried again.
template <class Change>
auto change_patiently(const Change& change) {
    for (;;) {
        try {
            return change();
        } catch (const Error& error) {
            const std::string text = error.what();
            if (text.find("was locked by another process") == std::string::npos) throw;
        }
    }
}

constexpr int processes = 20;

TEST_F(TextFile, ManyProcessesLoseNothing) {
    std::vector<pid_t> children;
    children.reserve(processes);
    for (int i = 0; i < processes; ++i) {
        children.push_back(fork());
        if (children.back() != 0) continue;
        bool fine = false;
        try {
            const auto entry = core::test::entry_of(fmt::format("c2c:f64:{}x8x8", i + 1));
            const auto merge = [&] {
                return merge_into_file(path(), core::test::wisdom_of({entry}));
            };
            fine = change_patiently(merge) == 1;
        } catch (const Error& error) {
            fmt::print(stderr, "{}\n", error.what());
        }
        _exit(fine ? 0 : 1);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        // A reader sees whole lines at any time.
        EXPECT_TRUE(core::read_wisdom(read_text_file(path())).skipped.empty());
    }
    EXPECT_EQ(core::read_wisdom(read_text_file(path())).wisdom.entries.size(), processes);
    EXPECT_EQ(files(), (std::set<std::string>{"wisdom.jsonl", "wisdom.jsonl.lock"}));
}

TEST_F(TextFile, ThreadsOfAProcessTakeTurnsToo) {
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            for (int turn = 0; turn < 5; ++turn) {
                change_patiently([&] {
                    change_text_file(path(), [](const std::string& text) { return text + "x"; });
                });
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(read_text_file(path()), std::string(40, 'x'));
}

}  // namespace

}  // namespace weft
