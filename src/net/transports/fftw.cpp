// FFTW's MPI transpose as a channel.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/index.hpp"
#include "base/no_copy.hpp"
#include "net/mpi_collective.hpp"
#include "net/mpi_error.hpp"

#ifdef WEFT_WITH_FFTW_MPI
#include <fftw3-mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/next_function.hpp"
#include "net/agree.hpp"
#endif

namespace weft::core {

#ifdef WEFT_WITH_FFTW_MPI

namespace {

/// FFTW's functions for reals of 8 and of 4 bytes: what is moved is not looked into, so tuples are
/// counted in the larger ones that fit.
struct Doubles {
    using Real = double;
    using Plan = fftw_plan;
    static inline const auto make = WEFT_NEXT_FUNCTION(fftw_mpi_plan_many_transpose);
    static inline const auto execute = WEFT_NEXT_FUNCTION(fftw_mpi_execute_r2r);
    static inline const auto destroy = WEFT_NEXT_FUNCTION(fftw_destroy_plan);
    static inline const auto start = WEFT_NEXT_FUNCTION(fftw_mpi_init);
    static inline const auto size = WEFT_NEXT_FUNCTION(fftw_mpi_local_size_many_transposed);
};
struct Floats {
    using Real = float;
    using Plan = fftwf_plan;
    static inline const auto make = WEFT_NEXT_FUNCTION(fftwf_mpi_plan_many_transpose);
    static inline const auto execute = WEFT_NEXT_FUNCTION(fftwf_mpi_execute_r2r);
    static inline const auto destroy = WEFT_NEXT_FUNCTION(fftwf_destroy_plan);
    static inline const auto start = WEFT_NEXT_FUNCTION(fftwf_mpi_init);
    static inline const auto size = WEFT_NEXT_FUNCTION(fftwf_mpi_local_size_many_transposed);
};

template <class Api>
class FftwTranspose : public Channel {
  public:
    using Real = typename Api::Real;

    FftwTranspose(const Ends& ends, const MatrixTask& matrix) : ends_(ends), matrix_(matrix) {}

    void connect() override {
        const bool used = matrix_.tuple_bytes != 0;
        MPI_Comm all = ends_.all.comm;
        std::shared_ptr<Kept> kept;
        std::vector<Real> from;
        std::vector<Real> to;
        all_or_none(all, [&] {
            if (!used) return;
            const auto room = usize(measure_room());
            auto& place = ends_.group.pooled->kept[key()];
            if (place == nullptr) place = std::make_shared<Kept>();
            kept = std::static_pointer_cast<Kept>(place);
            // FFTW works in a result that is as large as the largest of both ends.
            if (room > usize(result_)) landing_.resize(room);
            if (kept->plan != nullptr) return;
            from.resize(std::max<std::size_t>(room, 1));
            to.resize(from.size());
        });
        // FFTW duplicates communicators while it plans, and does not look whether it got them.
        constexpr int of_fftw = 8;
        if (on_any_rank(all, !from.empty())) require_communicators(ends_.group, ends_.all, of_fftw);
        // All of a group have a plan or none has. It is measured on memory of its own, since
        // measuring overwrites it.
        all_or_none(all, [&] {
            if (!used) return;
            if (kept->plan == nullptr) kept->plan = make(from, to);
            plan_ = kept->plan;
            if (plan_ == nullptr) {
                throw Error(ErrorCode::system, "FFTW made no plan for a transpose");
            }
        });
    }
    void start(const ExchangeBuffers& buffers) override {
        if (plan_ == nullptr) return;
        const auto* from = reinterpret_cast<const Real*>(buffers.from);
        auto* to = landing_.empty() ? reinterpret_cast<Real*>(buffers.to) : landing_.data();
        Api::execute(plan_, const_cast<Real*>(from), to);
        if (landing_.empty() || result_ == 0) return;
        std::memcpy(buffers.to, to, usize(result_) * sizeof(Real));
    }
    [[nodiscard]] bool start_waits() const override { return true; }
    bool test() override { return true; }
    void wait() override {}

  private:
    /// Of all transforms, since exchanges by it are entered in turn. Destroyed with the
    /// communicator, unless MPI is finalised.
    struct Kept : core::NoCopy {
        typename Api::Plan plan = nullptr;

        ~Kept() {
            if (!mpi_is_finalised() && plan != nullptr) Api::destroy(plan);
        }
    };

    [[nodiscard]] ptrdiff_t tuple() const {
        return static_cast<ptrdiff_t>(matrix_.tuple_bytes / Index{sizeof(Real)});
    }
    /// The reals that FFTW wants at either end; sets those of the result.
    ptrdiff_t measure_room() {
        Api::start();
        const std::array<ptrdiff_t, 2> extents = {matrix_.rows, matrix_.columns};
        std::array<ptrdiff_t, 4> local{};  // Rows, the first of them, columns, the first.
        const ptrdiff_t room = Api::size(2, extents.data(), tuple(), matrix_.row_block,
                                         matrix_.column_block, ends_.group.comm, local.data(),
                                         local.data() + 1, local.data() + 2, local.data() + 3);
        result_ = local[2] * matrix_.rows * tuple();
        return std::max(room, local[0] * matrix_.columns * tuple());
    }
    typename Api::Plan make(std::vector<Real>& from, std::vector<Real>& to) const {
        return Api::make(matrix_.rows, matrix_.columns, tuple(), matrix_.row_block,
                         matrix_.column_block, from.data(), to.data(), ends_.group.comm,
                         FFTW_MEASURE | FFTW_UNALIGNED);
    }
    /// By what the plan depends on.
    [[nodiscard]] std::string key() const {
        return fmt::format("fftw {} {}x{} {} {} {}", sizeof(Real), matrix_.rows, matrix_.columns,
                           matrix_.row_block, matrix_.column_block, matrix_.tuple_bytes);
    }

    Ends ends_;
    MatrixTask matrix_;
    typename Api::Plan plan_ = nullptr;
    ptrdiff_t result_ = 0;       ///< reals of the result
    std::vector<Real> landing_;  ///< where the result has too little room
};

/// A channel that transposes the matrix; the plan stays with the group's communicator, because FFTW
/// frees plans collectively.
std::unique_ptr<Channel> open_transpose(const Ends& ends, const MatrixTask& matrix) {
    if (matrix.tuple_bytes % Index{sizeof(double)} == 0) {
        return std::make_unique<FftwTranspose<Doubles>>(ends, matrix);
    }
    return std::make_unique<FftwTranspose<Floats>>(ends, matrix);
}

}  // namespace

std::string why_not_fftw(std::string_view /*device*/) { return ""; }

#else

namespace {

std::unique_ptr<Channel> open_transpose(const Ends& /*ends*/, const MatrixTask& /*matrix*/) {
    throw Error(ErrorCode::not_available, why_not_fftw({}));
}

}  // namespace

std::string why_not_fftw(std::string_view /*device*/) {
    return "this weft was built without FFTW's MPI library of the same MPI: with Open MPI install "
           "libfftw3-mpi-dev and build again";
}

#endif

std::string why_not_fftw_matrix(std::string_view device) { return why_not_fftw(device); }

// The linear layout: each rank has a row of slots, one tuple for each rank.
std::unique_ptr<Channel> open_fftw(const Ends& ends, const ExchangeTask& task) {
    const auto ranks = static_cast<Index>(task.group.ranks.size());
    return open_transpose(ends, {ranks, ranks, 1, 1, *task.slot * task.element_bytes});
}

// The matrix layout: the array itself, as plans lay it out for FFTW's blocks.
std::unique_ptr<Channel> open_fftw_matrix(const Ends& ends, const ExchangeTask& task) {
    return open_transpose(ends, *task.matrix);
}

}  // namespace weft::core
