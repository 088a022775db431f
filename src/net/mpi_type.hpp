// Slices of buffers as MPI datatypes.
#pragma once

#include <mpi.h>

#include "base/work.hpp"

namespace weft::core {

/// Slices, one after the other, as a committed datatype whose elements travel in the order of the
/// slices' runs: one strided level around the other, from the fastest. Equals
/// MPI_Type_create_subarray where the runs are in memory order; unlike that, it can also permute,
/// and strides and offsets have 64 bits. Levels of more than `chunk` steps, the most that one MPI
/// count holds, are put together from pieces. The offset is part of the type, since the
/// displacements of MPI_Alltoallw are ints of bytes: it is used at the buffer's start, once.
class SliceType {
  public:
    SliceType(const std::vector<Slice>& slices, Index element_bytes, Index chunk);
    ~SliceType();
    SliceType(SliceType&& other) noexcept : type_(other.type_) { other.type_ = MPI_DATATYPE_NULL; }
    SliceType(const SliceType&) = delete;
    SliceType& operator=(const SliceType&) = delete;
    SliceType& operator=(SliceType&&) = delete;

    [[nodiscard]] MPI_Datatype get() const { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// An element of so many bytes, committed; freed by free_type.
MPI_Datatype element_type(Index bytes);
/// Frees a type, unless MPI is finalised already.
void free_type(MPI_Datatype& type);

}  // namespace weft::core
