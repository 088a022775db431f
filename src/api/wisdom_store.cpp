#include "api/wisdom_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <utility>

#include "base/text.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

/// What this process knows by itself, and who may look at it.
struct OwnWisdom {
    std::mutex mutex{};
    core::Wisdom wisdom{};
};
OwnWisdom& own_wisdom() {
    static OwnWisdom own;
    return own;
}

constexpr const char* file_name = "/weft/wisdom.jsonl";

/// The folder that a variable names; paths that are not absolute are to be ignored.
std::string folder_of(const char* value) {
    return value != nullptr && value[0] == '/' ? value : "";
}

std::string user_file() {
    std::string folder = folder_of(std::getenv("XDG_DATA_HOME"));
    if (folder.empty()) {
        const std::string home = folder_of(std::getenv("HOME"));
        if (!home.empty()) folder = home + "/.local/share";
    }
    return folder.empty() ? "" : folder + file_name;
}

std::string system_file() {
    const char* value = std::getenv("XDG_DATA_DIRS");
    const bool given = value != nullptr && value[0] != '\0';
    std::istringstream folders(given ? value : "/usr/local/share:/usr/share");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string path = folder + file_name;
        if (!folder_of(folder.c_str()).empty() && ::access(path.c_str(), F_OK) == 0) return path;
    }
    return "";
}

/// The lines in which that text is.
std::string lines_about(const std::string& text, const std::string& about) {
    std::string result;
    for (std::size_t at = text.find(about); at != std::string::npos;) {
        const std::size_t before = text.rfind('\n', at);
        const std::size_t begin = before == std::string::npos ? 0 : before + 1;
        const std::size_t end = std::min(text.find('\n', at), text.size());
        result.append(text, begin, end - begin).append("\n");
        at = text.find(about, end);
    }
    return result;
}

void add_file(const std::string& path, const std::string& about, KnownWisdom& known) {
    if (path.empty()) return;
    try {
        const core::ReadWisdom read = core::read_wisdom(
            about.empty() ? read_text_file(path) : lines_about(read_text_file(path), about));
        merge(known.wisdom, read.wisdom);
        for (std::string& trouble : troubles_of(path, read.skipped)) {
            known.troubles.push_back(std::move(trouble));
        }
    } catch (const Error& error) {
        known.troubles.emplace_back(error.what());
    }
}

/// Replaces the wisdom of a file by what `change` makes of it.
void change_file(const std::string& path, core::FunctionRef<void(core::Wisdom&)> change,
                 double patience = lock_patience) {
    const auto changed = [&](const std::string& text) {
        core::Wisdom wisdom = core::read_wisdom(text).wisdom;
        change(wisdom);
        return to_text(wisdom);
    };
    try {
        change_text_file(path, changed, patience);
    } catch (const Error& error) {
        throw Error(error.code(),
                    fmt::format("{}; make it writable, or name another file of wisdom in "
                                "WEFT_WISDOM (empty: none)",
                                error.what()));
    }
}

}  // namespace

WisdomFiles wisdom_files() {
    const char* given = std::getenv("WEFT_WISDOM");
    if (given != nullptr) return {given, ""};
    return {user_file(), system_file()};
}

KnownWisdom known_wisdom(const std::string& about) {
    KnownWisdom known;
    {
        OwnWisdom& own = own_wisdom();
        const std::scoped_lock lock(own.mutex);
        known.wisdom = own.wisdom;
    }
    const WisdomFiles files = wisdom_files();
    add_file(files.user, about, known);
    add_file(files.system, about, known);
    return known;
}

std::vector<std::string> troubles_of(const std::string& path,
                                     const std::vector<core::SkippedLine>& skipped) {
    constexpr std::size_t most = 5;  // Of a file of something else every line is one.
    std::vector<std::string> result;
    for (const core::SkippedLine& line : skipped) {
        if (result.size() == most) {
            result.push_back(fmt::format("{}: {} more are skipped", path,
                                         core::number_of(skipped.size() - most, "line")));
            break;
        }
        result.push_back(fmt::format("{}, {}", path, to_string(line)));
    }
    return result;
}

int learn(const core::Wisdom& wisdom) {
    OwnWisdom& own = own_wisdom();
    const std::scoped_lock lock(own.mutex);
    return merge(own.wisdom, core::Wisdom{wisdom.entries, {}});
}

void remember(const core::WisdomEntry& entry, double patience) {
    core::Wisdom one;
    merge(one, entry);
    learn(one);
    const std::string path = wisdom_files().user;
    if (!path.empty()) merge_into_file(path, one, patience);
}

int merge_into_file(const std::string& path, const core::Wisdom& wisdom, double patience) {
    int taken = 0;
    change_file(
        path, [&](core::Wisdom& known) { taken = merge(known, wisdom); }, patience);
    return taken;
}

int forget_wisdom(const std::string& problem, const std::string& site) {
    core::Wisdom before;
    {
        OwnWisdom& own = own_wisdom();
        const std::scoped_lock lock(own.mutex);
        before = own.wisdom;
        forget(own.wisdom, problem, site);
    }
    const std::string path = wisdom_files().user;
    if (!path.empty() && !read_text_file(path).empty()) {
        change_file(path, [&](core::Wisdom& known) {
            merge(before, known);
            forget(known, problem, site);
        });
    }
    return forget(before, problem, site);
}

int forget_in_file(const std::string& path, const std::string& problem, const std::string& site,
                   bool foreign) {
    int forgotten = 0;
    change_file(path, [&](core::Wisdom& known) {
        forgotten = forget(known, problem, site);
        if (!foreign) return;
        forgotten += static_cast<int>(known.foreign.size());
        known.foreign.clear();
    });
    return forgotten;
}

}  // namespace weft
