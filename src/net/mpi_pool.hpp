// What weft has made of a caller's communicator.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "net/mpi.hpp"

namespace weft::core {

class CommPool : public std::enable_shared_from_this<CommPool> {
  public:
    struct Entry {
        Communicators communicators;
        bool free = false;
    };

    CommPool(MPI_Comm base, int number);

    MPI_Comm base;  ///< a duplicate that returns errors
    int number;     ///< among the pools whose rank 0 is this process
    std::map<std::string, PooledGroup> groups;
    std::deque<Entry> entries;  ///< by tag

    /// The number of the lowest entry that is free on every rank: ranks may have given back
    /// different ones so far. Makes one if there is none. Collective.
    [[nodiscard]] std::size_t commonly_free_entry();
    /// Collective. Frees what is kept for leases, where no rank has one; and if no rank has `used`
    /// the pool, all of it. Whether it did.
    bool free_unused(bool used);

  private:
    [[nodiscard]] std::vector<unsigned char> commonly_free() const;
};

}  // namespace weft::core
