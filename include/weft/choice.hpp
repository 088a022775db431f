// How a problem is solved: independent choices of decomposition, exchange method, engine and more.
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

/// The process grid between the ends, and the axes that it cuts between redistributions. As text:
/// `slab`, `pencil`, `cuts(3)` (how many axes are cut); `slab(8)`, `pencil(2x4)`, `grid(2x2x2)`
/// (the grid too); `pencil(2x4,01>02>12)` (the path too: digit f of each word is the axis that
/// factor f of the grid cuts; b is the batch axis; `none` is an empty path); `single` (one rank
/// computes). A path leaves out an end whose distribution the problem gives. Instead of a process
/// grid: `row-wise`, `row-wise(012>201>210)` (the array is rows in the lexicographic order of each
/// word's axes, dealt to the ranks in consecutive shares, [duy]). `least-volume`: the decomposition
/// that sends the least data.
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

/// Where a redistribution permutes axes ([ayala] contiguous or strided). sender: messages have the
/// receiver's order of axes. receiver: messages have the sender's order. datatype: MPI permutes.
/// fft: the order of axes stays, and transforms read strided lines. fused: transforms write
/// messages in the receiver's order while they compute, and read messages where they arrived.
enum class Pack { automatic, sender, receiver, datatype, fft, fused };

/// How the elements of a redistribution travel. messages: in messages. region: ranks of a node read
/// each other's regions, and other nodes get messages. direct: the transform before or after the
/// redistribution reads or writes the callers' arrays of other ranks, which weft::allocate exposes.
enum class Carrier { automatic, messages, region, direct };

/// How messages leave the memory of a device. direct: MPI reads that memory ("GPU-aware"). staged:
/// messages go by way of host memory. automatic: direct if MPI reports that it can.
enum class Travel { automatic, direct, staged };

/// The ranks that compute on a device while others compute on the host. As text:
/// `share:1of4,weight:3`.
struct Share {
    int devices = 0;  ///< ranks with a device, the first ones of each `ranks` ranks
    int ranks = 0;    ///< 0: all ranks compute on a device
    /// Elements of a rank with a device per element of a rank without one, in layouts that the
    /// planner chooses. As text, `weight:auto` leaves it to the model, which proposes a weight for
    /// a described machine, and to tuning.
    Index weight = 1;

    static constexpr Index open_weight = 0;
    static constexpr Index most_weight = 1000;

    bool operator==(const Share&) const = default;
};

/// Where a transform is computed, and how its messages travel. As text: `host`, `cuda`,
/// `cuda(direct)`, `cuda(staged)`, `cuda(staged:65536)`, `cuda(memory:1073741824)`,
/// `cuda(memory:auto)`, `auto`; with a device on some of the ranks only `cuda(share:1of4)`,
/// `cuda(staged,share:1of4,weight:3)`.
struct Space {
    /// Its name in `weft info`; empty: the host; `auto`: the host or the device of the described
    /// machine (docs/model.md), by predicted time.
    std::string device{};
    Travel travel = Travel::automatic;
    /// Approximate bytes of a piece of a staged message: one piece travels to other ranks while the
    /// next one leaves the device ([gholami] section 2). 0: whole messages.
    Index piece = 0;
    /// Bytes of the device's memory that a rank may use. All values then stay in host memory, from
    /// where messages leave, and the lines of each transform go to the device piece by piece, one
    /// piece while the one before is transformed. 0: all values are on the device. open_memory,
    /// `auto`: 15/16 of the free memory on the rank that has the least when the plan is made,
    /// divided by the number of ranks that share its device; the plan's text then has the bytes.
    Index memory = 0;
    Share share{};

    static constexpr Index open_memory = -1;

    bool operator==(const Space&) const = default;
};

/// Planning effort of the one-dimensional engine, by FFTW's names.
enum class Effort { automatic, estimate, measure, patient };

/// Who advances the messages of tiles while a rank computes. poll: the rank itself, between its
/// sub-tiles. thread: a thread of each transform, until it is destroyed, which needs
/// MPI_THREAD_MULTIPLE. none: nobody.
enum class TileProgress { poll, thread, none };

/// How a transform is cut into tiles, so that the messages of some travel while others are computed
/// ([song] Alg. 1-3, whose names stand in texts; there the axes are x, y and z, arrays are cut
/// along x, and tiles along z). Members that are not set get [song]'s default point (section 4.4).
/// As text: `(axis:2,T:16,W:2,Px:32,Pz:1,Uy:32,Uz:1,Fy:1,Fp:1,Fu:1,Fx:1,B:1,progress:poll,late,strict)`,
/// any of them; `default`.
struct Tiling {
    /// The axis of the array along which tiles are cut; Decomposition::batch_axis: the batch. Tiles
    /// pass consecutive stages that leave each rank's part of the axis unchanged. The first of
    /// these may be a redistribution that cuts the axis, the last one a redistribution that makes
    /// it whole.
    std::optional<int> axis{};
    std::optional<Index> tile_extent{};  ///< T: elements of a tile along the axis, on each rank
    /// W: tiles that travel while another one is computed; 0: no overlap.
    std::optional<Index> tiles_in_flight{};
    /// Sub-tiles, which stay in the cache while they are transformed and packed (P), unpacked and
    /// transformed (U): along the axis of the tiles (Pz, Uz), and along the slowest other one that
    /// is not transformed then (Px, Uy). Not with pack=fused, whose sub-tiles are the engine's.
    std::optional<Index> pack_block{};           ///< Pz
    std::optional<Index> pack_block_across{};    ///< Px
    std::optional<Index> unpack_block{};         ///< Uz
    std::optional<Index> unpack_block_across{};  ///< Uy
    /// How often a rank advances messages in flight while it transforms (Fy) and packs (Fp) a tile
    /// to send, and unpacks (Fu) and transforms (Fx) a received one: between its sub-tiles or, if
    /// there are fewer, between parts of them.
    std::optional<Index> polls_transforming{};   ///< Fy
    std::optional<Index> polls_packing{};        ///< Fp
    std::optional<Index> polls_unpacking{};      ///< Fu
    std::optional<Index> polls_finishing{};      ///< Fx
    TileProgress progress = TileProgress::poll;  ///< with others polls must be 0 or unset
    /// B: how many fields of a batch pass the stages together, in tiles along the axis; unset: all
    /// fields.
    std::optional<Index> fields_together{};
    /// Tiles are unpacked and transformed only after all have arrived (Hoefler's scheme, [song]
    /// section 5).
    bool late = false;
    /// At most W tiles of an exchange travel, as in [song] Alg. 1: a tile's messages start once those
    /// of the tile W before it have arrived. Otherwise they start before that wait, and W + 1 travel.
    bool strict = false;
    bool operator==(const Tiling&) const = default;
};

/// The numbers that messages carry. same: those of the arrays. f32: numbers of f64 arrays, rounded
/// to 24 bits. bf16: numbers of f32 arrays, rounded to 8 bits; they have the exponents of f32.
/// Messages then have half of the bytes, and each redistribution adds a relative error of 2^-24
/// (2^-8) to each number in its messages. Memory that ranks of a node share holds numbers as the
/// arrays do. Numbers beyond 3.4e38 become infinite.
enum class Wire { same, f32, bf16 };

/// The effort to find the fastest plan, by FFTW's names. none, estimate: the planner chooses and
/// times nothing. measure, patient, exhaustive: whole transforms are timed, more and more of them.
/// frozen: nothing is timed, and the plan must be known from earlier tuning.
enum class TuningEffort { none, estimate, measure, patient, exhaustive, frozen };

/// How timing decides the open members of a choice (docs/tuning.md). All ranks get the same plan,
/// whose text is complete and needs no tuning. As text: `measure`,
/// `patient(limit:2,arrays:plain,forward:1,backward:0)`.
struct Tuning {
    TuningEffort effort = TuningEffort::none;
    /// Seconds, for all ranks together; a run that may take longer than the rest of it is not
    /// started. Unset: no limit; 0: nothing is run.
    std::optional<double> limit{};
    /// How often the plan is to run there and back: measuring ends where what may still be gained
    /// over so many runs is less than what finding it costs, and takes about an 80th of their
    /// time at most, one run at least. Unset: 1000 for `measure`, no bound for `patient` and `exhaustive`.
    std::optional<double> uses{};
    /// The machine of the predicted times with which measuring starts: a name, or a file of `weft
    /// calibrate` (docs/model.md) that rank 0 reads. Empty: an assumed, modest machine.
    std::string machine{};
    bool plain_arrays = false;  ///< the caller's arrays do not come from weft::allocate
    double forward = 1;         ///< how much the directions count; one of them may be 0
    double backward = 1;
    bool operator==(const Tuning&) const = default;
};

/// Empty and `automatic` members are left to the planner.
struct Choice {
    Decomposition decomposition{};
    /// How many ranks, the first ones, hold the data between the ends ([ayala] Alg. 1); 0: all.
    int shrink = 0;
    /// Exchange method of every redistribution; `weft methods` lists them. `auto`: all methods that
    /// can carry a redistribution are timed when the plan is made, and the fastest is used ([duy]
    /// section 3.2.3).
    std::string via{};
    std::map<int, std::string> via_of_redistribution{};  ///< `via[1]=..`: of one redistribution
    Pack pack = Pack::automatic;
    /// Carrier of all redistributions (`carrier[1]=..`: of one, counted forward). Binding arrays
    /// chooses an open carrier: direct if possible, else a region, else messages; it refuses a
    /// carrier that is not possible.
    Carrier carrier = Carrier::automatic;
    std::map<int, Carrier> carrier_of_redistribution{};
    /// Number format of the messages of all redistributions. The planner and tuning never choose
    /// it.
    Wire wire = Wire::same;
    Space space{};
    /// `native`, `fftw`, `mkl`, `reference`; `weft engines` measures them. `auto`: whole transforms
    /// are timed with each engine once, when the plan is made, and the fastest engine is used
    /// (docs/tuning.md).
    std::string engine{};
    Effort effort = Effort::automatic;
    /// Tiles; unset: none.
    std::optional<Tiling> tile{};
    /// Threads of each rank, which share its local work. Only the calling thread calls MPI.
    int threads = 1;
    /// Equal bits on any number of ranks and threads, in any decomposition and layout, at any
    /// address of arrays and place in a batch, on one instruction set (docs/tuning.md). Needs
    /// engine=native on the host.
    bool reproducible = false;
    /// The largest number of elements in one MPI count; larger messages are split.
    Index chunk = largest_chunk;

    /// How timing decides open members when a plan is made with a communicator. The choice of a
    /// plan has no tuning.
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
