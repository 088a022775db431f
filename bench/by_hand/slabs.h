/* What the packing transpositions share: who has what, and the loops that pack and unpack. */
#ifndef WEFT_BENCH_BY_HAND_SLABS_H
#define WEFT_BENCH_BY_HAND_SLABS_H

#include <complex.h>
#include <stddef.h>

#include "by_hand.h"

typedef double complex element;

typedef struct {
    int shape[3];
    enum by_hand_order order;
    MPI_Comm comm;
    int rank;
    int ranks;
    int* begin0; /* of each rank's part of axis 0, and at last the whole length */
    int* begin1; /* the same for axis 1 */
} slabs;

/* Nonzero: no memory. */
int slabs_init(slabs* self, const int shape[3], enum by_hand_order order, MPI_Comm comm);
void slabs_free(slabs* self);

/* Room for all messages: those sent and, unless they are received where they belong (then NULL),
 * those received. Nonzero: no memory. */
int slabs_buffers(const slabs* self, element** sent, element** received);

/* Elements that this rank has, and those that it sends to or receives from a peer. */
size_t slabs_in(const slabs* self);
size_t slabs_out(const slabs* self);
size_t slabs_send(const slabs* self, int peer);
size_t slabs_receive(const slabs* self, int peer);

/* A peer's block of the input to a message, in the output's order of axes. */
void slabs_pack(const slabs* self, int peer, const element* in, element* message);
/* A peer's message to its block of the output, with axis 1 slowest; in natural order blocks are
 * contiguous and messages are received where they belong. */
void slabs_unpack(const slabs* self, int peer, const element* message, element* out);
/* Where a peer's block of the output begins. */
element* slabs_place(const slabs* self, int peer, element* out);
/* The block that stays, from the input to the output. */
void slabs_keep(const slabs* self, const element* in, element* out);

#endif
