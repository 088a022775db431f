// How something ended that all ranks did, each by itself: the error of one becomes everybody's.
//
// Rank 1 of 3 has failed, the others have not:
//
//     ending.begin(error);             // ranks 0 and 2: null
//     while (!ending.reached(false)) go_on_elsewhere();
//     ending.failure();                // "rank 1: queue work: the device is lost", on all
#pragma once

#include <exception>

#include "base/no_copy.hpp"
#include "weft/error.hpp"

namespace weft::core {

/// Another rank failed. The exception of that rank carries the details.
class PeerFailure : public Error {
  public:
    using Error::Error;
};

/// Used again and again, by all ranks equally often. Asking allocates nothing unless there is an
/// error.
class Ending : NoCopy {
  public:
    virtual ~Ending() = default;

    /// This rank has come to its end, with an error or, null, without. It waits only if the ending
    /// before was not waited for.
    virtual void begin(const std::exception_ptr& error) = 0;
    /// Whether all ranks have; waits until they have, if it may block.
    virtual bool reached(bool block) = 0;
    /// Once reached: the error of the lowest rank that has one by itself, which its text names
    /// unless all have; without such a rank a PeerFailure of the lowest one; null if none has any.
    [[nodiscard]] virtual std::exception_ptr failure() const = 0;
};

}  // namespace weft::core
