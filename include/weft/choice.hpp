// How a problem is to be solved: a point in the product of a few orthogonal choices.
//
// As text:  decomposition=pencil(2x4,01>02>12); via=alltoallv; pack=sender; engine=fftw; ...
// A partial text is a constraint; the text of a plan's choice is complete.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/box.hpp"

namespace weft {

/// Which process grid is used between the ends and which axes it cuts, move by move.
/// As text: `slab`, `pencil`, `cuts(3)` (how many axes are cut); `slab(8)`, `pencil(2x4)`,
/// `grid(2x2x2)` (the grid too); `pencil(2x4,01>02>12)` (the path too: digit f of each word is the
/// axis that factor f of the grid cuts; b is the batch axis; `none` is an empty path); `single`
/// (one rank computes). A path leaves out an end whose distribution the problem gives.
struct Decomposition {
    std::optional<int> cuts{};  ///< how many axes are cut; unset: the planner chooses
    std::vector<int> grid{};    ///< factors of the rank count; empty: chosen
    /// path[s][f]: the axis that factor f cuts in state s, batch_axis for the batch; unset: chosen
    std::optional<std::vector<std::vector<int>>> path{};

    /// A problem's batch axis has the number of its dimensions, which a text alone does not tell.
    static constexpr int batch_axis = -1;

    bool operator==(const Decomposition&) const = default;
};

/// Where the permutation of a move happens ([ayala] contiguous or strided): sender: messages are
/// in the receiver's order of axes; receiver: in the sender's; datatype: inside MPI.
enum class Pack { automatic, sender, receiver, datatype };

/// Planning effort of the one-dimensional engine, by FFTW's names.
enum class Effort { automatic, estimate, measure, patient };

/// Empty and `automatic` members are left to the planner.
struct Choice {
    Decomposition decomposition{};
    std::string via{};  ///< exchange method of every move; `weft info` lists them
    std::map<int, std::string> via_of_move{};  ///< `via[1]=..`: of one move only
    Pack pack = Pack::automatic;
    std::string engine{};  ///< `native`, `fftw`, `mkl`, `reference`; `weft engines` measures them
    Effort effort = Effort::automatic;
    /// Of each rank; they share its local work. MPI is called by the calling thread only.
    int threads = 1;
    /// The most elements that one MPI count is trusted with; larger messages go in pieces.
    Index chunk = largest_chunk;

    static constexpr Index smallest_chunk = 2;
    static constexpr Index largest_chunk = 2147483647;
    static constexpr int most_threads = 1024;

    bool operator==(const Choice&) const = default;
};

/// Throws Error(bad_request) that quotes the offending value, if the choice is not well formed.
void validate(const Choice& choice);

std::string to_string(const Choice& choice);
std::string to_string(const Decomposition& decomposition);
std::string to_string(Pack pack);
std::string to_string(Effort effort);

/// Throws Error(bad_request) naming the word that is not understood.
Choice parse_choice(std::string_view text);
Decomposition parse_decomposition(std::string_view text);

}  // namespace weft
