// Which folder of src/ may include which, as the build says and ARCHITECTURE.md draws, and where
// the headers of MPI, FFTW, MKL and CUDA may appear.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/devices.hpp"
#include "base/engines.hpp"
#include "exchange/via.hpp"

namespace weft::core {

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const Names value_folders = {"base", "geometry", "exchange", "plan", "program", "model", "tune"};

/// Public headers that include mpi.h; only who may include that may include these.
const Names mpi_headers = {"mpi.h", "weft/plan.hpp", "weft/weft.h", "weft/weft.hpp"};
const Names mpi_folders = {"net", "api"};
const Names fftw_folders = {"fft"};
const Names cuda_folders = {"memory", "device", "kernels", "net", "fft", "run"};

const fs::path& root() {
    static const fs::path path = WEFT_SOURCE_DIR;
    return path;
}

std::string content(const fs::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

using Arrows = std::map<std::string, Names>;

/// Adds what the folders of a file of CMake see: `weft_folder(exchange SEES base geometry FILES
/// ..)`.
void read_arrows(const std::string& cmake, Arrows& arrows) {
    const std::string call = "weft_folder(";
    std::istringstream lines(cmake);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(call)) continue;
        std::istringstream words(line.substr(call.size()));
        std::string word;
        words >> word;
        Names& seen = arrows[word];
        if (!(words >> word) || word != "SEES") continue;
        while (words >> word && word != "LINKS" && word != "FILES") seen.insert(word);
    }
}

/// The folders whose headers a folder may include, itself not listed.
const Arrows& arrows() {
    static const Arrows found = [] {
        Arrows result;
        for (const char* file : {"src/core.cmake", "src/CMakeLists.txt"}) {
            read_arrows(content(root() / file), result);
        }
        return result;
    }();
    return found;
}

bool leads(const std::string& from, const std::string& to, const Arrows& arrows) {
    return from == to || std::ranges::any_of(arrows.at(from), [&](const std::string& next) {
               return leads(next, to, arrows);
           });
}

/// Without those that a longer way implies, each as `exchange->geometry`.
Names reduced(const Arrows& arrows) {
    Names result;
    for (const auto& [folder, seen] : arrows) {
        for (const std::string& other : seen) {
            const bool implied = std::ranges::any_of(seen, [&](const std::string& between) {
                return between != other && leads(between, other, arrows);
            });
            if (!implied) result.insert(fmt::format("{}->{}", folder, other));
        }
    }
    return result;
}

/// The arrows of a picture by dot, which titles each `exchange&#45;&gt;geometry`.
Names drawn(const std::string& picture) {
    const std::string open = "<title>";
    const std::string arrow = "&#45;&gt;";
    Names result;
    std::istringstream lines(picture);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t middle = line.find(arrow);
        if (!line.starts_with(open) || middle == std::string::npos) continue;
        const std::size_t behind = middle + arrow.size();
        result.insert(fmt::format("{}->{}", line.substr(open.size(), middle - open.size()),
                                  line.substr(behind, line.find('<', behind) - behind)));
    }
    return result;
}

/// The header that a line includes; empty if it includes none.
std::string included(const std::string& line) {
    const std::string blank = " \t";
    const std::size_t hash = line.find_first_not_of(blank);
    if (hash == std::string::npos || line[hash] != '#') return "";
    const std::size_t word = line.find_first_not_of(blank, hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) return "";
    const std::size_t open = line.find_first_of("<\"", word);
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (open == std::string::npos || close == std::string::npos) return "";
    return line.substr(open + 1, close - open - 1);
}

std::vector<std::string> includes(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (std::string header = included(line); !header.empty()) {
            result.push_back(std::move(header));
        }
    }
    return result;
}

/// Why a file of that folder may not include the header; empty if it may.
std::string objection(const std::string& folder, const std::string& header) {
    if (mpi_headers.contains(header) && !mpi_folders.contains(folder)) {
        return header + " brings in mpi.h, which belongs to net and api";
    }
    const bool transposes = header == "fftw3-mpi.h" && folder == "net";
    if (header.starts_with("fftw3") && !fftw_folders.contains(folder) && !transposes) {
        return header + " belongs to fft";
    }
    if (header.starts_with("mkl") && folder != "fft") return header + " belongs to fft";
    const bool cuda = header.starts_with("cuda") || header.starts_with("cufft") ||
                      header.starts_with("nccl") || header.starts_with("rccl") ||
                      header.starts_with("hip");
    if (cuda && !cuda_folders.contains(folder)) return header + " belongs to effect folders";
    if (header.find('/') == std::string::npos) return "";
    if (header.starts_with("testing/"))
        return header + " is test equipment, which src knows nothing of";
    const std::string other = header.substr(0, header.find('/'));
    if (other == folder || !arrows().contains(other)) return "";
    if (arrows().at(folder).contains(other)) return "";
    return header + ": there is no arrow from " + other + " to " + folder;
}

std::vector<fs::path> sources(const fs::path& folder) {
    std::vector<fs::path> files;
    if (!fs::exists(folder)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const auto extension = entry.path().extension();
        const bool source = extension == ".cpp" || extension == ".hpp" || extension == ".h" ||
                            extension == ".cu" || extension == ".hip";
        if (source) files.push_back(entry.path());
    }
    return files;
}

/// The types that a file defines for other files to see, with their namespaces.
std::vector<std::string> shared_types(const std::string& text) {
    std::vector<std::string> result;
    std::vector<std::string> spaces;  // those that are open; empty: without a name
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind;
        std::string name;
        words >> kind >> name;
        if (kind == "inline" && name == "namespace") {
            kind = name;
            words >> name;
        }
        if (kind == "namespace" && line.ends_with('{')) {
            spaces.push_back(name == "{" ? "" : name);
        }
        const bool closes =
            line.starts_with("}  // ") && line.find("namespace") != std::string::npos;
        if (closes && !spaces.empty()) {
            spaces.pop_back();
        }
        if ((kind == "enum" && name == "class") || name.starts_with("[[")) words >> name;
        const bool type =
            line.starts_with("struct ") || line.starts_with("class ") || line.starts_with("enum ");
        const bool defined =
            line.find('{') != std::string::npos && name.find('<') == std::string::npos;
        const bool hidden = std::count(spaces.begin(), spaces.end(), "") != 0;
        if (!hidden && type && defined) {
            result.push_back(fmt::format("{}::{}", fmt::join(spaces, "::"), name));
        }
    }
    return result;
}

TEST(Layering, FoldersIncludeOnlyAlongTheArrows) {
    int files = 0;
    for (const auto& entry : fs::directory_iterator(root() / "src")) {
        if (!entry.is_directory()) continue;
        const std::string folder = entry.path().filename();
        if (!arrows().contains(folder)) {
            ADD_FAILURE() << "src/" << folder << " has no weft_folder(.. SEES ..) in src/*.cmake";
            continue;
        }
        for (const fs::path& file : sources(entry.path())) {
            ++files;
            for (const std::string& header : includes(content(file))) {
                EXPECT_EQ(objection(folder, header), "") << file;
            }
        }
    }
    EXPECT_GT(files, 50);
}

// docs/pictures/layering.py draws the targets of a build.
TEST(Layering, ThePictureIsOfTheTargets) {
    EXPECT_EQ(drawn(content(root() / "docs/pictures/layering.svg")), reduced(arrows()))
        << "draw it anew: docs/pictures/layering.py BUILD";
}

TEST(Layering, ReadsFoldersOfCMakeAndDropsImpliedArrows) {
    Arrows found;
    read_arrows(
        "weft_folder(a FILES a.cpp)\n# weft_folder(b SEES c)\nweft_folder(b SEES a FILES x)\n"
        "weft_folder(c SEES a b LINKS d\n  FILES y)\n",
        found);
    EXPECT_EQ(found, (Arrows{{"a", {}}, {"b", {"a"}}, {"c", {"a", "b"}}}));
    EXPECT_EQ(reduced(found), (Names{"b->a", "c->b"}));
    EXPECT_EQ(drawn("<title>a</title>\n<title>b&#45;&gt;a</title>\n"), Names{"b->a"});
}

/// Whether the text has the word, of letters, by itself: `fake_device` and `a fake` have `fake`.
bool says(const std::string& text, const std::string& word) {
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool begins = at == 0 || !is_letter(text[at - 1]);
        if (begins && (end == text.size() || !is_letter(text[end]))) return true;
    }
    return false;
}

// Test equipment is in testing/, and a device that is added there touches no file of src.
TEST(Layering, NothingInSrcNamesTestEquipment) {
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root() / "src")) {
        if (!entry.is_regular_file()) continue;
        ++files;
        const std::string text = content(entry.path());
        EXPECT_EQ(text.find("testing/"), std::string::npos) << entry.path();
        for (const char* device : {"fake", "emulated", "FAKE", "EMULATED"}) {
            EXPECT_FALSE(says(text, device)) << entry.path() << " names " << device;
        }
    }
    EXPECT_GT(files, 300);
    EXPECT_TRUE(says("a fake_device", "fake"));
    EXPECT_FALSE(says("fakes, unfake", "fake"));
}

TEST(Layering, PublicHeadersNeedNothingButMpi) {
    for (const fs::path& file : sources(root() / "include")) {
        const std::string name = file.filename();
        for (const std::string& header : includes(content(file))) {
            const bool inside = header.find('/') != std::string::npos;
            EXPECT_TRUE(!inside || header.starts_with("weft/")) << file << " includes " << header;
            if (header == "mpi.h") {
                EXPECT_TRUE(name == "plan.hpp" || name == "weft.h") << file;
            }
            EXPECT_FALSE(header.starts_with("fftw3") || header.starts_with("cuda")) << file;
        }
    }
}

TEST(Layering, TheCHeaderIncludesOnlyC) {
    const auto headers = includes(content(root() / "include/weft/weft.h"));
    EXPECT_EQ(Names(headers.begin(), headers.end()),
              (Names{"mpi.h", "stddef.h", "stdint.h", "weft/methods.def"}));
}

/// A transport that the code names by its id, or a literal that is the name of a method, an engine
/// or a device; empty if there is none.
std::string named_in(const std::string& text) {
    const std::string code = std::regex_replace(text, std::regex("//.*"), "");
    std::smatch found;
    if (std::regex_search(code, found, std::regex(R"(TransportId::[a-z]\w*)"))) return found.str();
    Names names;
    for (const Transport& one : transports()) names.emplace(one.name);
    for (const Method& one : methods()) names.emplace(one.name);
    for (const EngineTraits& one : engine_table) names.emplace(one.name);
    for (const DeviceEngineTraits& one : known_device_engines()) names.emplace(one.engine.name);
    for (const DeviceInfo& one : known_devices()) names.emplace(one.name);
    for (const std::string& name : names) {
        if (code.find(fmt::format("\"{}\"", name)) != std::string::npos) return name;
    }
    return "";
}

// A new row needs no change there: the tables say what a method, an engine or a device can do.
TEST(Layering, PlansModelsAndTuningReadTraitsNotNames) {
    int files = 0;
    for (const char* folder : {"geometry", "plan", "program", "model", "tune", "run"}) {
        for (const fs::path& file : sources(root() / "src" / folder)) {
            ++files;
            EXPECT_EQ(named_in(content(file)), "") << file;
        }
    }
    EXPECT_GT(files, 80);
    EXPECT_EQ(named_in("if (name == \"kway\")"), "kway");
    EXPECT_EQ(named_in("case TransportId::p2p:"), "TransportId::p2p");
    EXPECT_EQ(named_in("engine == \"fftw\""), "fftw");
    EXPECT_EQ(named_in("via=kway TransportId transport;  // \"fftw\""), "");
}

// The oracle of programs gets them from lower() and asks nothing of how they are made. The product's
// executor goes through them.
TEST(Layering, TheShadowMachineKnowsOnlyPlansAndPrograms) {
    const Names allowed = {"plan/plan.hpp", "program/lower.hpp", "program/program.hpp",
                           "run/executor.hpp"};
    int files = 0;
    for (const fs::path& file : sources(root() / "tests/property")) {
        if (!file.filename().string().starts_with("shadow_")) continue;
        ++files;
        for (const std::string& header : includes(content(file))) {
            const std::string folder = header.substr(0, header.find('/'));
            const bool asks = folder == "plan" || folder == "program" || folder == "run";
            EXPECT_TRUE(!asks || allowed.contains(header)) << file << " includes " << header;
        }
    }
    EXPECT_GE(files, 3);
}

/// Lines that read or alter a member of a Space.
std::vector<std::string> uses_of_space(const std::string& text) {
    static const std::regex use(R"(\bspace(\.|->)(device|travel|piece|memory|share)\b|\bSpace& )");
    std::vector<std::string> result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_search(line, use)) result.push_back(line);
    }
    return result;
}

// Where ranks compute is asked of placements.
TEST(Layering, OnlyTextsAndPlacementsReadSpaces) {
    const Names allowed = {"choice.hpp", "choice_text.cpp", "placement.cpp", "space_text.cpp"};
    int uses = 0;
    for (const fs::path& file : sources(root() / "src")) {
        const std::vector<std::string> found = uses_of_space(content(file));
        const bool may =
            file.parent_path().filename() == "plan" && allowed.contains(file.filename().string());
        if (may) {
            uses += static_cast<int>(found.size());
        } else if (!found.empty()) {
            ADD_FAILURE() << file << ": " << found.front() << "; ask plan.placement(rank)";
        }
    }
    EXPECT_GT(uses, 10);
}

TEST(Layering, SeesUsesOfSpaces) {
    EXPECT_EQ(uses_of_space("if (choice.space.device.empty())\nspace->travel = x;\nspace = y;\n"
                            "buffer.space == MemorySpace::host\nvoid f(const Space& asked);\n")
                  .size(),
              3U);
}

TEST(Layering, FilesStayShort) {
    for (const char* folder : {"src", "testing", "tools", "cli", "include", "fftw"}) {
        for (const fs::path& file : sources(root() / folder)) {
            const std::string text = content(file);
            EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 500) << file;
        }
    }
}

// The linker keeps one of two types of one name, without a word: std::vector of the other then
// takes its elements for as large as this one's.
TEST(Layering, NoTwoFilesDefineOneType) {
    std::map<std::string, fs::path> seen;
    for (const char* folder : {"src", "testing", "tools", "cli", "include", "fftw"}) {
        for (const fs::path& file : sources(root() / folder)) {
            for (const std::string& type : shared_types(content(file))) {
                const auto [other, fresh] = seen.emplace(type, file);
                EXPECT_TRUE(fresh) << type << " is in " << file << " and in " << other->second;
            }
        }
    }
    EXPECT_GT(seen.size(), 100U);
}

TEST(Layering, SeesTypesThatOthersSee) {
    EXPECT_EQ(shared_types("namespace a {\nstruct B;\nenum class C : int { d };\nnamespace {\n"
                           "struct Own {\n};\n}  // namespace\nclass D : E {\n"
                           "template <>\nstruct F<int> {\n"
                           "inline namespace g {\nstruct H {\nnamespace detail {\nstruct I {\n"
                           "}  // namespace detail\nstruct J {\n"),
              (std::vector<std::string>{"a::C", "a::D", "a::g::H", "a::g::detail::I", "a::g::J"}));
}

// The scan itself finds what it is meant to find.
TEST(Layering, ObjectsToWhatGoesAgainstTheArrows) {
    for (const std::string& folder : value_folders) {
        for (const char* header :
             {"mpi.h", "fftw3.h", "cuda_runtime.h", "cufft.h", "nccl.h", "weft/plan.hpp",
              "weft/weft.h", "weft/weft.hpp", "memory/buffer.hpp", "device/device.hpp",
              "kernels/copy.hpp", "net/net.hpp", "fft/engine.hpp", "run/executor.hpp",
              "api/state.hpp"}) {
            EXPECT_NE(objection(folder, header), "") << folder << " " << header;
        }
    }
    EXPECT_NE(objection("base", "geometry/layout.hpp"), "");
    EXPECT_NE(objection("plan", "program/lower.hpp"), "");
    EXPECT_NE(objection("kernels", "geometry/layout.hpp"), "");
    EXPECT_NE(objection("net", "exchange/transfers.hpp"), "");
    EXPECT_NE(objection("device", "net/net.hpp"), "");
    EXPECT_NE(objection("device", "mpi.h"), "");
    EXPECT_NE(objection("run", "api/state.hpp"), "");
    EXPECT_NE(objection("run", "mpi.h"), "");
    EXPECT_NE(objection("net", "fftw3.h"), "");
    EXPECT_EQ(objection("net", "fftw3-mpi.h"), "");
    EXPECT_NE(objection("run", "mkl_dfti.h"), "");
    EXPECT_EQ(objection("fft", "mkl_dfti.h"), "");
    EXPECT_EQ(objection("plan", "weft/problem.hpp"), "");
    EXPECT_EQ(objection("plan", "geometry/layout.hpp"), "");
    EXPECT_EQ(objection("plan", "vector"), "");
    EXPECT_EQ(objection("net", "mpi.h"), "");
    EXPECT_EQ(objection("fft", "fftw3.h"), "");
    EXPECT_EQ(objection("device", "cuda_runtime.h"), "");
    EXPECT_EQ(objection("run", "device/device.hpp"), "");
    EXPECT_NE(objection("fft", "testing/emulated/cuda/runtime.hpp"), "");
    EXPECT_EQ(objection("api", "weft/plan.hpp"), "");
    EXPECT_NE(objection("net", "testing/net/local.hpp"), "");
}

TEST(Layering, ReadsIncludesHoweverTheyAreWritten) {
    EXPECT_EQ(includes("#include <mpi.h>\n  # include \"a/b.hpp\" // why\n// #include <no>\nx\n"),
              (std::vector<std::string>{"mpi.h", "a/b.hpp"}));
}

}  // namespace

}  // namespace weft::core
