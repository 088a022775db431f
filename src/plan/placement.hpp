// Where the ranks of a plan compute, resolved once: what `space=` and `engine=` of its choice say.
// A plan has one kind of ranks, or two, of which the first computes on a device and the second on
// the host ([gholami] section 4).
//
// Which ranks are of which kind follows from their numbers in the communicator, so that a plan's
// text says it and is the same on every rank, also where the plan is read elsewhere. Launchers
// number the ranks of a node one after the other, so that of nodes with 4 ranks `share:1of4` has
// one each on the device.
//
// Example: on 8 ranks, engine=cufft; space=cuda(share:1of4,weight:3): ranks 0 and 4 compute with
// cufft on cuda, the others with native on the host. A slab along an axis of 24 has 6, 2, 2, 2, 6,
// 2, 2, 2 elements of it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/devices.hpp"
#include "base/engines.hpp"
#include "base/topology.hpp"
#include "geometry/split.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft::core {

struct Plan;

/// Ranks `first` to `end` - 1 of each `period`.
struct RankSet {
    int first = 0;
    int end = 1;
    int period = 1;

    [[nodiscard]] bool contains(int rank) const {
        return rank % period >= first && rank % period < end;
    }
    /// How many of the ranks 0 to `ranks` - 1 are in the set.
    [[nodiscard]] int among(int ranks) const {
        return ranks / period * (end - first) + std::clamp(ranks % period - first, 0, end - first);
    }
};

/// Whose memory messages leave from and regions lie in.
enum class Reach {
    open,  ///< left to fuse(), or to the model
    host,  ///< the host's alone: of a device they are staged
    both,  ///< the host's, and the device's directly
};

/// Of the ranks of one kind.
struct Placement {
    RankSet ranks{};
    std::string device{};  ///< empty: the host
    std::string engine{};  ///< by its name
    EngineTraits traits{};
    bool own_engines = false;  ///< the device's engines compute, not the host's on the device
    MemorySpace values = MemorySpace::host;  ///< where arrays of the program lie
    Index memory = 0;  ///< bytes of the device's memory that a rank may take; 0: all;
                       ///< Space::open_memory: still to be asked of the devices
    Index piece = 0;   ///< bytes of staged messages that hop together; 0: all
    Reach reach = Reach::host;
    Index weight = 1;  ///< how much more each of these ranks owns than one of the host

    [[nodiscard]] bool on_device() const { return !device.empty(); }
    /// Whether transforms read and write what redistributions carry: the engine can, and all of a
    /// transform is where it works.
    [[nodiscard]] bool fuses() const { return traits.fuses && memory == 0; }
};

/// The placements of a plan or, before there is one, of a choice.
class Placements {
  public:
    Placements() : Placements(Space{}, "") {}
    explicit Placements(const Choice& choice) : Placements(choice.space, choice.engine) {}

    [[nodiscard]] const Placement& of(int rank) const {
        return first().ranks.contains(rank) ? first() : last();
    }
    /// Of rank 0: that of the device, if any rank computes on one.
    [[nodiscard]] const Placement& first() const { return first_; }
    /// That of the host, if any rank computes there.
    [[nodiscard]] const Placement& last() const { return last_ ? *last_ : first_; }
    /// Whether some rank computes on a device.
    [[nodiscard]] bool on_device() const { return first().on_device(); }
    /// Whether some ranks compute on a device and others on the host.
    [[nodiscard]] bool mixed() const { return last_.has_value(); }
    /// Whether the rank computes on the host beside those of a device.
    [[nodiscard]] bool beside_device(int rank) const { return mixed() && !of(rank).on_device(); }
    /// Whether it is left to the model which device, if any, or how much more its ranks own.
    [[nodiscard]] bool open_device() const;
    [[nodiscard]] bool open_weight() const;
    /// Whether the devices are to be asked how much of their memory a rank may take.
    [[nodiscard]] bool open_memory() const;

    /// How many of so many ranks compute on the device.
    [[nodiscard]] int device_ranks(int ranks) const;
    /// The first rank of each kind of those among which that rank is: `share:1of4` of rank 6, 4
    /// and 5. Of other plans the rank.
    [[nodiscard]] std::vector<int> of_each_kind(int rank, int ranks) const;
    /// How many ranks of that rank's node that have lower numbers compute on the device.
    [[nodiscard]] int place_among_devices(const Topology& nodes, int rank) const;
    /// How ranks share axes, by that rule, in layouts that the planner chooses.
    [[nodiscard]] Split split(CutRule rule) const;

    /// The same, but for what is said: where all ranks compute (empty: on the host), whose memory
    /// the device's messages leave from, how much more its ranks own, how many bytes of its memory a
    /// rank may take.
    [[nodiscard]] Placements on(const std::string& device) const;
    [[nodiscard]] Placements with(Reach reach, Index piece = 0) const;
    [[nodiscard]] Placements weighing(Index weight) const;
    [[nodiscard]] Placements bounding(Index bytes) const;
    /// All that the constraint says, and these where it leaves that open.
    [[nodiscard]] Placements within(const Placements& constraint) const;

    /// Has the choice say where it is computed.
    void say_in(Choice& choice) const { choice.space = said_; }
    /// As texts say it: `host`, `cuda(staged)`.
    [[nodiscard]] std::string text() const { return weft::to_string(said_); }
    /// Throws Error(bad_request) that quotes the text.
    [[noreturn]] void refuse(std::string_view why) const;

    bool operator==(const Placements& other) const {
        return said_ == other.said_ && first().engine == other.first().engine;
    }

  private:
    Placements(Space said, const std::string& engine);

    Space said_;
    Placement first_;
    std::optional<Placement> last_;  ///< that of the host, beside a device's
};

/// Throws Error(bad_request), on all ranks the same, if the problem cannot be shared so among so
/// many ranks.
void check_share(const Problem& problem, const Choice& choice, int ranks);

/// For readers: which ranks compute where, and with how much of the elements; empty if all compute
/// in one place.
std::string placement_text(const Plan& plan);

}  // namespace weft::core
