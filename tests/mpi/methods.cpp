// Every exchange method on every kind of decomposition: the reference's result, and no byte more
// than theory says.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "api/state.hpp"
#include "exchange/schedule.hpp"
#include "exchange/transfers.hpp"
#include "exchange/via.hpp"
#include "expect.hpp"
#include "net/mpi.hpp"
#include "net/node_ranks.hpp"
#include "plan/problem.hpp"
#include "traffic.hpp"
#include "verify/checks.hpp"
#include "verify/random_case.hpp"

namespace weft::test {
namespace {

using core::Via;

/// The named methods, and points between them.
std::vector<std::string> all_vias() {
    std::vector<std::string> texts;
    for (const core::Method& method : core::methods()) texts.emplace_back(method.name);
    for (const char* more :
         {"isend-waitall-block(2)", "isend-waitsome-block(3)", "kway(2)", "kway(3)",
          "p2p(kway(2),some,rounds=1)", "send(pairwise,some)", "sendrecv(kway(3))",
          "persistent(kway(2))", "persistent(pairwise,some,rounds=2)", "shared(alltoallv)",
          "shared(one-sided)"}) {
        texts.emplace_back(more);
    }
    return texts;
}

/// Uneven problems; from 5 ranks on some have nothing.
std::vector<std::string> problems() {
    std::vector<std::string> texts;
    for (const char* kind : {"c2c:f64", "c2c:f32", "r2c:f64", "r2c:f32"}) {
        const std::string shape = std::string(kind) + ":7x4x6";
        texts.push_back(shape + "; decomposition=slab");
        texts.push_back(shape + "; decomposition=pencil");
        texts.push_back(shape + " in=brick out=brick; decomposition=cuts(3)");
        texts.push_back(shape + "; decomposition=row-wise");
    }
    return texts;
}

std::vector<core::PlanRequest> requests() {
    std::vector<core::PlanRequest> all;
    for (const std::string& text : problems()) all.push_back(core::parse_plan_request(text));
    core::Random random(5);
    for (const Kind kind : {Kind::c2c, Kind::r2c}) {
        for (const Precision precision : {Precision::f32, Precision::f64}) {
            core::PlanRequest request;
            request.problem.kind = kind;
            request.problem.precision = precision;
            request.problem.shape = {7, 4, 6};
            request.problem.in =
                own_boxes(core::random_boxes(random, request.problem.shape, world_size()));
            request.problem.out = own_boxes(
                core::random_boxes(random, core::array_shape(request.problem, true), world_size()));
            all.push_back(request);
        }
    }
    // Sanitized ranks that share cores take minutes for all of it.
    if (std::getenv("WEFT_HALF_OF_METHODS") != nullptr) {
        std::erase_if(all, [](const core::PlanRequest& request) {
            const bool single = request.problem.precision == Precision::f32;
            return single == (request.problem.kind == Kind::c2c);
        });
    }
    // Line by line in long double: the same bits however the data came there.
    for (core::PlanRequest& request : all) request.choice.engine = "reference";
    return all;
}

/// A transform with its arrays.
struct Bound {
    Bound(const Problem& problem, const Choice& choice)
        : plan(problem, MPI_COMM_WORLD, choice), core(Internals::plan(plan)) {
        in.resize(static_cast<std::size_t>(core.at.front().bytes(plan.rank())));
        out.resize(static_cast<std::size_t>(core.at.back().bytes(plan.rank())));
        transform.emplace(plan.bind_untyped(in.data(), out.data()));
    }
    Plan plan;
    const core::Plan& core;
    std::vector<std::byte> in;
    std::vector<std::byte> out;
    std::optional<Transform> transform;
};

/// Fills an array with numbers, the same for equal seeds.
void fill(std::vector<std::byte>& array, Precision precision, std::uint64_t seed) {
    core::Random random(seed);
    const std::size_t unit = precision == Precision::f64 ? 8 : 4;
    for (std::size_t i = 0; i < array.size(); i += unit) {
        const double value = static_cast<double>(random.between(-1000, 1000)) / 64;
        const auto single = static_cast<float>(value);
        if (unit == 8) std::memcpy(array.data() + i, &value, unit);
        if (unit == 4) std::memcpy(array.data() + i, &single, unit);
    }
}

/// Whether numbers differ by no more than what rounding in another order of axes makes.
template <class Real>
bool close(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    const std::size_t count = a.size() / sizeof(Real);
    std::vector<Real> x(count);
    std::vector<Real> y(count);
    if (count > 0) {
        std::memcpy(x.data(), a.data(), a.size());
        std::memcpy(y.data(), b.data(), a.size());
    }
    double most = 0;
    double difference = 0;
    for (std::size_t i = 0; i < count; ++i) {
        most = std::max<double>(most, std::abs(y[i]));
        difference = std::max<double>(difference, std::abs(x[i] - y[i]));
    }
    // Of all ranks: some have only small numbers.
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return difference <= 4 * std::numeric_limits<Real>::epsilon() * most;
}

/// Whether all ranks have the same results: the same bits, where all methods transform the same
/// axes together.
bool same(const std::vector<std::byte>& a, const std::vector<std::byte>& b, Precision precision,
          bool same_order) {
    int equal = a == b ? 1 : 0;
    if (!same_order) equal = precision == Precision::f64 ? close<double>(a, b) : close<float>(a, b);
    MPI_Allreduce(MPI_IN_PLACE, &equal, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return equal == 1;
}

/// Whether the method can carry all redistributions of the problem here; if not, that it is said why.
bool can_run(const core::PlanRequest& request, const Choice& choice) {
    const Via via = core::parse_via(choice.via);
    const bool built = core::why_unavailable(via.how()).empty();
    if (built && via.transport != core::TransportId::fftw_matrix) return true;
    try {
        const Plan plan(request.problem, MPI_COMM_WORLD, choice);
        // One rank moves nothing, by whatever method.
        EXPECT_TRUE(built || world_size() == 1)
            << "a plan was made for what cannot run here: " << plan.text();
        return true;
    } catch (const Error& error) {
        const std::string message = error.what();
        const bool unavailable = error.code() == ErrorCode::not_available && !built &&
                                 message.find("cannot run here") != std::string::npos;
        const bool no_matrix =
            message.find("is not the transpose of a matrix") != std::string::npos;
        const bool no_device = via.how().carries == core::Carries::device &&
                               message.find("from the memory of a device") != std::string::npos;
        EXPECT_TRUE(unavailable || no_matrix || no_device) << message;
        return false;
    }
}

/// What one rank sends in forward direction, by the overlay of the distributions.
long long theory(const core::Plan& plan, int rank) {
    long long bytes = 0;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (!std::holds_alternative<core::RedistributionStage>(plan.stages[i])) continue;
        const core::Layout& from = plan.at[i];
        bytes += core::sent(from.where, plan.at[i + 1].where, rank) * from.scalar.bytes();
    }
    return bytes;
}

/// How many messages one rank sends in forward direction.
long long messages(const core::Plan& plan, int rank) {
    long long count = 0;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (!std::holds_alternative<core::RedistributionStage>(plan.stages[i])) continue;
        for (int other = 0; other < plan.ranks; ++other) {
            const bool sends =
                other != rank &&
                core::common_elements(plan.at[i].where, plan.at[i + 1].where, rank, other) > 0;
            if (sends) ++count;
        }
    }
    return count;
}

/// What one rank sends if ranks of a node read each other's memory.
long long between_nodes(const core::Plan& plan, int rank) {
    const core::Topology topology = core::NodeRanks(MPI_COMM_WORLD).topology(MPI_COMM_WORLD);
    long long bytes = 0;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (!std::holds_alternative<core::RedistributionStage>(plan.stages[i])) continue;
        for (int other = 0; other < plan.ranks; ++other) {
            if (topology.same_node(rank, other)) continue;
            bytes += core::common_elements(plan.at[i].where, plan.at[i + 1].where, rank, other) *
                     plan.at[i].scalar.bytes();
        }
    }
    return bytes;
}

/// What all ranks send if a block is handed on several times.
long long staged_theory(const core::Plan& plan, const Via& via) {
    long long bytes = 0;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (!std::holds_alternative<core::RedistributionStage>(plan.stages[i])) continue;
        const core::Distribution& from = plan.at[i].where;
        const core::Distribution& to = plan.at[i + 1].where;
        for (int source = 0; source < plan.ranks; ++source) {
            const auto ranks = core::group(from, to, source).ranks;
            const int places = static_cast<int>(ranks.size());
            int own = 0;
            while (ranks[static_cast<std::size_t>(own)] != source) ++own;
            for (int place = 0; place < places; ++place) {
                const int target = ranks[static_cast<std::size_t>(place)];
                bytes += core::hops(via.order, via.radix, places, {own, place}) *
                         core::common_elements(from, to, source, target) *
                         plan.at[i].scalar.bytes();
            }
        }
    }
    return bytes;
}

/// What one rank sends if every message has the size of the largest.
long long padded_theory(const core::Plan& plan, int rank) {
    long long bytes = 0;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (!std::holds_alternative<core::RedistributionStage>(plan.stages[i])) continue;
        const core::Distribution& from = plan.at[i].where;
        const core::Distribution& to = plan.at[i + 1].where;
        const auto peers = static_cast<long long>(core::group(from, to, rank).ranks.size()) - 1;
        bytes += peers * core::largest_message(from, to) * plan.at[i].scalar.bytes();
    }
    return bytes;
}

long long of_all_ranks(long long bytes) {
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

void expect_traffic(const Bound& run, const Via& via, const std::string& text) {
    const int rank = run.plan.rank();
    if (via.transport == core::TransportId::fftw ||
        via.transport == core::TransportId::fftw_matrix) {
        // FFTW chooses how; it may hand blocks on, so that they travel more than once.
        const bool padded = via.transport == core::TransportId::fftw;
        const long long least = padded ? padded_theory(run.core, rank) : theory(run.core, rank);
        const long long counted = of_all_ranks(traffic());
        EXPECT_GE(counted, of_all_ranks(least)) << text;
        return;
    }
    if (via.transport == core::TransportId::shared) {
        EXPECT_EQ(traffic(), between_nodes(run.core, rank)) << text;
        return;
    }
    if (via.transport == core::TransportId::cma) {
        // Where each message lies: an address.
        EXPECT_EQ(traffic(), messages(run.core, rank) * Index{sizeof(void*)}) << text;
        return;
    }
    if (via.how().slot_bytes) {
        EXPECT_EQ(traffic(), padded_theory(run.core, rank)) << text;
        return;
    }
    if (via.order != core::Order::kway) {
        EXPECT_EQ(traffic(), theory(run.core, rank)) << text;
        return;
    }
    EXPECT_EQ(of_all_ranks(traffic()), staged_theory(run.core, via)) << text;
}

/// Every method, and once more without packing those that can do without.
std::vector<Choice> choices(const Choice& asked) {
    std::vector<Choice> result;
    for (const std::string& text : all_vias()) {
        const Via via = core::parse_via(text);
        Choice& choice = result.emplace_back(asked);
        choice.via = core::to_string(via);
        if (!core::carries_fused(via) || via.transport == core::TransportId::shared) continue;
        const bool some = std::getenv("WEFT_HALF_OF_METHODS") != nullptr;
        if (some && via.transport != core::TransportId::alltoallv) continue;
        result.push_back(choice);
        result.back().pack = Pack::fused;
    }
    return result;
}

TEST(Methods, GiveTheReferencesResultAndSendWhatTheorySays) {
    for (const core::PlanRequest& request : requests()) {
        // The method that all are compared with is right.
        const auto rig = core::mpi_rig(request.problem, request.choice, MPI_COMM_WORLD);
        for (const core::Finding& finding : core::verify(*rig, 11)) {
            ASSERT_TRUE(finding.right()) << to_string(request.problem) << ": " << finding.check;
        }
        Bound reference(request.problem, request.choice);
        fill(reference.in, request.problem.precision, 3);
        reference.transform->forward();
        const std::vector<std::byte> spectrum = reference.out;
        reference.transform->backward();
        const std::vector<std::byte> back = reference.in;
        for (Choice choice : choices(request.choice)) {
            if (!can_run(request, choice)) continue;
            // Which one takes least time depends on the method.
            choice.decomposition = reference.plan.choice().decomposition;
            Bound run(request.problem, choice);
            const std::string text = run.plan.text();
            fill(run.in, request.problem.precision, 3);
            reset_traffic();
            run.transform->forward();
            expect_traffic(run, core::parse_via(choice.via), text);
            const Precision precision = request.problem.precision;
            // What one redistribution takes up or leaves to the next is transformed apart.
            const bool same_order = run.plan.choice().pack != Pack::fused;
            EXPECT_TRUE(same(run.out, spectrum, precision, same_order)) << text;
            run.transform->backward();
            EXPECT_TRUE(same(run.in, back, precision, same_order)) << text << ", backward";
        }
    }
}

// Found as a hang of MPI_Ialltoallv in Open MPI 4.1, which takes a rank's empty buffer that lies
// where the next one begins for MPI_IN_PLACE. The second problem has ranks without messages in one
// exchange and with some in the next.
TEST(Methods, EndWhereSomeRanksSendOrReceiveNothing) {
    if (world_size() == 1) GTEST_SKIP() << "nothing travels";
    std::vector<std::string> texts = {
        "c2c:f64:7x4x6 in=single out=slab(0)",
        "c2c:f64:8x6x8 out=slab(2); decomposition=slab(2,0>1); shrink=2",
        "r2c:f64:7x4x6 in=slab(0) out=single",
        "redistribute:12:7x4x6 in=single out=slab(1)",
    };
    if (std::getenv("WEFT_HALF_OF_METHODS") != nullptr) texts.resize(2);
    for (const std::string& text : texts) {
        core::PlanRequest request = core::parse_plan_request(text);
        request.choice.engine = "reference";
        for (const Choice& choice : choices(request.choice)) {
            if (!can_run(request, choice)) continue;
            const auto rig = core::mpi_rig(request.problem, choice, MPI_COMM_WORLD);
            for (const core::Finding& finding : core::verify(*rig, 11)) {
                EXPECT_TRUE(finding.right()) << text << "; via=" << choice.via << ": "
                                             << finding.check << " " << finding.error;
            }
        }
    }
}

// FFTW's matrix layout takes slabs in FFTW's blocks, as plans lay them out.
TEST(Methods, OfFftwsMatrixLayoutCarrySlabsInBlocks) {
    const Via via = core::parse_via("fftw-matrix");
    for (const std::string kind : {"c2c:f64", "c2c:f32", "r2c:f64", "r2c:f32", "redistribute:12"}) {
        const std::string text = kind + ":9x7x6 cut=block in=slab(0) out=slab(1)@102";
        core::PlanRequest request = core::parse_plan_request(text);
        if (request.problem.kind != Kind::redistribute) request.choice.decomposition.cuts = 1;
        request.choice.via = "fftw-matrix";
        if (world_size() == 1 || !core::why_unavailable(via.how()).empty()) continue;
        const auto rig = core::mpi_rig(request.problem, request.choice, MPI_COMM_WORLD);
        for (const core::Finding& finding : core::verify(*rig, 11)) {
            EXPECT_TRUE(finding.right()) << text << ": " << finding.check << " " << finding.error;
        }
        Bound run(request.problem, request.choice);
        reset_traffic();
        run.transform->forward();
        expect_traffic(run, via, text);
    }
}

}  // namespace
}  // namespace weft::test
