// What cuts and reorders the steps of a draft, and at last gives its values buffers: each pass is a
// function, in a file of its own.
#pragma once

#include <vector>

#include "program/draft.hpp"

namespace weft::core {

// --- tiles in flight ([song] Alg. 1): while messages of some tiles travel, others are computed

/// The tiles that travel.
struct TilesInFlight {
    Index tiles = 0;      ///< of each exchange, while another one is computed
    bool late = false;    ///< the last segments are done when all exchanges are
    bool strict = false;  ///< a tile starts when fewer than `tiles` travel, unless that is 0
};

/// Orders the steps of tiles, which the draft has tile by tile. A tile's steps are segments between
/// the exchanges that it starts, of which all tiles have as many; segment j of tile i is done
/// together with segment j-1 of tile i + `tiles`, so that so many tiles travel in each exchange, and
/// one more while a rank waits unless it is `strict`. A step of no tile goes along with the tile
/// behind it, if there is one and it serves no stage behind those of the tiles, else with the one
/// before it.
///
/// Example: three tiles of one exchange each, 1 in flight, whose segments are c (compute), s
/// (start), f (finish) and d (the last one): c0 s0, c1 s1 f0 d0, c2 s2 f1 d1, f2 d2; strict, which
/// is [song] Alg. 1: c0 s0, c1 f0 s1 d0, c2 f1 s2 d1, f2 d2.
void interleave(Draft& draft, const TilesInFlight& wanted);

// --- polls among the steps of tiles ([song] Alg. 2 and 3), so that messages go on meanwhile

/// How many polls are spread over what a tile does between two exchanges: over its transforms,
/// before its last exchange and behind that, over the copies that unpack and those that pack.
struct Polls {
    Index transforms = 0;
    Index last_transforms = 0;
    Index unpacking = 0;
    Index packing = 0;
};

/// Puts polls behind the steps that tiles do while exchanges are under way, but not behind the
/// steps that are done beside an exchange that has just been started. If there are fewer transforms
/// or copies than polls, a run of copies is cut between two copies, and a single step is cut along
/// one of its loops.
void add_polls(Draft& draft, const Polls& polls);

// --- messages in half of the bytes (weft::Wire)

/// Has each exchange send numbers of half of the bytes: what is sent is converted before it starts,
/// to a value of its own, what has landed there is converted back when it has finished. `precision`
/// is that of the arrays. The messages' elements keep their places, and are half as large.
///
/// Example: start from 2 into 3, finish, of f64 numbers, becomes: convert 2 -> 7 to f32, start from
/// 7 into 8, finish, convert 8 -> 3 from f32.
void halve_messages(Draft& draft, Precision precision);

// --- which steps of one queue have to wait for steps of the others

/// Says of each step what it comes after (Operation::after), when all values have a buffer: of each
/// other queue's steps the last one, unless a step before it on its own queue comes after that.
///
/// A step that reads a value comes after those that write it, and one that writes a value after all
/// that use another value in the same buffer. While an exchange is under way its values are its
/// own. Steps that use the memory of other ranks come after the await that allows it, and before
/// the release. Two steps that write the same value write different elements, so neither waits.
///
/// Example: transform (0), pack (1), start (2), keep (3), finish (4), unpack (5). 2 comes after 1,
/// which has written what is sent, and 5 after 4, which has received what is read.
void add_predecessors(Draft& draft, const std::vector<int>& buffer_of);

// --- the last pass: values get buffers; draft -> program

/// Places values so that those which live at the same time lie apart, unless one is made over the
/// other: in the output array where it is free and they fit (and in the input array, if it may be
/// destroyed), otherwise in work buffers: the least memory of three ways to go through the values,
/// from the first, from the last and from the largest one on. Regions keep their numbers; scratch
/// memory is one buffer, the last. Value 0 is the input, `output` the value that is to be in the
/// output array at the end; they are the first buffers: the input array and the output array, in
/// place the one array. Throws Error(system) if values that must be in the arrays live there at the
/// same time.
Program assign(Draft draft, ValueId output, const ArrayUse& use);

}  // namespace weft::core
