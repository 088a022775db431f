// Transforms on arrays that are given to the call, others each time.
#include <algorithm>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>

#include "allocations.hpp"
#include "api/state.hpp"
#include "base/random.hpp"
#include "fft/engine.hpp"
#include "flight.hpp"
#include "net/node_ranks.hpp"
#include "plan/fuse.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;
using Bytes = std::vector<std::byte>;

/// Where an array comes from: ranks of a node may reach those of weft::allocate.
enum class Origin { weft, own };

/// The arrays of one field at both ends of a plan, and the bytes that mean something.
class Pair {
  public:
    Pair(const Plan& plan, Origin origin, std::uint64_t seed, Index shift = 0)
        : in_place_(plan.problem().in_place),
          single_(plan.problem().precision == Precision::f32),
          in_bytes_(bytes(plan, false)),
          out_bytes_(bytes(plan, true)) {
        const Index room = std::max(plan.in_size() * element_bytes(plan.problem(), false),
                                    plan.out_size() * element_bytes(plan.problem(), true));
        for (Memory* memory : {&in_, &out_}) {
            if (origin == Origin::weft) memory->of_weft = allocate<std::byte>(room + shift);
            if (origin == Origin::own)
                memory->own.resize(static_cast<std::size_t>(room + shift) + 64);
            memory->shift = shift;
        }
        core::Random random(seed + 100 * static_cast<std::uint64_t>(plan.rank()));
        fill(in(), in_bytes_, random);
        signal_ = Bytes(in(), in() + in_bytes_);
    }

    [[nodiscard]] std::byte* in() { return in_.begin(); }
    [[nodiscard]] std::byte* out() { return in_place_ ? in() : out_.begin(); }
    void restore() { std::copy(signal_.begin(), signal_.end(), in()); }
    void blot(bool backward) {
        if (in_place_) return;
        std::fill_n(backward ? in() : out(), backward ? in_bytes_ : out_bytes_, std::byte{17});
    }
    [[nodiscard]] Bytes result(bool backward) {
        const std::byte* begin = backward ? in() : out();
        return {begin, begin + (backward ? in_bytes_ : out_bytes_)};
    }

  private:
    struct Memory {
        Array<std::byte> of_weft;
        Bytes own;
        Index shift = 0;

        /// A multiple of 64, and the shift.
        std::byte* begin() {
            if (own.empty()) return of_weft.data() + shift;
            const auto past = reinterpret_cast<std::uintptr_t>(own.data()) % 64;
            return own.data() + (64 - past) % 64 + shift;
        }
    };

    static Index element_bytes(const Problem& problem, bool output) {
        if (problem.kind == Kind::redistribute) return problem.element_bytes;
        const bool real = problem.kind == (output ? Kind::c2r : Kind::r2c);
        return (problem.precision == Precision::f64 ? 8 : 4) * (real ? 1 : 2);
    }
    static Index bytes(const Plan& plan, bool output) {
        const auto boxes = output ? plan.out_boxes(plan.rank()) : plan.in_boxes(plan.rank());
        return element_bytes(plan.problem(), output) *
               std::accumulate(boxes.begin(), boxes.end(), Index{0},
                               [](Index sum, const Box& box) { return sum + box.volume(); });
    }
    void fill(std::byte* to, Index bytes, core::Random& random) const {
        const Index unit = single_ ? 4 : 8;
        for (Index i = 0; i + unit <= bytes; i += unit) {
            const double value = static_cast<double>(random.between(-1000, 1000)) / 64;
            const auto half = static_cast<float>(value);
            std::memcpy(to + i, single_ ? static_cast<const void*>(&half) : &value,
                        static_cast<std::size_t>(unit));
        }
    }

    bool in_place_;
    bool single_;
    Index in_bytes_;
    Index out_bytes_;
    Memory in_;
    Memory out_;
    Bytes signal_;
};

/// What a transform that is bound to these arrays, which nobody else reaches, makes of a signal.
struct Expected {
    Bytes spectrum;
    Bytes back;

    Expected(const Plan& plan, std::uint64_t seed) {
        Pair pair(plan, Origin::own, seed);
        Transform transform = plan.bind_untyped(pair.in(), pair.out());
        transform.forward();
        spectrum = pair.result(false);
        transform.backward();
        back = pair.result(true);
    }
};

/// The largest difference of two arrays of doubles.
double difference(const Bytes& a, const Bytes& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); i += sizeof(double)) {
        double x = 0;
        double y = 0;
        std::memcpy(&x, &a[i], sizeof(x));
        std::memcpy(&y, &b[i], sizeof(y));
        most = std::max(most, std::abs(x - y));
    }
    return most;
}

void run_on(Transform& transform, bool backward, Pair& pair) {
    const auto in = static_cast<void*>(pair.in());
    const auto out = static_cast<void*>(pair.out());
    backward ? transform.backward(in, out) : transform.forward(in, out);
}

/// Three pairs of arrays in rotation, there and back.
void rotate(Transform& transform, std::vector<Pair>& pairs, const std::vector<Expected>& expected,
            const std::string& text) {
    for (const std::size_t i : {0, 1, 2, 1, 0, 2}) {
        Pair& pair = pairs[i];
        pair.restore();
        pair.blot(false);
        run_on(transform, false, pair);
        EXPECT_TRUE(pair.result(false) == expected[i].spectrum) << text << ", pair " << i;
        pair.blot(true);
        run_on(transform, true, pair);
        EXPECT_TRUE(pair.result(true) == expected[i].back) << text << ", pair " << i << ", back";
    }
}

std::vector<std::string> texts() {
    std::vector<std::string> result = flights_of_all_methods();
    for (const char* text :
         {"c2c:f64:41x40x39 in=slab(0) out=slab(0)", "r2c:f64:40x38x36 in=slab(0) out=slab(0)",
          "c2r:f64:13x11x7", "c2c:f64:12x10x8 may_destroy_input; decomposition=pencil",
          "c2c:f64:40x34x36 in=brick out=brick; decomposition=pencil",
          "c2c:f64:8x9x10*4; tile=default", "r2c:f64:12x9x10; decomposition=pencil; tile=(W:2)",
          "c2c:f64:8x9x10; via=persistent; tile=(T:2,W:2)", "c2c:f64:7x4x6; decomposition=row-wise",
          "c2c:f64:9x8x7; engine=reference", "c2c:f64:30x28x26; threads=2",
          "redistribute:8:9x8x7 in=slab(0) out=slab(1); via=persistent"}) {
        result.emplace_back(text);
    }
    const bool fftw =
        std::any_of(core::engines().begin(), core::engines().end(),
                    [](const auto& one) { return one.name == "fftw" && one.built_in; });
    if (fftw) result.emplace_back("r2c:f64:9x8x7 in=slab(0) out=slab(0); engine=fftw");
    return result;
}

TEST(Arrays, OneTransformRunsOnAnyInRotation) {
    for (const std::string& text : texts()) {
        const Plan plan = Plan::parse(text, MPI_COMM_WORLD);
        std::vector<Expected> expected;
        for (const std::uint64_t seed : {1, 2, 3}) expected.emplace_back(plan, seed);
        for (const Origin origin : {Origin::own, Origin::weft}) {
            std::vector<Pair> pairs;
            for (const std::uint64_t seed : {1, 2, 3}) pairs.emplace_back(plan, origin, seed);
            Transform any = plan.bind();
            rotate(any, pairs, expected, text);
            const Plan runs = any.plan();
            EXPECT_EQ(Plan::parse(runs.text(), MPI_COMM_WORLD), runs);
            core::Environment unexposed{core::NodeRanks(MPI_COMM_WORLD).topology(MPI_COMM_WORLD)};
            // As it was bound, where the tests run on a device.
            unexposed.mpi_reaches_device = runs.choice().space.travel == Travel::direct;
            unexposed.device_regions = unexposed.mpi_reaches_device;
            EXPECT_EQ(runs.text(), to_string(core::fuse(Internals::plan(plan), unexposed)));
        }
    }
}

TEST(Arrays, OfSeveralFieldsAreLists) {
    for (const char* text :
         {"c2c:f64:41x40x39 in=slab(0) out=slab(0)", "c2c:f64:9x8x10; decomposition=slab",
          "r2c:f64:8x9x7; via=persistent", "c2c:f64:8x9x7; via=alltoallw"}) {
        const Plan plan = Plan::parse(text, MPI_COMM_WORLD);
        std::vector<Pair> pairs;
        std::vector<Bytes> spectra;
        for (const std::uint64_t seed : {1, 2, 3, 4}) {
            pairs.emplace_back(plan, Origin::weft, seed);
            spectra.push_back(Expected(plan, seed).spectrum);
        }
        const auto list = [&](std::size_t a, std::size_t b, bool out) {
            return std::vector<void*>{out ? pairs[a].out() : pairs[a].in(),
                                      out ? pairs[b].out() : pairs[b].in()};
        };
        Transform any = plan.bind_fields(2);
        for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{2, 3}, {3, 0}, {1, 2}}) {
            for (Pair& pair : pairs) pair.blot(false);
            any.start_forward(list(a, b, false), list(a, b, true));
            any.wait();
            EXPECT_TRUE(pairs[a].result(false) == spectra[a]) << text;
            EXPECT_TRUE(pairs[b].result(false) == spectra[b]) << text;
        }
        // Bound fields take turns on one binding, unless it has to know their arrays.
        Transform bound = plan.bind_untyped(list(0, 3, false), list(0, 3, true));
        for (Pair& pair : pairs) pair.blot(false);
        bound.forward();
        for (const std::size_t i : {0, 3}) {
            EXPECT_LT(difference(pairs[i].result(false), spectra[i]), 1e-9) << text;
        }
        EXPECT_THROW(any.forward(list(0, 0, false).front(), list(0, 0, true).front()), Error);
    }
}

TEST(Arrays, CallsWithThemAllocateNothing) {
    for (const std::string& text : texts()) {
        // The oracle's own way to count elements allocates.
        if (text.find("engine=reference") != std::string::npos) continue;
        const Plan plan = Plan::parse(text, MPI_COMM_WORLD);
        std::vector<Pair> pairs;
        for (const std::uint64_t seed : {1, 2}) pairs.emplace_back(plan, Origin::own, seed);
        Transform any = plan.bind();
        for (const bool counts : {false, true}) {
            if (counts) count_allocations(true);
            for (Pair& pair : pairs) run_on(any, false, pair);
            for (Pair& pair : pairs) run_on(any, true, pair);
            if (counts) count_allocations(false);
        }
        EXPECT_EQ(allocations(), 0) << text;
    }
}

/// The message of the error that a call throws on this rank.
template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_request) << error.what();
        return error.what();
    }
    return "no error";
}

void expect_refusal(const std::string& message, const std::string& text) {
    EXPECT_NE(message.find(text), std::string::npos) << "'" << text << "' is not in: " << message;
}

TEST(Arrays, ThatDoNotFitAreRefusedBeforeAnythingStarts) {
    const Plan plan = Plan::parse("c2c:f64:8x9x10", MPI_COMM_WORLD);
    const auto size = static_cast<std::size_t>(std::max(plan.in_size(), plan.out_size()));
    std::vector<Complex> in(size + 1, 1);
    std::vector<Complex> out(size + 1);
    Transform any = plan.bind();
    Complex* const none = nullptr;
    const bool owns = plan.in_size() > 0;
    if (owns) {
        expect_refusal(refusal([&] { any.forward(none, out.data()); }), "the input array is null");
        expect_refusal(refusal([&] { any.forward(in.data(), in.data() + 1); }), "overlap");
        auto* shifted = reinterpret_cast<Complex*>(reinterpret_cast<std::byte*>(in.data()) + 4);
        expect_refusal(refusal([&] { any.forward(shifted, out.data()); }),
                       "the input array is not aligned to its element type (8 bytes)");
    }
    auto* single = reinterpret_cast<std::complex<float>*>(in.data());
    expect_refusal(refusal([&] { any.forward(single, out.data()); }),
                   "the input array is of complex<float>, the plan needs complex<double>");
    expect_refusal(refusal([&] { any.forward(); }), "was bound to no arrays");
    expect_refusal(refusal([&] { any.start_backward(); }), "was bound to no arrays");
    const std::vector<Complex*> two = {in.data(), out.data()};
    expect_refusal(refusal([&] { any.forward(two, two); }), "arrays of 2 fields are given");
    // Nothing has started: all ranks go on.
    any.start_forward(in.data(), out.data());
    expect_refusal(refusal([&] { any.forward(out.data(), in.data()); }), "started already");
    any.wait();
    Complex sum = 0;
    for (Index i = 0; i < plan.out_size(); ++i) sum += out[static_cast<std::size_t>(i)];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_CXX_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_NEAR(sum.real(), 8 * 9 * 10, 1e-9);
}

TEST(Arrays, MayNotOverlapTheWorkspace) {
    const Plan plan = Plan::parse("c2c:f64:8x9x10; via=alltoallv; pack=receiver", MPI_COMM_WORLD);
    const Index bytes = plan.workspace_bytes(plan.rank());
    auto memory = allocate<std::byte>(bytes + plan.in_size() * 16 + 64);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()) + 1);
    Transform any = plan.bind({memory.data(), bytes});
    if (bytes == 0 || plan.in_size() == 0) return;
    auto* in = reinterpret_cast<Complex*>(memory.data());
    expect_refusal(refusal([&] { any.forward(in, out.data()); }),
                   "the workspace and the input array overlap");
}

TEST(Arrays, InPlaceAreOne) {
    const Plan plan = Plan::parse("c2c:f64:8x9x10 in_place", MPI_COMM_WORLD);
    const auto size = static_cast<std::size_t>(plan.in_size());
    // The array is as large as the larger end.
    const auto boxes = plan.in_boxes(plan.rank());
    const Index owned = boxes.empty() ? 0 : boxes.front().volume();
    std::vector<Complex> first(size, 1);
    std::vector<Complex> second(size, 2);
    Transform any = plan.bind();
    any.forward(first.data());
    any.start_forward(second.data());
    any.wait();
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(2.0 * first[i], second[i]);
    any.backward(second.data());
    for (Index i = 0; i < owned; ++i) {
        EXPECT_NEAR(second[static_cast<std::size_t>(i)].real(), 2 * 720, 1e-9);
    }
    if (size > 0) {
        expect_refusal(refusal([&] { any.forward(first.data(), second.data()); }), "in place");
    }
}

/// Arrays at every alignment of their elements: engines run on them, or say what they need.
TEST(Arrays, LieAsTheEngineNeeds) {
    for (const core::EngineInfo& engine : core::engines()) {
        if (!engine.built_in) continue;
        const Index multiple = core::engine(engine.name).alignment();
        const std::string text =
            "c2c:f64:18x16x20 in=slab(0) out=slab(0); decomposition=slab; "
            "engine=" +
            std::string(engine.name);
        const Plan plan = Plan::parse(text, MPI_COMM_WORLD);
        // Arrays of the host are copied to a device (WEFT_SPACE), wherever they lie.
        const bool copied = !plan.choice().space.device.empty();
        const Expected expected(plan, 1);
        Transform any = plan.bind();
        for (const Index shift : {8, 16, 24, 40}) {
            Pair pair(plan, Origin::own, 1, shift);
            // Bound to arrays that lie anyhow it is planned for them.
            Transform bound = plan.bind_untyped(pair.in(), pair.out());
            bound.forward();
            EXPECT_LT(difference(pair.result(false), expected.spectrum), 1e-8) << text;
            pair.blot(false);
            if (!copied && shift % multiple != 0) {
                if (plan.in_size() > 0) {
                    expect_refusal(refusal([&] { run_on(any, false, pair); }),
                                   "bytes past a multiple of " + std::to_string(multiple));
                }
                continue;
            }
            run_on(any, false, pair);
            EXPECT_TRUE(pair.result(false) == expected.spectrum) << text << ", shift " << shift;
        }
    }
}

TEST(Arrays, AreGivenOnceOnly) {
    const Plan plan = Plan::parse("c2c:f64:8x9x10", MPI_COMM_WORLD);
    Pair pair(plan, Origin::weft, 1);
    Transform bound = plan.bind_untyped(pair.in(), pair.out());
    expect_refusal(refusal([&] { run_on(bound, false, pair); }), "is bound to its arrays");
    expect_refusal(refusal([&] { bound.start_backward(pair.in(), pair.out()); }),
                   "is bound to its arrays");
    bound.forward();
    EXPECT_EQ(bound.plan().choice().decomposition, plan.choice().decomposition);
}

TEST(Arrays, ThePlanThatRunsIsBoundAgain) {
    const Plan plan = Plan::parse("c2c:f64:32x32x32 in=slab(0) out=slab(0)", MPI_COMM_WORLD);
    Pair pair(plan, Origin::weft, 1);
    const Plan runs = plan.bind_untyped(pair.in(), pair.out()).plan();
    if (runs.text().find("direct") == std::string::npos) GTEST_SKIP() << "nothing is exposed";
    EXPECT_NE(runs.explain().find("writes arrays of other ranks"), std::string::npos);
    const Plan again = Plan::parse(runs.text(), MPI_COMM_WORLD);
    for (const Plan& one : {runs, again}) {
        EXPECT_EQ(one.workspace_bytes(world_rank()), runs.workspace_bytes(world_rank()));
        EXPECT_EQ(one.bind_untyped(pair.in(), pair.out()).plan(), runs);
        expect_refusal(refusal([&] { const Transform never = one.bind(); }),
                       "are not exposed to other ranks");
    }
}

TEST(Arrays, DirectAccessToSmallOnesSaysWhatIsMissing) {
    if (world_size() == 1 || std::getenv("WEFT_RANKS_PER_NODE") != nullptr) {
        GTEST_SKIP() << "for several ranks of one node";
    }
    const auto bind = [](const char* text) {
        const Plan plan = Plan::parse(text, MPI_COMM_WORLD);
        auto in = allocate<std::complex<double>>(plan.in_size());
        auto out = allocate<std::complex<double>>(plan.out_size());
        const Transform never = plan.bind(in.data(), out.data());
    };
    expect_refusal(
        refusal([&] { bind("c2c:f64:8x9x10 in=slab(0) out=slab(0); carrier[1]=direct"); }),
        "as those of weft::allocate from 65536 bytes on");
    expect_refusal(refusal([&] { bind("c2c:f64:8x9x10 in=slab(0) out=slab(0); carrier=direct"); }),
                   "only the first and the last stage can use the caller's arrays");
}

TEST(Arrays, BindingWithAndWithoutThemIsNoticed) {
    if (world_size() == 1) GTEST_SKIP() << "nobody else is there";
    const Plan plan = Plan::parse("c2c:f64:8x9x10", MPI_COMM_WORLD);
    Pair pair(plan, Origin::own, 1);
    expect_collective_error(
        [&] {
            if (world_rank() == 0) {
                (void)plan.bind();
            } else {
                (void)plan.bind_untyped(pair.in(), pair.out());
            }
        },
        ErrorCode::bad_request, {"the number of fields", "without arrays"});
}

}  // namespace
}  // namespace weft::test
