#include "outcome.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

#include "expect.hpp"

namespace weft::test {

Outcome outcome_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return {static_cast<int>(error.code()), error.what()};
    } catch (const std::exception& error) {
        return {-1, error.what()};
    }
    return {};
}

void expect_same(const Outcome& outcome, const std::string& what) {
    struct Plain {
        int code = 0;
        std::array<char, 2000> text{};
    };
    Plain mine{outcome.code, {}};
    std::strncpy(mine.text.data(), outcome.text.c_str(), mine.text.size() - 1);
    std::vector<Plain> all(static_cast<std::size_t>(world_size()));
    PMPI_Allgather(&mine, sizeof(mine), MPI_BYTE, all.data(), sizeof(mine), MPI_BYTE,
                   MPI_COMM_WORLD);
    EXPECT_NE(mine.code, -1) << what << ": " << outcome.text;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        EXPECT_TRUE(all[rank].code == mine.code && all[rank].text == mine.text)
            << what << ": rank " << world_rank() << " has " << mine.code << " '" << outcome.text
            << "', rank " << rank << " " << all[rank].code << " '" << all[rank].text.data() << "'";
    }
}

std::vector<std::string> shared_memory_files() {
    std::vector<std::string> files;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const std::size_t begin = line.find("/dev/shm/");
        if (begin != std::string::npos) files.push_back(line.substr(begin));
    }
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

}  // namespace weft::test
