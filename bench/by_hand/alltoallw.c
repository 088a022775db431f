/* One MPI_Alltoallw of subarrays, nothing packed ([ayala] Alg. 2). */
#include <stdlib.h>

#include "slabs.h"

struct by_hand_alltoallw {
    slabs slabs;
    int* counts; /* of what is sent, of what is received, and offsets, which are all 0 */
    MPI_Datatype* types;
};

/* A block of so many rows of so many, as a type; an empty one has no elements of any type. */
static void subarray(const int sizes[3], const int subsizes[3], const int starts[3], int* count,
                     MPI_Datatype* type) {
    *count = subsizes[0] > 0 && subsizes[1] > 0 && subsizes[2] > 0;
    if (*count == 0) {
        MPI_Type_dup(MPI_C_DOUBLE_COMPLEX, type);
    } else {
        MPI_Type_create_subarray(3, sizes, subsizes, starts, MPI_ORDER_C, MPI_C_DOUBLE_COMPLEX,
                                 type);
    }
    MPI_Type_commit(type);
}

struct by_hand_alltoallw* by_hand_alltoallw_create(const int shape[3], MPI_Comm comm) {
    struct by_hand_alltoallw* self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    slabs* slabs = &self->slabs;
    int failed = slabs_init(slabs, shape, by_hand_natural, comm);
    const int ranks = slabs->ranks;
    self->counts = calloc(3 * (size_t)ranks, sizeof *self->counts);
    self->types = malloc(2 * (size_t)ranks * sizeof(MPI_Datatype));
    if (self->types != NULL) {
        for (int i = 0; i < 2 * ranks; ++i) self->types[i] = MPI_DATATYPE_NULL;
    }
    if (failed || self->counts == NULL || self->types == NULL) {
        by_hand_alltoallw_free(self);
        return NULL;
    }
    const int n0 = slabs->begin0[slabs->rank + 1] - slabs->begin0[slabs->rank];
    const int n1 = slabs->begin1[slabs->rank + 1] - slabs->begin1[slabs->rank];
    const int in[3] = {n0, shape[1], shape[2]};
    const int out[3] = {shape[0], n1, shape[2]};
    for (int r = 0; r < ranks; ++r) {
        const int sent[3] = {n0, slabs->begin1[r + 1] - slabs->begin1[r], shape[2]};
        const int from[3] = {0, slabs->begin1[r], 0};
        const int received[3] = {slabs->begin0[r + 1] - slabs->begin0[r], n1, shape[2]};
        const int to[3] = {slabs->begin0[r], 0, 0};
        subarray(in, sent, from, &self->counts[r], &self->types[r]);
        subarray(out, received, to, &self->counts[ranks + r], &self->types[ranks + r]);
    }
    return self;
}

void by_hand_alltoallw_run(struct by_hand_alltoallw* self, const void* in, void* out) {
    const int ranks = self->slabs.ranks;
    const int* offsets = self->counts + 2 * ranks;
    MPI_Alltoallw(in, self->counts, offsets, self->types, out, self->counts + ranks, offsets,
                  self->types + ranks, self->slabs.comm);
}

void by_hand_alltoallw_free(struct by_hand_alltoallw* self) {
    if (self == NULL) return;
    for (int i = 0; self->types != NULL && i < 2 * self->slabs.ranks; ++i) {
        if (self->types[i] != MPI_DATATYPE_NULL) MPI_Type_free(&self->types[i]);
    }
    slabs_free(&self->slabs);
    free(self->counts);
    free(self->types);
    free(self);
}
