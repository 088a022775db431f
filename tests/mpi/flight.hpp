// A transform with arrays and the results that it has to give, for tests that start several.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "expect.hpp"

namespace weft::test {

/// The results of forward() and backward() are what start and wait are compared with, bit by bit.
class Flight {
  public:
    Flight(const std::string& text, MPI_Comm comm, int fields = 1);

    void start(bool backward);
    bool test();
    void wait();
    /// Whether the arrays hold what the direction that was started last gives.
    void expect_right() const;

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] Transform& transform() { return *transform_; }
    /// Destroys the transform, but not its arrays.
    void destroy() { transform_.reset(); }

  private:
    std::string text_;
    std::vector<Array<std::byte>> in_;
    std::vector<Array<std::byte>> out_;  ///< none in place
    std::optional<Transform> transform_;
    Index in_bytes_ = 0;  ///< of a field, that mean something
    Index out_bytes_ = 0;
    std::vector<std::byte> signal_;    ///< of all fields
    std::vector<std::byte> spectrum_;  ///< of the signal
    std::vector<std::byte> back_;      ///< of the spectrum
    bool backward_ = false;
};

/// Whether a method that is there has to run: but for one-sided where MPI was initialised for
/// several threads and has no windows then, as Open MPI 4 where processes may not read each other's
/// memory. Collective.
bool expected_here(const std::string& via);

/// One plan for every method that can run here, in different decompositions, kinds and sizes.
std::vector<std::string> flights_of_all_methods();

/// Messages of the caller's own, as if somebody used the communicator for something else: to the
/// next rank, from the one before, by the tag that weft takes.
class OwnMessages {
  public:
    explicit OwnMessages(MPI_Comm comm);
    /// One more round, which waits, then that of the constructor.
    void expect_right();

  private:
    MPI_Comm comm_;
    int rank_ = 0;
    int ranks_ = 1;
    int sent_ = 0;
    int received_ = -1;
    MPI_Request requests_[2];
};

}  // namespace weft::test
