// The ending of the ranks of a communicator: one reduction that does not block.
#pragma once

#include <mpi.h>

#include <array>
#include <limits>
#include <memory>

#include "net/ending.hpp"

namespace weft::core {

class MpiEnding final : public Ending {
  public:
    /// Local. The communicator outlives it, and returns errors.
    explicit MpiEnding(MPI_Comm comm);
    ~MpiEnding() override;

    void begin(const std::exception_ptr& error) override;
    bool reached(bool block) override;
    [[nodiscard]] std::exception_ptr failure() const override;

    /// What the reduction goes by: of two that of a rank's own failure stays, then that of the
    /// lower rank.
    struct Word {
        static constexpr int nobody = std::numeric_limits<int>::max();
        int rank = nobody;  ///< that failed
        int heard = 0;      ///< 1: of another rank's failure
        int failed = 0;     ///< ranks by themselves
        int code = 0;
        std::array<char, 496> text{};  ///< a longer one is cut
    };

  private:
    /// Of one reduction. MPI writes it until that is complete.
    struct Words {
        Word own;
        Word all;
    };

    MPI_Comm comm_;
    int rank_ = 0;
    int ranks_ = 1;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op lowest_ = MPI_OP_NULL;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::unique_ptr<Words> words_;
};

}  // namespace weft::core
