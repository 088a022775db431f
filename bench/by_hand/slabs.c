#include "slabs.h"

#include <stdlib.h>
#include <string.h>

static int* part_begins(int length, int ranks) {
    int* begins = malloc(((size_t)ranks + 1) * sizeof *begins);
    if (begins == NULL) return NULL;
    for (int r = 0; r <= ranks; ++r) begins[r] = (int)((long long)length * r / ranks);
    return begins;
}

int slabs_init(slabs* self, const int shape[3], enum by_hand_order order, MPI_Comm comm) {
    memcpy(self->shape, shape, sizeof self->shape);
    self->order = order;
    self->comm = comm;
    MPI_Comm_rank(comm, &self->rank);
    MPI_Comm_size(comm, &self->ranks);
    self->begin0 = part_begins(shape[0], self->ranks);
    self->begin1 = part_begins(shape[1], self->ranks);
    return self->begin0 == NULL || self->begin1 == NULL;
}

void slabs_free(slabs* self) {
    free(self->begin0);
    free(self->begin1);
}

static size_t length(const slabs* self, int axis) { return (size_t)self->shape[axis]; }

static size_t part(const int* begin, int r) { return (size_t)(begin[r + 1] - begin[r]); }

size_t slabs_in(const slabs* self) {
    return part(self->begin0, self->rank) * length(self, 1) * length(self, 2);
}

size_t slabs_out(const slabs* self) {
    return length(self, 0) * part(self->begin1, self->rank) * length(self, 2);
}

size_t slabs_send(const slabs* self, int peer) {
    return part(self->begin0, self->rank) * part(self->begin1, peer) * length(self, 2);
}

size_t slabs_receive(const slabs* self, int peer) {
    return part(self->begin0, peer) * part(self->begin1, self->rank) * length(self, 2);
}

/* The rows along axis 2 of a block of the input, to rows that are so far apart for each axis. */
static void copy_block(const slabs* self, int peer, const element* in, element* to, size_t stride0,
                       size_t stride1) {
    const size_t n0 = part(self->begin0, self->rank);
    const size_t n1 = part(self->begin1, peer);
    const size_t n2 = length(self, 2);
    const element* from = in + (size_t)self->begin1[peer] * n2;
    if (stride1 == n2) {
        for (size_t i = 0; i < n0; ++i) {
            memcpy(to + i * stride0, from + i * length(self, 1) * n2, n1 * n2 * sizeof *to);
        }
        return;
    }
    for (size_t j = 0; j < n1; ++j) {
        for (size_t i = 0; i < n0; ++i) {
            memcpy(to + j * stride1 + i * stride0, from + (i * length(self, 1) + j) * n2,
                   n2 * sizeof *to);
        }
    }
}

int slabs_buffers(const slabs* self, element** sent, element** received) {
    *sent = malloc(slabs_in(self) * sizeof **sent + 1);
    if (self->order == by_hand_natural) return *sent == NULL;
    *received = malloc(slabs_out(self) * sizeof **received + 1);
    return *sent == NULL || *received == NULL;
}

void slabs_pack(const slabs* self, int peer, const element* in, element* message) {
    const size_t n2 = length(self, 2);
    if (self->order == by_hand_natural) {
        copy_block(self, peer, in, message, part(self->begin1, peer) * n2, n2);
    } else {
        copy_block(self, peer, in, message, n2, part(self->begin0, self->rank) * n2);
    }
}

element* slabs_place(const slabs* self, int peer, element* out) {
    const size_t rows = self->order == by_hand_natural ? part(self->begin1, self->rank) : 1;
    return out + (size_t)self->begin0[peer] * rows * length(self, 2);
}

void slabs_unpack(const slabs* self, int peer, const element* message, element* out) {
    const size_t run = part(self->begin0, peer) * length(self, 2);
    element* to = slabs_place(self, peer, out);
    for (size_t j = 0; j < part(self->begin1, self->rank); ++j) {
        memcpy(to + j * length(self, 0) * length(self, 2), message + j * run, run * sizeof *to);
    }
}

void slabs_keep(const slabs* self, const element* in, element* out) {
    const size_t n2 = length(self, 2);
    element* to = slabs_place(self, self->rank, out);
    if (self->order == by_hand_natural) {
        copy_block(self, self->rank, in, to, part(self->begin1, self->rank) * n2, n2);
    } else {
        copy_block(self, self->rank, in, to, n2, length(self, 0) * n2);
    }
}
