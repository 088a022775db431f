// Ranks that compute on a device beside others that compute on the host ([gholami] section 4): what
// follows from a space's share for ranks and layouts.
//
// Which ranks those are follows from their numbers in the communicator, so that a plan's text says
// it and is the same on every rank, also where the plan is read elsewhere. Launchers number the
// ranks of a node one after the other, so that of nodes with 4 ranks `share:1of4` has one each.
//
// Example: on 8 ranks, space=fake(share:1of4,weight:3): ranks 0 and 4 compute on the device. A slab
// along an axis of 24 has 6, 2, 2, 2, 6, 2, 2, 2 elements of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/engines.hpp"
#include "base/topology.hpp"
#include "geometry/weights.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// Whether the rank computes on the space's device.
bool on_device(const Space& space, int rank);
/// Whether some ranks compute on a device and others on the host.
bool is_shared(const Space& space);
/// Whether it is left open how much more the ranks of the device own.
bool has_open_weight(const Space& space);
/// Whether the rank computes on the host beside those of a device.
bool is_beside_device(const Space& space, int rank);
/// A rank that computes on the host beside those of a device; of other plans rank 0.
int first_host_rank(const Space& space);
/// The first rank of either kind of those among which that rank is: `share:1of4` of rank 6, 4
/// and 5. Of other plans the rank.
std::vector<int> one_of_either(const Space& space, int rank, int ranks);
/// How many of so many ranks compute on the device.
int device_ranks(const Space& space, int ranks);

/// How many ranks of that rank's node that have lower numbers compute on the device.
int place_among_devices(const Space& space, const Topology& nodes, int rank);

/// The device of a rank: empty on those of the host.
std::string_view device_of_rank(const Choice& choice, int rank);
/// The engine of a rank: the plan's; of ranks of the host, where the plan's is one of devices only,
/// the host's default.
std::string_view engine_of_rank(const Choice& choice, int rank);
EngineTraits traits_on_rank(const Choice& choice, int rank);

/// The weights of ranks in layouts that the planner chooses.
RankWeights rank_weights(const Space& space);

/// Throws Error(bad_request), on all ranks the same, if the problem cannot be shared so among so
/// many ranks.
void check_share(const Problem& problem, const Choice& choice, int ranks);

/// For readers: which ranks compute where, and with how much of the elements; empty if all compute
/// in one space.
std::string share_text(const Plan& plan);

}  // namespace weft::core
