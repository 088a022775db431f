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

#pragma GCC visibility push(default)

namespace weft {

/// Which process grid is used between the ends and which axes it cuts, for each redistribution.
/// As text: `slab`, `pencil`, `cuts(3)` (how many axes are cut); `slab(8)`, `pencil(2x4)`,
/// `grid(2x2x2)` (the grid too); `pencil(2x4,01>02>12)` (the path too: digit f of each word is the
/// axis that factor f of the grid cuts; b is the batch axis; `none` is an empty path); `single`
/// (one rank computes). A path leaves out an end whose distribution the problem gives.
/// Instead of a process grid: `row-wise`, `row-wise(012>201>210)` (the array is rows in the
/// lexicographic order of each word's axes, dealt to the ranks in consecutive shares, [duy]).
/// `least-volume`: whichever of all these moves the least data.
struct Decomposition {
    std::optional<int> cuts{};  ///< how many axes are cut; unset: the planner chooses
    std::vector<int> grid{};    ///< factors of the rank count; empty: chosen
    /// path[s][f]: the axis that factor f cuts in state s, batch_axis for the batch; row-wise:
    /// path[s] is the order of all axes but the batch; unset: chosen
    std::optional<std::vector<std::vector<int>>> path{};
    bool row_wise = false;      ///< without cuts and grid
    bool least_volume = false;  ///< without anything else: the planner chooses by volume

    /// A problem's batch axis has the number of its dimensions, which a text alone does not tell.
    static constexpr int batch_axis = -1;

    bool operator==(const Decomposition&) const = default;
};

/// By name: choice.decomposition = weft::decomposition::pencil.
namespace decomposition {
inline const Decomposition slab{1};
inline const Decomposition pencil{2};
inline const Decomposition row_wise{{}, {}, {}, true};
inline const Decomposition least_volume{{}, {}, {}, false, true};
}  // namespace decomposition

/// Where the permutation of a redistribution happens ([ayala] contiguous or strided): sender: messages are
/// in the receiver's order of axes; receiver: in the sender's; datatype: inside MPI; fft: redistributions
/// keep the order of axes, and transforms read lines that are strided; fused: transforms write
/// messages as they compute, in the receiver's order, and read them where they have landed.
enum class Pack { automatic, sender, receiver, datatype, fft, fused };

/// What carries the elements of a redistribution: messages; regions, which ranks of a node read in
/// each other's memory, with messages to other nodes; nothing (direct): the transform beside the
/// redistribution reads or writes the caller's arrays of other ranks, which weft::allocate exposes.
enum class Carrier { automatic, messages, region, direct };

/// How messages leave the memory of a device: direct, MPI reaches it ("GPU-aware"); staged, they go
/// by the host's memory; automatic: direct where MPI says that it can.
enum class Travel { automatic, direct, staged };

/// The ranks that compute on a device where others compute on the host. As text:
/// `share:1of4,weight:3`.
struct Share {
    int devices = 0;  ///< the first so many of each `ranks` ranks of the communicator
    int ranks = 0;    ///< 0: all ranks compute on a device
    /// Layouts that the planner chooses give them so many times as many elements as each other
    /// rank. As text, `weight:auto` leaves it to the model, which proposes one for a described
    /// machine, and to tuning.
    Index weight = 1;

    static constexpr Index open_weight = 0;
    static constexpr Index most_weight = 1000;

    bool operator==(const Share&) const = default;
};

/// Where a transform is computed, and how its messages travel. As text: `host`, `cuda`,
/// `cuda(direct)`, `cuda(staged)`, `cuda(staged:65536)`, `cuda(memory:1073741824)`,
/// `cuda(memory:auto)`, `auto`; of the ranks that share a transform with the host's also
/// `cuda(share:1of4)`, `cuda(staged,share:1of4,weight:3)`.
struct Space {
    /// By its name in `weft info`; empty: the host; `auto`: the host or the device of the machine
    /// that is described (docs/model.md), whichever is predicted to be faster.
    std::string device{};
    Travel travel = Travel::automatic;
    /// Staged messages hop in pieces of about so many bytes, so that one is on its way to other
    /// ranks while the next leaves the device ([gholami] section 2); 0: each as a whole.
    Index piece = 0;
    /// Bytes of the device's memory that a rank may take. All values stay in the host's memory,
    /// from where messages leave; the lines of each transform go to the device piece by piece, one
    /// while the one before is transformed. 0: all values are on the device; open_memory, `auto`:
    /// 15/16 of what is free on the rank that has the least when the plan is made, divided by the
    /// ranks that share its device; the plan's text then has the bytes.
    Index memory = 0;
    Share share{};

    static constexpr Index open_memory = -1;

    bool operator==(const Space&) const = default;
};

/// Planning effort of the one-dimensional engine, by FFTW's names.
enum class Effort { automatic, estimate, measure, patient };

/// Who looks after the messages of tiles while a rank computes: the rank itself, between its
/// sub-tiles; a thread that each transform then has until it is destroyed, which needs
/// MPI_THREAD_MULTIPLE; nobody.
enum class TileProgress { poll, thread, none };

/// How a transform is cut into tiles, so that the messages of some travel while others are computed
/// ([song] Alg. 1-3, whose names stand in texts; there the axes are x, y and z, arrays are cut
/// along x, and tiles along z). Members that are not set get [song]'s default point (section 4.4).
/// As text: `(axis:2,T:16,W:2,Px:32,Pz:1,Uy:32,Uz:1,Fy:1,Fp:1,Fu:1,Fx:1,B:1,progress:poll,late)`,
/// any of them; `default`.
struct Tiling {
    /// Tiles are cut along that axis of the array, Decomposition::batch_axis for the batch. The
    /// stages that tiles go through are those around which the axis stays whole, or cut as it is: a
    /// redistribution that cuts it may be the first of them, one that makes it whole the last.
    std::optional<int> axis{};
    std::optional<Index> tile_extent{};  ///< T: elements of a tile along the axis, on each rank
    /// W: that travel while others are computed; 0: each is waited for.
    std::optional<Index> tiles_in_flight{};
    /// Sub-tiles, which stay in the cache while they are transformed and packed (P), unpacked and
    /// transformed (U): along the axis of the tiles (Pz, Uz), and along the slowest other one that
    /// is not transformed then (Px, Uy). Not with pack=fused, whose sub-tiles are the engine's.
    std::optional<Index> pack_block{};           ///< Pz
    std::optional<Index> pack_block_across{};    ///< Px
    std::optional<Index> unpack_block{};         ///< Uz
    std::optional<Index> unpack_block_across{};  ///< Uy
    /// How often a rank looks after the messages that travel while it transforms and packs a tile
    /// that is to be sent, unpacks and transforms one that has come: between its sub-tiles or,
    /// where these are fewer, between parts of them.
    std::optional<Index> polls_transforming{};   ///< Fy
    std::optional<Index> polls_packing{};        ///< Fp
    std::optional<Index> polls_unpacking{};      ///< Fu
    std::optional<Index> polls_finishing{};      ///< Fx
    TileProgress progress = TileProgress::poll;  ///< with others polls must be 0 or unset
    /// B: fields of a batch that go through all stages one after the other, each in tiles along
    /// the axis: so many at a time; unset: all together.
    std::optional<Index> fields_together{};
    /// What has come is unpacked and transformed when all has (Hoefler's scheme, [song] section 5).
    bool late = false;
    bool operator==(const Tiling&) const = default;
};

/// The numbers that messages carry. same: those of the arrays. f32: numbers of f64 arrays, rounded
/// to 24 bits. bf16: numbers of f32 arrays, rounded to 8 bits; they have the exponents of f32.
/// Messages then have half of the bytes, and each redistribution adds an error of 2^-24 (2^-8) of each number
/// that it sends in messages. Memory that ranks of a node share holds numbers as the arrays have
/// them. Numbers beyond 3.4e38 become infinite.
enum class Wire { same, f32, bf16 };

/// How much is tried to find the fastest plan, by FFTW's names. none, estimate: nothing, the
/// planner chooses; measure, patient, exhaustive: whole transforms are timed, more and more of
/// them; frozen: nothing is timed, and the plan has to be known from earlier tuning.
enum class TuningEffort { none, estimate, measure, patient, exhaustive, frozen };

/// How what a choice leaves open is found by measuring (docs/tuning.md). All ranks take the same
/// plan, whose text is complete and needs no tuning. As text: `measure`,
/// `patient(limit:2,arrays:plain,forward:1,backward:0)`.
struct Tuning {
    TuningEffort effort = TuningEffort::none;
    /// Seconds, for all ranks together; a run that may take longer than what is left is not
    /// started. Unset: no limit; 0: nothing is run.
    std::optional<double> limit{};
    /// The machine that the planner predicts times for, and that measuring starts from: a name, or
    /// a file that `weft calibrate` has written (docs/model.md), of which rank 0's is read. Empty:
    /// a modest one that is assumed.
    std::string machine{};
    bool plain_arrays = false;  ///< the caller's arrays do not come from weft::allocate
    double forward = 1;         ///< how much the directions count; one of them may be 0
    double backward = 1;
    bool operator==(const Tuning&) const = default;
};

/// Empty and `automatic` members are left to the planner.
struct Choice {
    Decomposition decomposition{};
    /// The first so many ranks hold the data between the ends ([ayala] Alg. 1); 0: all of them.
    int shrink = 0;
    /// Exchange method of every redistribution; `weft methods` lists them. `auto`: all that can carry a redistribution
    /// are tried on it when the plan is made, and the fastest taken ([duy] section 3.2.3).
    std::string via{};
    std::map<int, std::string>
        via_of_redistribution{};  ///< `via[1]=..`: of one redistribution only
    Pack pack = Pack::automatic;
    /// What carries all redistributions (`carrier[1]=..`: one of them), in the direction that a
    /// text names. Left open it is chosen when arrays are bound, the last of messages, region,
    /// direct that is possible there; binding refuses what is not.
    Carrier carrier = Carrier::automatic;
    std::map<int, Carrier> carrier_of_redistribution{};
    /// Of all redistributions, which messages carry then. The planner and tuning never choose it.
    Wire wire = Wire::same;
    Space space{};
    /// `native`, `fftw`, `mkl`, `reference`; `weft engines` measures them. `auto`: whole transforms
    /// are timed by each when the plan is made, once, and the fastest is taken (docs/tuning.md).
    std::string engine{};
    Effort effort = Effort::automatic;
    /// Tiles; unset: none.
    std::optional<Tiling> tile{};
    /// Of each rank; they share its local work. MPI is called by the calling thread only.
    int threads = 1;
    /// The same bits on any number of ranks and threads, in any decomposition and layout, wherever
    /// arrays and the fields of a batch lie, on one instruction set (docs/tuning.md). engine=native
    /// on the host only.
    bool reproducible = false;
    /// The most elements that one MPI count is trusted with; larger messages go in pieces.
    Index chunk = largest_chunk;

    /// How the rest is found where a plan is made with a communicator. No plan's choice says it.
    Tuning tuning{};

    static constexpr Index smallest_chunk = 2;
    static constexpr Index largest_chunk = 2147483647;
    static constexpr int most_threads = 1024;

    bool operator==(const Choice&) const = default;
};

/// Throws Error(bad_request) that quotes the offending value, if the choice is not well formed.
void validate(const Choice& choice);

std::string to_string(const Choice& choice);
std::string to_string(const Decomposition& decomposition);
std::string to_string(const Tiling& tiling);
std::string to_string(Pack pack);
std::string to_string(Carrier carrier);
std::string to_string(Wire wire);
std::string to_string(Effort effort);
std::string to_string(const Space& space);
std::string to_string(TuningEffort effort);
std::string to_string(const Tuning& tuning);

/// Throws Error(bad_request) naming the word that is not understood.
Choice parse_choice(std::string_view text);
Decomposition parse_decomposition(std::string_view text);
Tiling parse_tiling(std::string_view text);
Space parse_space(std::string_view text);
Tuning parse_tuning(std::string_view text);

}  // namespace weft

#pragma GCC visibility pop
