/* Pack, one MPI_Alltoallv, unpack ([ayala] Alg. 1). */
#include <stdlib.h>

#include "slabs.h"

struct by_hand_alltoallv {
    slabs slabs;
    int* counts; /* four times as many as ranks: what is sent, where, what is received, where */
    element* sent;
    element* received; /* not in natural order: then messages are received where they belong */
};

struct by_hand_alltoallv* by_hand_alltoallv_create(const int shape[3], enum by_hand_order order,
                                                   MPI_Comm comm) {
    struct by_hand_alltoallv* self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    int failed = slabs_init(&self->slabs, shape, order, comm);
    const int ranks = self->slabs.ranks;
    self->counts = calloc(4 * (size_t)ranks, sizeof *self->counts);
    failed = failed || self->counts == NULL;
    failed = failed || slabs_buffers(&self->slabs, &self->sent, &self->received);
    if (failed) {
        by_hand_alltoallv_free(self);
        return NULL;
    }
    int sent = 0;
    int received = 0;
    for (int r = 0; r < ranks; ++r) {
        self->counts[r] = (int)slabs_send(&self->slabs, r);
        self->counts[ranks + r] = sent;
        self->counts[2 * ranks + r] = (int)slabs_receive(&self->slabs, r);
        self->counts[3 * ranks + r] = received;
        sent += self->counts[r];
        received += self->counts[2 * ranks + r];
    }
    return self;
}

void by_hand_alltoallv_run(struct by_hand_alltoallv* self, const void* in, void* out) {
    const slabs* slabs = &self->slabs;
    const int ranks = slabs->ranks;
    const int* send_counts = self->counts;
    const int* send_offsets = self->counts + ranks;
    const int* receive_counts = self->counts + 2 * ranks;
    const int* receive_offsets = self->counts + 3 * ranks;
    element* received = self->received != NULL ? self->received : out;

    for (int r = 0; r < ranks; ++r) slabs_pack(slabs, r, in, self->sent + send_offsets[r]);
    MPI_Alltoallv(self->sent, send_counts, send_offsets, MPI_C_DOUBLE_COMPLEX, received,
                  receive_counts, receive_offsets, MPI_C_DOUBLE_COMPLEX, slabs->comm);
    if (received == out) return;
    for (int r = 0; r < ranks; ++r) slabs_unpack(slabs, r, received + receive_offsets[r], out);
}

void by_hand_alltoallv_free(struct by_hand_alltoallv* self) {
    if (self == NULL) return;
    slabs_free(&self->slabs);
    free(self->counts);
    free(self->sent);
    free(self->received);
    free(self);
}
