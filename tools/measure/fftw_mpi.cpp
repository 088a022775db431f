// FFTW's MPI transforms as a contender.
#include <fftw3-mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "measure/contender.hpp"
#include "memory/buffer.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "plan/problem.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

/// The two precisions of FFTW under one name.
struct DoubleApi {
    using Real = double;
    using Complex = fftw_complex;
    using Plan = fftw_plan;
    static constexpr auto init = &fftw_mpi_init;
    static constexpr auto local_size = &fftw_mpi_local_size_many_transposed;
    static constexpr auto c2c = &fftw_mpi_plan_many_dft;
    static constexpr auto r2c = &fftw_mpi_plan_many_dft_r2c;
    static constexpr auto c2r = &fftw_mpi_plan_many_dft_c2r;
    static constexpr auto execute = &fftw_execute;
    static constexpr auto destroy = &fftw_destroy_plan;
    static constexpr auto forget = &fftw_forget_wisdom;
};

struct FloatApi {
    using Real = float;
    using Complex = fftwf_complex;
    using Plan = fftwf_plan;
    static constexpr auto init = &fftwf_mpi_init;
    static constexpr auto local_size = &fftwf_mpi_local_size_many_transposed;
    static constexpr auto c2c = &fftwf_mpi_plan_many_dft;
    static constexpr auto r2c = &fftwf_mpi_plan_many_dft_r2c;
    static constexpr auto c2r = &fftwf_mpi_plan_many_dft_c2r;
    static constexpr auto execute = &fftwf_execute;
    static constexpr auto destroy = &fftwf_destroy_plan;
    static constexpr auto forget = &fftwf_forget_wisdom;
};

[[noreturn]] void fftw_cannot(const std::string& why) {
    throw Error(ErrorCode::not_available, fmt::format("--against fftw-mpi: FFTW-MPI {}", why));
}

/// The signal end of a transform is real for r2c and c2r; the other one is its spectrum.
const LayoutRequest& signal_end(const Problem& problem) {
    return problem.kind == Kind::c2r ? problem.out : problem.in;
}
const LayoutRequest& spectrum_end(const Problem& problem) {
    return problem.kind == Kind::c2r ? problem.in : problem.out;
}

/// The axes of an array that is cut along `cut`, which is slowest in memory.
std::vector<int> memory_order(std::size_t dims, int cut) {
    std::vector<int> order(dims);
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[0], order[static_cast<std::size_t>(cut)]);
    return order;
}

/// Whether an end is asked to be a slab of that axis, with the axis slowest in memory. FFTW keeps
/// the fields of a batch side by side, whichever way weft does, so the batch's place is let pass.
bool asks_for_slab(const LayoutRequest& request, const Problem& problem, int cut) {
    if (!request.padding.empty() || !request.strides.empty()) return false;
    if (request.free || request.axes != slab(cut).axes) return false;
    std::vector<int> order = core::format_of(problem, request).order;
    std::erase(order, static_cast<int>(problem.shape.size()));
    return order == memory_order(problem.shape.size(), cut);
}

/// Whether the spectrum is to be left in FFTW's transposed order. Throws Error(not_available) where
/// FFTW-MPI does not do what is asked.
bool transposed(const Problem& problem, int ranks) {
    const std::size_t dims = problem.shape.size();
    if (problem.kind == Kind::redistribute) fftw_cannot("is compared for transforms only");
    if (core::has_real_to_real(problem)) fftw_cannot("is compared for Fourier transforms only");
    if (dims < 2) fftw_cannot("is compared for arrays of two and more dimensions");
    if (core::transformed_axes(problem).size() != dims) fftw_cannot("transforms all axes");
    if (problem.kind != Kind::c2c && core::r2c_axis_of(problem) + 1 != static_cast<int>(dims)) {
        fftw_cannot("halves the last axis");
    }
    if (core::scale_factor(problem, false) != 1 || core::scale_factor(problem, true) != 1) {
        fftw_cannot("does not scale");
    }
    const LayoutRequest& signal = signal_end(problem);
    if (!signal.free && !asks_for_slab(signal, problem, 0)) {
        fftw_cannot("keeps its signal in slab(0), row-major; ask for that, or leave it free");
    }
    const LayoutRequest& spectrum = spectrum_end(problem);
    if (spectrum.free) return ranks > 1;  // One rank has no exchange to save.
    if (asks_for_slab(spectrum, problem, 1)) return true;
    if (asks_for_slab(spectrum, problem, 0)) return false;
    fftw_cannot(
        "leaves its spectrum in slab(0), row-major, or in slab(1) with axis 1 slowest; ask for "
        "one of them, or leave it free");
}

/// One side of the transform in the one array: a slab of axis `cut`, dense but for the padding of
/// the last axis of a real signal; the fields of a batch lie side by side.
struct Side {
    Box box;
    std::vector<Index> strides;
    core::Scalar scalar;
};

Side side(const Problem& problem, bool spectrum, int cut, Index start, Index count) {
    const bool real = problem.kind != Kind::c2c;
    Side result{whole(core::array_shape(problem, spectrum)),
                std::vector<Index>(static_cast<std::size_t>(core::array_axes(problem)), 1),
                {problem.precision, spectrum || !real}};
    std::vector<Index> stored = core::array_shape(problem, real);
    const std::size_t dims = problem.shape.size();
    if (real && !spectrum) stored[dims - 1] *= 2;
    Index stride = problem.batch;
    const std::vector<int> order = memory_order(dims, cut);
    for (std::size_t i = dims; i-- > 0;) {
        const auto axis = static_cast<std::size_t>(order[i]);
        result.strides[axis] = stride;
        stride *= stored[axis];
    }
    result.box.lo[static_cast<std::size_t>(cut)] = start;
    result.box.hi[static_cast<std::size_t>(cut)] = start + count;
    return result;
}

template <class Api>
class FftwMpi : public Contender {
  public:
    FftwMpi(const Problem& problem, MPI_Comm comm, unsigned effort = FFTW_MEASURE)
        : problem_(problem), effort_(effort) {
        MPI_Comm_size(comm, &ranks_);
        transposed_ = transposed(problem, ranks_);
        Api::init();
        place(comm);
        core::all_or_none(comm, [] {});  // They start together.
        const double begin = MPI_Wtime();
        plan(comm);
        planning_ = MPI_Wtime() - begin;
        clear();
    }
    [[nodiscard]] double planning_seconds() const { return planning_; }
    ~FftwMpi() override {
        for (const auto& plan : {analysis_, synthesis_}) {
            if (plan != nullptr) Api::destroy(plan);
        }
    }
    FftwMpi(const FftwMpi&) = delete;
    FftwMpi& operator=(const FftwMpi&) = delete;

    [[nodiscard]] Description description() const override {
        std::string signal = layout_text(0);
        std::string spectrum = layout_text(transposed_ ? 1 : 0);
        if (problem_.kind == Kind::c2r) std::swap(signal, spectrum);
        const char* order = transposed_ ? "FFTW_MPI_TRANSPOSED_OUT, backward FFTW_MPI_TRANSPOSED_IN"
                                        : "normal order";
        return {"fftw-mpi",
                "fftw",
                {ranks_},
                signal,
                spectrum,
                true,
                fmt::format("FFTW_MEASURE, in place, {}", order)};
    }

    void run(bool backward) override {
        Api::execute(backward == (problem_.kind == Kind::c2r) ? analysis_ : synthesis_);
    }

    [[nodiscard]] std::vector<LocalPiece> pieces(bool output) const override {
        const Side& here = output == (problem_.kind == Kind::c2r) ? signal_ : spectrum_;
        if (here.box.empty()) return {};
        return {{{here.box, 0, here.strides}, here.scalar, array_.data()}};
    }

    void clear() override { std::fill_n(array_.data(), array_.bytes(), std::byte{0}); }

  private:
    [[nodiscard]] std::string layout_text(int cut) const {
        LayoutRequest request = slab(cut);
        const int dims = static_cast<int>(problem_.shape.size());
        request.order = memory_order(problem_.shape.size(), cut);
        if (problem_.batch > 1) request.order.push_back(dims);
        return weft::to_string(request, dims);
    }

    /// Allocates the one array and finds this rank's parts of both sides.
    void place(MPI_Comm comm) {
        const std::size_t dims = problem_.shape.size();
        std::vector<Index> shape = core::array_shape(problem_, problem_.kind != Kind::c2c);
        shape.resize(dims);
        const std::vector<ptrdiff_t> n(shape.begin(), shape.end());
        ptrdiff_t n0 = 0;
        ptrdiff_t start0 = 0;
        ptrdiff_t n1 = 0;
        ptrdiff_t start1 = 0;
        const ptrdiff_t elements = Api::local_size(static_cast<int>(dims), n.data(), problem_.batch,
                                                   FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                                   comm, &n0, &start0, &n1, &start1);
        constexpr Index element = sizeof(typename Api::Complex);
        core::all_or_none(comm, [&] { array_ = core::Buffer(elements * element); });
        signal_ = side(problem_, false, 0, start0, n0);
        spectrum_ =
            transposed_ ? side(problem_, true, 1, start1, n1) : side(problem_, true, 0, start0, n0);
    }

    void plan(MPI_Comm comm) {
        const std::vector<ptrdiff_t> n(problem_.shape.begin(), problem_.shape.end());
        const int dims = static_cast<int>(n.size());
        constexpr ptrdiff_t block = FFTW_MPI_DEFAULT_BLOCK;
        const unsigned out = effort_ | (transposed_ ? FFTW_MPI_TRANSPOSED_OUT : 0U);
        const unsigned in = effort_ | (transposed_ ? FFTW_MPI_TRANSPOSED_IN : 0U);
        auto* real = reinterpret_cast<typename Api::Real*>(array_.data());
        auto* complex = reinterpret_cast<typename Api::Complex*>(array_.data());
        if (problem_.kind == Kind::c2c) {
            analysis_ = Api::c2c(dims, n.data(), problem_.batch, block, block, complex, complex,
                                 comm, FFTW_FORWARD, out);
            synthesis_ = Api::c2c(dims, n.data(), problem_.batch, block, block, complex, complex,
                                  comm, FFTW_BACKWARD, in);
        } else {
            analysis_ =
                Api::r2c(dims, n.data(), problem_.batch, block, block, real, complex, comm, out);
            synthesis_ =
                Api::c2r(dims, n.data(), problem_.batch, block, block, complex, real, comm, in);
        }
        core::all_or_none(comm, [&] {
            if (analysis_ == nullptr || synthesis_ == nullptr) fftw_cannot("has no plan for this");
        });
    }

    Problem problem_;
    unsigned effort_;
    double planning_ = 0;
    int ranks_ = 1;
    bool transposed_ = false;
    core::Buffer array_;
    Side signal_;
    Side spectrum_;
    typename Api::Plan analysis_ = nullptr;
    typename Api::Plan synthesis_ = nullptr;
};

template <class Api>
double patient_seconds(const Problem& problem, MPI_Comm comm) {
    Api::forget();
    double seconds = FftwMpi<Api>(problem, comm, FFTW_PATIENT).planning_seconds();
    Api::forget();
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm),
                        "MPI_Allreduce");
    });
    return seconds;
}

}  // namespace

double fftw_mpi_patient_seconds(const Problem& problem, MPI_Comm comm) {
    return problem.precision == Precision::f64 ? patient_seconds<DoubleApi>(problem, comm)
                                               : patient_seconds<FloatApi>(problem, comm);
}

std::unique_ptr<Contender> fftw_mpi_contender(const Problem& problem, MPI_Comm comm) {
    if (problem.precision == Precision::f64) {
        return std::make_unique<FftwMpi<DoubleApi>>(problem, comm);
    }
    return std::make_unique<FftwMpi<FloatApi>>(problem, comm);
}

}  // namespace weft::cli
