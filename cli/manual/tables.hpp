// The words of texts that have no table in the library, for the manual page weft-problem(7). tests/cli/manual.py
// asks `weft explain` for each of them.
#pragma once

#include <array>
#include <string_view>

namespace weft::cli {

struct Word {
    std::string_view text;
    std::string_view meaning;
};

inline constexpr std::array kind_words = {
    Word{"c2c", "complex to complex; the exponent's sign is -1 forward and +1 backward"},
    Word{"r2c", "real to complex; the exponent's sign is -1 forward and +1 backward"},
    Word{"c2r", "complex to real; the exponent's sign is +1 forward and -1 backward"},
    Word{"r2r", "real to real: cosine and sine transforms, which kinds= names"},
    Word{"redistribute",
         "no transform, only another layout; the bytes of an element (1 to 1048576) stand in place "
         "of the precision, and both in= and out= are needed"},
};

inline constexpr std::array layout_words = {
    Word{"free", "the plan chooses the layout that costs no exchange"},
    Word{"slab(0)", "axis 0 is cut by all ranks"},
    Word{"pencil(0,1)", "two axes are cut; the plan factors the number of ranks"},
    Word{"pencil(0:2,1:4)",
         "two axes are cut in 2 and 4 parts; the axis named last varies fastest with the rank"},
    Word{"cut(0,1,2)", "any number of axes is cut"},
    Word{"brick", "all axes are cut, by the process grid of least surface"},
    Word{"grid(2x4x1)", "2 parts along axis 0, 4 along axis 1, 1 along axis 2"},
    Word{"single", "rank 0 owns the whole array"},
    Word{"sphere(2)",
         "for a spectrum only: the columns of modes that meet a sphere of this radius"},
    Word{"boxes([0:4,0:8,0:8]|[4:8,0:8,0:8])",
         "boxes [LO:HI,..], half-open, a range along each axis; a bar separates the ranks, and a "
         "rank may have several boxes or none"},
};

inline constexpr std::array memory_words = {
    Word{"@102", "stored with axis 1 slowest, then 0, then 2"},
    Word{"@b102", "a batch of fields stored one after the other (@012b: interleaved)"},
    Word{"+(0,0,2)", "2 elements are left out after each line along axis 2"},
    Word{"/(1024,32,1)", "elements between neighbours along each axis"},
};

inline constexpr std::array tile_words = {
    Word{"axis:2", "tiles are cut along this axis of the array, b for the batch"},
    Word{"T:16", "elements of a tile along the axis, of each rank's part"},
    Word{"W:2", "tiles in flight per exchange; 0 turns overlap off"},
    Word{"Px:32", "sub-tile of packing along the slowest axis that is not transformed"},
    Word{"Pz:1", "sub-tile of packing along the axis of the tiles"},
    Word{"Uy:32", "sub-tile of unpacking along the slowest axis that is not transformed"},
    Word{"Uz:1", "sub-tile of unpacking along the axis of the tiles"},
    Word{"Fy:1", "polls while a rank transforms a tile that it sends"},
    Word{"Fp:1", "polls while a rank packs a tile"},
    Word{"Fu:1", "polls while a rank unpacks a tile"},
    Word{"Fx:1", "polls while a rank transforms a tile that has arrived"},
    Word{"F:8", "Fy, Fp, Fu and Fx together"},
    Word{"B:1", "fields of a batch that go through all stages one after the other"},
    Word{"progress:poll",
         "how messages are tested: poll (by the rank, as often as F says), thread (by a thread of "
         "the transform) or none"},
    Word{"late", "tiles are unpacked and transformed after all of them have arrived"},
    Word{"strict", "W tiles of an exchange travel at most, not W + 1"},
};

inline constexpr std::array problem_examples = {
    Word{"c2c:f64:256x256x256*8 in=slab(0); ranks=8",
         "Eight complex fields that are cut along axis 0; the plan chooses the output's layout."},
    Word{"r2c:f32:128x128x128 in=pencil(0,1) out=pencil(1,2); ranks=16; via=alltoallv",
         "A real array in pencils, transformed with one MPI_Alltoallv for each redistribution."},
    Word{"r2r:f64:64x48 kinds=dct2,dst1 scale=none/n; ranks=4",
         "A cosine transform along axis 0, a sine transform along axis 1, and a backward transform "
         "that is divided by N."},
    Word{"c2c:f64:64x64x64 modes=32x32x32 in=slab(0); ranks=4; decomposition=slab; tile=(T:4)",
         "Only 32 modes of each axis are kept, and tiles of 4 elements overlap messages with "
         "computation."},
    Word{"redistribute:24:100x60 in=slab(0) out=brick; ranks=6",
         "Elements of 24 bytes are redistributed from slabs to bricks."},
};

}  // namespace weft::cli
