/* MPI_Isend and MPI_Irecv of packed messages, one wait for all. */
#include <stdlib.h>

#include "slabs.h"

struct by_hand_isend_waitall {
    slabs slabs;
    MPI_Request* requests;
    element* sent;
    element* received; /* not in natural order: then messages are received where they belong */
};

struct by_hand_isend_waitall* by_hand_isend_waitall_create(const int shape[3],
                                                           enum by_hand_order order,
                                                           MPI_Comm comm) {
    struct by_hand_isend_waitall* self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    int failed = slabs_init(&self->slabs, shape, order, comm);
    self->requests = malloc(2 * (size_t)self->slabs.ranks * sizeof(MPI_Request));
    failed = failed || self->requests == NULL;
    failed = failed || slabs_buffers(&self->slabs, &self->sent, &self->received);
    if (failed) {
        by_hand_isend_waitall_free(self);
        return NULL;
    }
    return self;
}

void by_hand_isend_waitall_run(struct by_hand_isend_waitall* self, const void* in, void* out) {
    const slabs* slabs = &self->slabs;
    const int tag = 0;
    int requests = 0;
    element* received = self->received;
    for (int r = 0; r < slabs->ranks; ++r) {
        const int count = (int)slabs_receive(slabs, r);
        if (r != slabs->rank && count > 0) {
            element* to = received != NULL ? received : slabs_place(slabs, r, out);
            MPI_Irecv(to, count, MPI_C_DOUBLE_COMPLEX, r, tag, slabs->comm,
                      &self->requests[requests++]);
        }
        if (received != NULL) received += count;
    }
    element* sent = self->sent;
    for (int r = 0; r < slabs->ranks; ++r) {
        const int count = (int)slabs_send(slabs, r);
        if (r == slabs->rank || count == 0) continue;
        slabs_pack(slabs, r, in, sent);
        MPI_Isend(sent, count, MPI_C_DOUBLE_COMPLEX, r, tag, slabs->comm,
                  &self->requests[requests++]);
        sent += count;
    }
    slabs_keep(slabs, in, out);
    MPI_Waitall(requests, self->requests, MPI_STATUSES_IGNORE);
    if (self->received == NULL) return;
    received = self->received;
    for (int r = 0; r < slabs->ranks; ++r) {
        if (r != slabs->rank) slabs_unpack(slabs, r, received, out);
        received += slabs_receive(slabs, r);
    }
}

void by_hand_isend_waitall_free(struct by_hand_isend_waitall* self) {
    if (self == NULL) return;
    slabs_free(&self->slabs);
    free(self->requests);
    free(self->sent);
    free(self->received);
    free(self);
}
