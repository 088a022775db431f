// Strided copies of arrays: pack, unpack, permute.
#pragma once

#include <cstddef>
#include <vector>

#include "base/work.hpp"

namespace weft::core {

/// A copy task, prepared: loops of extent 1 dropped, adjacent ones merged, sorted for the
/// destination. Runs that are contiguous on both sides are copied whole; where the fastest axes of
/// the two sides differ, tiles of both are walked together, so that either side uses whole cache
/// lines.
class Copy {
  public:
    explicit Copy(const CopyTask& task);
    void execute(const std::byte* from, std::byte* to) const;

  private:
    using Row = void (*)(const Copy&, const std::byte*, std::byte*);
    void descend(std::size_t level, const std::byte* from, std::byte* to) const;
    /// Elements of that many bytes; of run_bytes_ if 0.
    template <std::size_t Bytes>
    static void transpose(const Copy& copy, const std::byte* from, std::byte* to);
    static void runs(const Copy& copy, const std::byte* from, std::byte* to);
    static Row transpose_for(Index element_bytes);

    std::vector<Loop> outer_;  ///< strides in bytes, slowest first
    Loop inner_;               ///< fastest in the destination, or of whole runs; bytes
    Loop cross_;               ///< fastest in the source; bytes
    Index run_bytes_ = 0;
    Index from_offset_ = 0;  ///< bytes
    Index to_offset_ = 0;
    Row row_ = nullptr;
};

/// What takes no longer than it takes to wake a thread.
inline constexpr Index small_bytes = Index{1} << 18;
/// Several copies, shared among threads: those of each; of one if they are small, of none if there
/// are none. What is large is cut.
std::vector<std::vector<Copy>> shared_copies(const std::vector<CopyTask>& tasks, int threads,
                                             Index small = small_bytes);

/// to = factor * from for the real numbers of the slice; from and to may be equal.
void scale(Precision precision, const std::byte* from, std::byte* to, const Slice& slice,
           double factor);

/// The real numbers of the slice to the same places, in half of the bytes: f64 as f32, f32 as bf16,
/// each rounded to the nearest, ties to even; what is too large is infinite.
void halve(Precision precision, const std::byte* from, std::byte* to, const Slice& slice);
/// And back, exactly.
void unhalve(Precision precision, const std::byte* from, std::byte* to, const Slice& slice);

/// Sets the elements of a slice to zero.
void clear(std::byte* to, const Slice& slice, Index element_bytes);

/// The same slice as at most so many slices; one if it is small.
std::vector<Slice> slices_in_parts(const Slice& slice, Precision precision, int parts,
                                   Index small = small_bytes);

}  // namespace weft::core
