#include "papers.hpp"

#include <fmt/format.h>

#include <array>

#include "columns.hpp"

namespace weft::cli {

namespace {

struct Paper {
    std::string_view key;
    std::string_view title;
};

constexpr std::array<Paper, 5> papers = {{
    {"[ayala]",
     "Ayala, Tomov, Stoyanov, Haidar, Dongarra: Performance Analysis of Parallel FFT on Large "
     "Multi-GPU Systems"},
    {"[duy]", "Duy, Ozaki: Performance Tuning of a Parallel 3-D FFT Package OpenFFT"},
    {"[gholami]",
     "Gholami, Hill, Malhotra, Biros: AccFFT: A library for distributed-memory FFT on CPU and GPU "
     "architectures"},
    {"[schulz]", "Schulz: 3D FFT with 2D decomposition, 2008"},
    {"[song]",
     "Song, Hollingsworth: Designing and Auto-Tuning Parallel 3-D FFT for "
     "Computation-Communication Overlap, PPoPP 2014"},
}};

}  // namespace

std::string paper_keys(std::string_view text) {
    std::string result;
    for (const Paper& paper : papers) {
        if (text.find(paper.key) == std::string_view::npos) continue;
        result += fmt::format("{:<10} {}\n", paper.key, wrapped(paper.title, 11));
    }
    return result;
}

}  // namespace weft::cli
