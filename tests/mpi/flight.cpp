#include "flight.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>

#include "exchange/via.hpp"
#include "net/mpi.hpp"

namespace weft::test {

namespace {

using Bytes = std::vector<std::byte>;
using Fields = std::vector<Array<std::byte>>;

Index element_bytes(const Problem& problem, bool output) {
    if (problem.kind == Kind::redistribute) return problem.element_bytes;
    const bool real = problem.kind == (output ? Kind::c2r : Kind::r2c);
    return (problem.precision == Precision::f64 ? 8 : 4) * (real ? 1 : 2);
}

Index elements(const std::vector<Box>& boxes) {
    return std::accumulate(boxes.begin(), boxes.end(), Index{0},
                           [](Index sum, const Box& box) { return sum + box.volume(); });
}

/// Numbers, or what looks like some.
void fill(Array<std::byte>& field, bool single, core::Random& random) {
    const Index unit = single ? sizeof(float) : sizeof(double);
    for (Index i = 0; i + unit <= field.size(); i += unit) {
        const double value = static_cast<double>(random.between(-1000, 1000)) / 64;
        const auto half = static_cast<float>(value);
        std::memcpy(&field[i], single ? static_cast<const void*>(&half) : &value,
                    static_cast<std::size_t>(unit));
    }
}

/// The first so many bytes of each.
Bytes contents(const Fields& fields, Index bytes) {
    Bytes all;
    for (const auto& field : fields) all.insert(all.end(), field.begin(), field.begin() + bytes);
    return all;
}

void put(Fields& fields, Index bytes, const Bytes& contents) {
    auto next = contents.begin();
    for (auto& field : fields) {
        std::copy_n(next, bytes, field.begin());
        next += bytes;
    }
}

}  // namespace

Flight::Flight(const std::string& text, MPI_Comm comm, int fields) : text_(text) {
    const Plan plan = Plan::parse(text, comm);
    const Problem& problem = plan.problem();
    core::Random random(7 + static_cast<std::uint64_t>(plan.rank()));
    in_bytes_ = plan.in_size() * element_bytes(problem, false);
    out_bytes_ = plan.out_size() * element_bytes(problem, true);
    std::vector<void*> in;
    std::vector<void*> out;
    for (int field = 0; field < fields; ++field) {
        in_.push_back(allocate<std::byte>(in_bytes_));
        fill(in_.back(), problem.precision == Precision::f32, random);
        in.push_back(in_.back().data());
        if (!problem.in_place) {
            out_.push_back(allocate<std::byte>(out_bytes_));
        }
        out.push_back(problem.in_place ? in.back() : out_.back().data());
    }
    if (problem.in_place) {
        // The array is as long as the larger of the two: what is behind the other is nobody's.
        in_bytes_ = elements(plan.in_boxes(plan.rank())) * element_bytes(problem, false);
        out_bytes_ = elements(plan.out_boxes(plan.rank())) * element_bytes(problem, true);
    }
    transform_.emplace(plan.bind_untyped(in, out));
    signal_ = contents(in_, in_bytes_);
    transform_->forward();
    spectrum_ = contents(out_.empty() ? in_ : out_, out_bytes_);
    transform_->backward();
    back_ = contents(in_, in_bytes_);
}

void Flight::start(bool backward) {
    backward_ = backward;
    // A result that is there already must not pass for one that has been computed.
    for (auto& field : backward ? in_ : out_) std::fill(field.begin(), field.end(), std::byte{17});
    put(backward && !out_.empty() ? out_ : in_, backward ? out_bytes_ : in_bytes_,
        backward ? spectrum_ : signal_);
    backward ? transform_->start_backward() : transform_->start_forward();
}

bool Flight::test() { return transform_->test(); }
void Flight::wait() { transform_->wait(); }

void Flight::expect_right() const {
    const Fields& result = backward_ || out_.empty() ? in_ : out_;
    const int rank = world_rank();
    EXPECT_TRUE(contents(result, backward_ ? in_bytes_ : out_bytes_) ==
                (backward_ ? back_ : spectrum_))
        << text_ << (backward_ ? ", backward, rank " : ", rank ") << rank;
    if (backward_ || out_.empty()) return;
    EXPECT_TRUE(contents(in_, in_bytes_) == signal_)
        << text_ << ": the input of rank " << rank << " changed";
}

bool expected_here(const std::string& via) {
    static const bool windows = [] {
        int level = MPI_THREAD_SINGLE;
        MPI_Query_thread(&level);
        if (level < MPI_THREAD_MULTIPLE) return true;
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        MPI_Win window = MPI_WIN_NULL;
        const bool made = MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window) == MPI_SUCCESS;
        if (made) MPI_Win_free(&window);
        MPI_Comm_free(&comm);
        return made;
    }();
    return windows || via != "one-sided";
}

std::vector<std::string> flights_of_all_methods() {
    const std::vector<std::string> problems = {
        "c2c:f64:9x8x10; decomposition=slab", "r2c:f64:8x9x7; decomposition=pencil",
        "c2c:f32:7x12x6 in=slab(0) out=slab(0)", "c2r:f64:6x10x9 out=slab(1)",
        "c2c:f64:8x8x6 in_place; decomposition=pencil"};
    std::vector<std::string> texts = {"c2c:f64:8x6x7", "c2c:f64:34x30x32 in=slab(0) out=slab(0)",
                                      "c2c:f64:32x30x28; decomposition=pencil; pack=fused; via=p2p",
                                      "redistribute:16:9x8x7 in=slab(0) out=slab(2)@210",
                                      "r2c:f64:12x10x9; threads=2"};
    std::size_t next = 0;
    const auto add = [&](const std::string& via) {
        const std::string& problem = problems[next++ % problems.size()];
        texts.push_back(problem + "; via=" + via);
    };
    for (const core::Method& method : core::methods()) {
        const std::string name(method.name);
        const bool runs =
            core::why_unavailable(core::parse_via(name).how()).empty() && expected_here(name);
        if (runs && name != "fftw-matrix") add(name);
        if (runs && name == "fftw-matrix" && world_size() > 1) {
            texts.emplace_back(
                "c2c:f64:9x7x6 cut=block in=slab(0) out=slab(1)@102; decomposition=slab; "
                "via=fftw-matrix");
        }
    }
    for (const char* via : {"isend-waitsome-block(2)", "shared(alltoallv)", "kway(2)",
                            "persistent(pairwise,some,rounds=2)"}) {
        add(via);
    }
    return texts;
}

OwnMessages::OwnMessages(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    sent_ = 100 + rank_;
    MPI_Irecv(&received_, 1, MPI_INT, (rank_ + ranks_ - 1) % ranks_, 0, comm, &requests_[0]);
    MPI_Isend(&sent_, 1, MPI_INT, (rank_ + 1) % ranks_, 0, comm, &requests_[1]);
}

void OwnMessages::expect_right() {
    const int before = (rank_ + ranks_ - 1) % ranks_;
    int other = 200 + rank_;
    int found = -1;
    MPI_Sendrecv(&other, 1, MPI_INT, (rank_ + 1) % ranks_, 1, &found, 1, MPI_INT, before, 1, comm_,
                 MPI_STATUS_IGNORE);
    EXPECT_EQ(found, 200 + before);
    MPI_Waitall(2, requests_, MPI_STATUSES_IGNORE);
    EXPECT_EQ(received_, 100 + before);
}

}  // namespace weft::test
