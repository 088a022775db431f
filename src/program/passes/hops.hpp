// Work on a device, and what goes to the host's memory and from there meanwhile: hops.
//
// A program that works on a device differs from one of the host in nothing but where its values
// lie, and in the hops. Example: transform, start, finish, transform on the caller's host arrays,
// messages staged, becomes
//
//     hop in -> d0, transform d0 -> d1, hop d1 -> h1, start from h1 into h2, finish, hop h2 -> d2,
//     transform d2 -> d3, hop d3 -> out
//
// With messages in pieces, d1 goes in as many hops, each followed by the start of what it has
// brought, so that a piece is on its way to other ranks while the next one comes from the device
// ([gholami] section 2).
//
// Where messages go onward as they arrive, each hops and is unpacked by itself, while the host
// waits for the next one. Two messages, staged:
//
//     arrival, hop h2 -> d2 and unpack d2 -> d3 of what arrived,
//     arrival, hop h2 -> d2 and unpack d2 -> d3 of what arrived, finish
//
// In pieces, those of the first piece of all messages hop before those of the second one, and a
// message is unpacked behind its last piece.
#pragma once

#include <vector>

#include "program/draft.hpp"

namespace weft::core {

struct Hops {
    /// Whether the rank computes on the device. If not, it shares the transform with others that do
    /// and has no hops; its exchanges are cut in pieces as theirs are, and what comes in pieces is
    /// unpacked when all have come.
    bool computes = true;
    bool arrays = false;  ///< the caller's arrays are the host's
    bool staged = true;   ///< messages are sent from the host's memory, and received there
    Index piece = 0;      ///< bytes of staged messages that hop together; 0: all
    /// From the elements of the caller's arrays to the same places of the device; other bytes of
    /// them stay as they are.
    std::vector<CopyTask> input{};
    std::vector<CopyTask> output{};
    /// By stage of the plan: its messages are not contiguous, and are not cut.
    std::vector<bool> strided{};
};

/// Puts all values of a rank of the device there, and adds hops where an operation needs them on
/// the host. Returns the value that is to be in the output array, which was `output`.
ValueId add_hops(Draft& draft, ValueId output, const Hops& hops);

/// In how many exchanges one goes whose contiguous messages hop in pieces of so many bytes: the
/// same on every rank, as pieces_in() of plan/device_memory counts them. 1 where messages have
/// places that one exchange alone can give them.
Index pieces_of(const ExchangeTask& task, Index piece_bytes);

/// Part i of n of an exchange: the same elements on the rank that sends and on the one that
/// receives. Its messages are contiguous.
ExchangeTask part_of(const ExchangeTask& task, Index i, Index n);

}  // namespace weft::core
