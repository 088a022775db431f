#include "program/move.hpp"

#include <algorithm>
#include <utility>

#include "exchange/methods.hpp"
#include "exchange/transfers.hpp"

namespace weft::core {

namespace {

/// A box that travels as a whole, as a slice of one side's buffer.
struct Piece {
    int peer = 0;
    Slice slice;
};

std::vector<Piece> pieces(const std::vector<Transfer>& transfers, const Layout& layout, int rank,
                          const std::vector<int>& travel) {
    const std::vector<StoredBox> stored = layout.stored(rank);
    std::vector<Piece> result;
    result.reserve(transfers.size());
    for (const Transfer& transfer : transfers) {
        const StoredBox& own = stored[static_cast<std::size_t>(transfer.own)];
        result.push_back({transfer.peer, slice_of(transfer.box, own, travel)});
    }
    return result;
}

/// The same pieces laid end to end, elements in the order in which they travel.
std::vector<Piece> packed(std::vector<Piece> pieces) {
    Index offset = 0;
    for (Piece& piece : pieces) {
        Index stride = piece.slice.count();
        piece.slice.offset = offset;
        offset += stride;
        for (Run& run : piece.slice.runs) {
            stride /= run.extent;
            run.stride = stride;
        }
    }
    return pieces;
}

std::vector<CopyTask> copies(const std::vector<Piece>& from, const std::vector<Piece>& to,
                             Index element_bytes) {
    std::vector<CopyTask> result;
    for (std::size_t i = 0; i < from.size(); ++i) {
        result.push_back(copy_task(from[i].slice, to[i].slice, element_bytes));
    }
    return result;
}

/// Pieces for one peer, which are neighbours, become one message.
std::vector<Message> messages(const std::vector<Piece>& pieces) {
    std::vector<Message> result;
    for (const Piece& piece : pieces) {
        if (result.empty() || result.back().peer != piece.peer) result.push_back({piece.peer, {}});
        result.back().slices.push_back(piece.slice);
    }
    return result;
}

bool all_contiguous(const std::vector<Piece>& pieces) {
    const std::vector<Message> all = messages(pieces);
    return std::all_of(all.begin(), all.end(),
                       [](const Message& message) { return contiguous(message); });
}

/// Takes out the pieces that the rank keeps.
std::vector<Piece> take_own(std::vector<Piece>& pieces, int rank) {
    std::vector<Piece> own;
    for (const Piece& piece : pieces) {
        if (piece.peer == rank) own.push_back(piece);
    }
    std::erase_if(pieces, [rank](const Piece& piece) { return piece.peer == rank; });
    return own;
}

}  // namespace

CopyTask copy_task(const Slice& from, const Slice& to, Index element_bytes) {
    CopyTask copy{{}, element_bytes, from.offset, to.offset};
    for (std::size_t i = 0; i < from.runs.size(); ++i) {
        copy.loops.push_back({from.runs[i].extent, from.runs[i].stride, to.runs[i].stride});
    }
    return copy;
}

MoveTasks move_tasks(const Layout& from, const Layout& to, const MoveStage& move, Index chunk,
                     int rank, bool within_one_array) {
    const Transfers all = transfers(from.where, to.where, rank);
    // Elements of a piece travel in the receiver's order of axes or in the sender's.
    const auto& travel = move.pack == Pack::receiver ? from.format.order : to.format.order;
    std::vector<Piece> sends = pieces(all.sends, from, rank, travel);
    std::vector<Piece> receives = pieces(all.receives, to, rank, travel);
    const bool method_packs = method(move.via).packed;
    const Index element_bytes = from.scalar.bytes();

    MoveTasks tasks;
    tasks.unpacks = method_packs && !all_contiguous(receives);
    tasks.packs = (method_packs && !all_contiguous(sends)) || (within_one_array && !tasks.unpacks);
    if (tasks.packs) {
        const std::vector<Piece> packed_sends = packed(sends);
        tasks.pack = copies(sends, packed_sends, element_bytes);
        sends = packed_sends;
    }
    if (tasks.unpacks) {
        const std::vector<Piece> packed_receives = packed(receives);
        tasks.unpack = copies(packed_receives, receives, element_bytes);
        receives = packed_receives;
    }
    const std::vector<Piece> kept = take_own(sends, rank);
    tasks.own = copies(kept, take_own(receives, rank), element_bytes);
    tasks.exchange = {move.via,
                      group(from.where, to.where, rank),
                      element_bytes,
                      chunk,
                      std::max(from.largest_span(), to.largest_span()),
                      messages(sends),
                      messages(receives)};
    return tasks;
}

}  // namespace weft::core
