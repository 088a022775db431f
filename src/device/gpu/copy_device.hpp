// The kernels that copy and scale.
#pragma once

#include "device/gpu/access.hpp"
#include "device/gpu/copy_tables.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// The entry that a chunk belongs to.
template <class Entry>
WEFT_DEVICE_CODE const Entry& entry_of(const EntryTable<Entry>& table, std::uint32_t chunk) {
    std::uint32_t low = 0;
    std::uint32_t high = table.count;
    while (high - low > 1) {
        const std::uint32_t middle = (low + high) / 2;
        if (table.entries[middle].first_chunk <= chunk) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return table.entries[low];
}

/// Moves Count pairs of addresses on, each to its step of the loops. The steps are used up. What is
/// known of a loop is loaded once for all of them.
template <int Count>
WEFT_DEVICE_CODE void step_on(const EntryLoops& loops, std::uint32_t* step, Index* from,
                              Index* to) {
    const int last = loops.count - 1;
    WEFT_NO_UNROLL
    for (int k = 0; k < last; ++k) {
        const EntryLoop loop = loops.loop[k];
        WEFT_UNROLL
        for (int i = 0; i < Count; ++i) {
            std::uint32_t digit = step[i];
            step[i] = loop.extent.split(digit);
            from[i] += digit * loop.from;
            to[i] += digit * loop.to;
        }
    }
    if (last < 0) return;
    const EntryLoop loop = loops.loop[last];
    WEFT_UNROLL
    for (int i = 0; i < Count; ++i) {
        from[i] += step[i] * loop.from;
        to[i] += step[i] * loop.to;
    }
}

template <int Bytes>
struct CopyUnit {
    using Value = Unit<Bytes>;
    WEFT_DEVICE_CODE Value operator()(const Value& value) const { return value; }
};

template <class Number, int Count>
struct ScaleUnit {
    using Value = Pack<Number, Count>;
    Number factor;
    WEFT_DEVICE_CODE Value operator()(Value value) const {
        WEFT_UNROLL
        for (Number& number : value.values) number *= factor;
        return value;
    }
};

/// Every thread has copy_unroll units under way at once; those of neighbours are adjacent.
template <class Work>
WEFT_DEVICE_CODE void do_row_chunk(const RowsEntry& entry, std::uint32_t chunk, const Work& work,
                                   const std::byte* from, std::byte* to) {
    using Value = typename Work::Value;
    constexpr int count = copy_unroll;
    const std::uint32_t first = chunk * row_chunk + threadIdx.x;
    const std::uint32_t units = entry.units;
    std::uint32_t row[count];
    Index source[count];
    Index target[count];
    const Divider divider = entry.row;
    WEFT_UNROLL
    for (int k = 0; k < count; ++k) {
        std::uint32_t unit = first + k * copy_threads;
        row[k] = divider.split(unit);
        source[k] = entry.from + unit * Index{sizeof(Value)};
        target[k] = entry.to + unit * Index{sizeof(Value)};
    }
    step_on<count>(entry.outer, row, source, target);
    Value held[count] = {};
    WEFT_UNROLL
    for (int k = 0; k < count; ++k) {
        if (first + k * copy_threads < units) held[k] = load<Value>(from + source[k]);
    }
    WEFT_UNROLL
    for (int k = 0; k < count; ++k) {
        if (first + k * copy_threads < units) store(to + target[k], work(held[k]));
    }
}

template <class Work>
WEFT_KERNEL void WEFT_THREADS(copy_threads, 4)
    do_rows(const EntryTable<RowsEntry> table, const Work work, const std::byte* from,
            std::byte* to) {
    const RowsEntry& entry = entry_of(table, blockIdx.x);
    do_row_chunk(entry, blockIdx.x - entry.first_chunk, work, from, to);
}

/// How the threads of a block lie over a tile: an access moves Wide elements, and 128 bytes that
/// are adjacent in memory are those of neighbours. Then neither memory nor shared memory, whose
/// rows are one element longer than a tile's, lets them wait for each other.
template <int Bytes, int Wide>
struct TileThreads {
    static constexpr std::uint32_t along = 128 / (Bytes * Wide);
    static constexpr std::uint32_t across = 32 / along;
    static constexpr std::uint32_t warps = copy_threads / 32;
    static constexpr std::uint32_t tile = tile_extent(Bytes);
    static constexpr std::uint32_t steps_along = tile / (along * Wide);
    static constexpr std::uint32_t steps = steps_along * (tile / across) / warps;

    /// Of step number `step`: the element along the fastest axis, and that along the other one.
    WEFT_DEVICE_CODE static void place(std::uint32_t step, std::uint32_t& fast,
                                       std::uint32_t& slow) {
        const std::uint32_t lane = threadIdx.x % 32;
        const std::uint32_t part = step * warps + threadIdx.x / 32;
        fast = (part % steps_along * along + lane % along) * Wide;
        slow = part / steps_along * across + lane / along;
    }
};

/// Where a tile begins in both arrays, how much of it there is, and how it lies.
struct TileAt {
    Index from = 0;
    Index to = 0;
    std::uint32_t inner_extent = 0;
    std::uint32_t cross_extent = 0;
    Loop inner;  ///< strides in bytes
    Loop cross;
};

WEFT_DEVICE_CODE TileAt tile_at(const TilesEntry& entry, std::uint32_t chunk, std::uint32_t tile) {
    std::uint32_t inner = chunk;
    std::uint32_t cross = entry.inner_tiles.split(inner);
    std::uint32_t step = entry.cross_tiles.split(cross);
    inner *= tile;
    cross *= tile;
    TileAt at{.inner_extent = entry.inner_extent - inner,
              .cross_extent = entry.cross_extent - cross,
              .inner = entry.inner,
              .cross = entry.cross};
    at.from = entry.from + inner * at.inner.from + cross * at.cross.from;
    at.to = entry.to + inner * at.inner.to + cross * at.cross.to;
    step_on<1>(entry.outer, &step, &at.from, &at.to);
    return at;
}

template <int Bytes, int Wide>
WEFT_DEVICE_CODE void read_tile(const TileAt& at, const std::byte* from, Unit<Bytes>* shared) {
    using Threads = TileThreads<Bytes, Wide>;
    using Value = Pack<Unit<Bytes>, Wide>;
    Value held[Threads::steps] = {};
    WEFT_UNROLL
    for (std::uint32_t k = 0; k < Threads::steps; ++k) {
        std::uint32_t cross = 0;
        std::uint32_t inner = 0;
        Threads::place(k, cross, inner);
        if (cross >= at.cross_extent || inner >= at.inner_extent) continue;
        held[k] = load<Value>(from + at.from + cross * at.cross.from + inner * at.inner.from);
    }
    WEFT_UNROLL
    for (std::uint32_t k = 0; k < Threads::steps; ++k) {
        std::uint32_t cross = 0;
        std::uint32_t inner = 0;
        Threads::place(k, cross, inner);
        if (cross >= at.cross_extent || inner >= at.inner_extent) continue;
        WEFT_UNROLL
        for (int e = 0; e < Wide; ++e) {
            shared[inner * (Threads::tile + 1) + cross + e] = held[k].values[e];
        }
    }
}

template <int Bytes, int Wide>
WEFT_DEVICE_CODE void write_tile(const TileAt& at, const Unit<Bytes>* shared, std::byte* to) {
    using Threads = TileThreads<Bytes, Wide>;
    WEFT_UNROLL
    for (std::uint32_t k = 0; k < Threads::steps; ++k) {
        std::uint32_t inner = 0;
        std::uint32_t cross = 0;
        Threads::place(k, inner, cross);
        if (cross >= at.cross_extent || inner >= at.inner_extent) continue;
        Pack<Unit<Bytes>, Wide> value;
        WEFT_UNROLL
        for (int e = 0; e < Wide; ++e) {
            value.values[e] = shared[(inner + e) * (Threads::tile + 1) + cross];
        }
        store(to + at.to + inner * at.inner.to + cross * at.cross.to, value);
    }
}

template <int Bytes, int WideFrom, int WideTo>
WEFT_KERNEL void WEFT_THREADS(copy_threads, 4)
    do_tiles(const EntryTable<TilesEntry> table, const std::byte* from, std::byte* to) {
    constexpr std::uint32_t tile = tile_extent(Bytes);
    auto* shared = shared_array<Unit<Bytes>>();
    const TilesEntry& entry = entry_of(table, blockIdx.x);
    const TileAt at = tile_at(entry, blockIdx.x - entry.first_chunk, tile);
    read_tile<Bytes, WideFrom>(at, from, shared);
    __syncthreads();
    write_tile<Bytes, WideTo>(at, shared, to);
}

template <class Work>
void launch_row_work(const EntryTable<RowsEntry>& table, const Work& work, const std::byte* from,
                     std::byte* to, cudaStream_t stream) {
    launch({table.chunks, copy_threads, 0, stream}, &do_rows<Work>, table, work, from, to);
}

void launch_rows(int unit, const EntryTable<RowsEntry>& table, const std::byte* from, std::byte* to,
                 cudaStream_t stream) {
    if (unit == 16) return launch_row_work(table, CopyUnit<16>{}, from, to, stream);
    if (unit == 8) return launch_row_work(table, CopyUnit<8>{}, from, to, stream);
    if (unit == 4) return launch_row_work(table, CopyUnit<4>{}, from, to, stream);
    if (unit == 2) return launch_row_work(table, CopyUnit<2>{}, from, to, stream);
    launch_row_work(table, CopyUnit<1>{}, from, to, stream);
}

template <int Bytes, int WideFrom, int WideTo>
void launch_tile_work(const EntryTable<TilesEntry>& table, const std::byte* from, std::byte* to,
                      cudaStream_t stream) {
    constexpr std::size_t tile = tile_extent(Bytes);
    launch({table.chunks, copy_threads, tile * (tile + 1) * Bytes, stream},
           &do_tiles<Bytes, WideFrom, WideTo>, table, from, to);
}

template <int Bytes>
void launch_tiles_of(const TileShape& how, const EntryTable<TilesEntry>& table,
                     const std::byte* from, std::byte* to, cudaStream_t stream) {
    constexpr int wide = 16 / Bytes;
    if (how.wide_from && how.wide_to) {
        launch_tile_work<Bytes, wide, wide>(table, from, to, stream);
    } else if (how.wide_from) {
        launch_tile_work<Bytes, wide, 1>(table, from, to, stream);
    } else if (how.wide_to) {
        launch_tile_work<Bytes, 1, wide>(table, from, to, stream);
    } else {
        launch_tile_work<Bytes, 1, 1>(table, from, to, stream);
    }
}

void launch_tiles(const TileShape& how, const EntryTable<TilesEntry>& table, const std::byte* from,
                  std::byte* to, cudaStream_t stream) {
    if (how.element_bytes == 4) return launch_tiles_of<4>(how, table, from, to, stream);
    if (how.element_bytes == 8) return launch_tiles_of<8>(how, table, from, to, stream);
    launch_tile_work<16, 1, 1>(table, from, to, stream);
}

template <class Number>
void launch_scale_of(bool wide, const EntryTable<RowsEntry>& table, double factor,
                     const std::byte* from, std::byte* to, cudaStream_t stream) {
    constexpr int count = 16 / sizeof(Number);
    const auto number = static_cast<Number>(factor);
    if (wide) return launch_row_work(table, ScaleUnit<Number, count>{number}, from, to, stream);
    launch_row_work(table, ScaleUnit<Number, 1>{number}, from, to, stream);
}

void launch_scale(Precision precision, bool wide, const EntryTable<RowsEntry>& table, double factor,
                  const std::byte* from, std::byte* to, cudaStream_t stream) {
    if (precision == Precision::f64) {
        launch_scale_of<double>(wide, table, factor, from, to, stream);
    } else {
        launch_scale_of<float>(wide, table, factor, from, to, stream);
    }
}

}  // namespace weft::core::WEFT_GPU_TARGET
