// Arrays of weft::allocate, which other ranks of the node read and store in, beside any others.
#include <algorithm>
#include <complex>
#include <optional>

#include "api/state.hpp"
#include "expect.hpp"
#include "net/agree.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

/// What a transform's arrays are on this rank.
enum class Origin { weft, vector, vector_on_last };

/// Elements of an array, wherever it comes from.
class Elements {
  public:
    Elements(Index size, bool of_weft) : size_(size) {
        if (of_weft) {
            allocated_ = allocate<Complex>(size);
        } else {
            vector_.resize(static_cast<std::size_t>(size));
        }
    }
    [[nodiscard]] Complex* begin() { return vector_.empty() ? allocated_.data() : vector_.data(); }
    [[nodiscard]] Complex* end() { return begin() + size_; }

  private:
    Index size_;
    Array<Complex> allocated_;
    std::vector<Complex> vector_;
};

/// Two fields there, back and there again; the elements after each.
struct ThereAndBack {
    ThereAndBack(const std::string& text, Origin origin) : plan(Plan::parse(text, MPI_COMM_WORLD)) {
        const bool last = world_rank() == world_size() - 1;
        const bool of_weft = origin == Origin::weft || (origin == Origin::vector_on_last && !last);
        Elements in[2] = {{plan.in_size(), of_weft}, {plan.in_size(), of_weft}};
        Elements out[2] = {{plan.out_size(), of_weft}, {plan.out_size(), of_weft}};
        std::vector<Complex*> from;
        std::vector<Complex*> to;
        for (int field = 0; field < 2; ++field) {
            double value = world_rank() + 3 * field;
            for (Complex& one : in[field]) one = std::polar(1.0, value += 0.25);
            from.push_back(in[field].begin());
            to.push_back(plan.problem().in_place ? in[field].begin() : out[field].begin());
        }
        Transform transform = plan.bind(from, to);
        const core::Programs& programs = Internals::programs(transform);
        exposed = exposes(programs.forward) || exposes(programs.backward);
        for (const bool backward : {false, true, false}) {
            backward ? transform.backward() : transform.forward();
            for (auto* fields : {in, out}) {
                for (int field = 0; field < 2; ++field) {
                    elements.insert(elements.end(), fields[field].begin(), fields[field].end());
                }
            }
            // The input is the caller's again as soon as its transform is done.
            if (plan.problem().in_place) continue;
            for (int field = 0; field < 2; ++field) {
                for (Complex& one : backward ? out[field] : in[field]) one *= 0.5;
            }
        }
    }
    static bool exposes(const core::Program& program) {
        return std::any_of(program.buffers.begin(), program.buffers.end(),
                           [](const core::BufferSpec& buffer) { return buffer.exposed; });
    }
    Plan plan;
    bool exposed = false;
    std::vector<Complex> elements;
};

TEST(SharedArrays, AreReadAndWrittenInPlaceAndNoOthers) {
    for (const std::string text :
         {"c2c:f64:41x40x39 in=slab(0) out=slab(0) scale=none/n",
          "c2c:f64:41x40x39 in=slab(0) out=slab(0) scale=none/n in_place",
          "c2c:f64:41x40x39 in=slab(1) out=slab(0)@120 scale=n/none; via=shared",
          "c2c:f64:41x40x39 in=brick out=brick scale=none/n; decomposition=pencil",
          "c2c:f64:41x40x39 in=slab(0)+(0,0,3) out=slab(2) axes=0,1 scale=none/n"}) {
        const ThereAndBack shared(text, Origin::weft);
        for (const Origin origin : {Origin::vector, Origin::vector_on_last}) {
            const ThereAndBack other(text, origin);
            EXPECT_FALSE(other.exposed && world_size() > 1) << text;
            ASSERT_EQ(other.elements.size(), shared.elements.size());
            double most = 0;
            double difference = 0;
            for (std::size_t i = 0; i < shared.elements.size(); ++i) {
                most = std::max(most, std::abs(shared.elements[i]));
                difference = std::max(difference, std::abs(shared.elements[i] - other.elements[i]));
            }
            MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            EXPECT_LE(difference, 1e-14 * most) << text << ", origin " << static_cast<int>(origin);
        }
        EXPECT_FALSE(core::on_any_rank(MPI_COMM_WORLD, shared.exposed) &&
                     core::on_any_rank(MPI_COMM_WORLD, !shared.exposed))
            << text << ": ranks disagree";
    }
}

}  // namespace
}  // namespace weft::test
