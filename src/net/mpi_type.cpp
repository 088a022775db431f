#include "net/mpi_type.hpp"

#include <array>
#include <vector>

#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

/// `count` copies of a type, `stride` bytes apart; count <= chunk.
MPI_Datatype repeated(MPI_Datatype type, Index count, Index stride) {
    MPI_Datatype result = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_hvector(static_cast<int>(count), 1, stride, type, &result),
              "MPI_Type_create_hvector");
    return result;
}

/// The same for any count: whole chunks, repeated, and what is left after them.
MPI_Datatype repeated_in_chunks(MPI_Datatype type, Index count, Index stride, Index chunk) {
    if (count <= chunk) return repeated(type, count, stride);
    MPI_Datatype whole = repeated(type, chunk, stride);
    MPI_Datatype wholes = repeated_in_chunks(whole, count / chunk, chunk * stride, chunk);
    free_type(whole);
    if (count % chunk == 0) return wholes;
    MPI_Datatype rest = repeated(type, count % chunk, stride);
    const std::array<int, 2> lengths = {1, 1};
    const std::array<MPI_Aint, 2> offsets = {0, count / chunk * chunk * stride};
    const std::array<MPI_Datatype, 2> types = {wholes, rest};
    MPI_Datatype result = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_struct(2, lengths.data(), offsets.data(), types.data(), &result),
              "MPI_Type_create_struct");
    free_type(wholes);
    free_type(rest);
    return result;
}

}  // namespace

MPI_Datatype element_type(Index bytes) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type), "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
    return type;
}

void free_type(MPI_Datatype& type) {
    if (!mpi_is_finalised() && type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
}

namespace {

/// One slice as a type, its offset left out.
MPI_Datatype slice_type(const Slice& slice, Index element_bytes, Index chunk) {
    MPI_Datatype type = element_type(element_bytes);
    for (auto run = slice.runs.rbegin(); run != slice.runs.rend(); ++run) {
        if (run->extent == 1) continue;
        MPI_Datatype level =
            repeated_in_chunks(type, run->extent, run->stride * element_bytes, chunk);
        free_type(type);
        type = level;
    }
    return type;
}

}  // namespace

SliceType::SliceType(const std::vector<Slice>& slices, Index element_bytes, Index chunk) {
    std::vector<MPI_Aint> offsets;
    std::vector<MPI_Datatype> types;
    for (const Slice& slice : slices) {
        offsets.push_back(slice.offset * element_bytes);
        types.push_back(slice_type(slice, element_bytes, chunk));
    }
    const std::vector<int> lengths(slices.size(), 1);
    check_mpi(MPI_Type_create_struct(static_cast<int>(slices.size()), lengths.data(),
                                     offsets.data(), types.data(), &type_),
              "MPI_Type_create_struct");
    for (MPI_Datatype& type : types) free_type(type);
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
}

SliceType::~SliceType() { free_type(type_); }

}  // namespace weft::core
