/* A global transposition as one writes it with MPI alone: an array of n0 x n1 x n2 complex numbers,
 * axis 0 cut into slabs, becomes one with axis 1 cut into slabs. What weft's redistribution is
 * measured beside, so no weft in here.
 *
 * Input: [my part of n0][n1][n2]. Output: [n0][my part of n1][n2], or with axis 1 slowest, as a
 * transform along axis 0 likes it: [my part of n1][n0][n2]. Part r of n over p ranks starts at
 * n*r/p, rounded down. Everything is prepared once and used again and again. */
#ifndef WEFT_BENCH_BY_HAND_H
#define WEFT_BENCH_BY_HAND_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

enum by_hand_order { by_hand_natural, by_hand_axis1_slowest };

struct by_hand_alltoallv;
struct by_hand_alltoallw;
struct by_hand_isend_waitall;

/* Pack, one MPI_Alltoallv, unpack where the output's order needs it. Null: no memory. */
struct by_hand_alltoallv* by_hand_alltoallv_create(const int shape[3], enum by_hand_order order,
                                                   MPI_Comm comm);
void by_hand_alltoallv_run(struct by_hand_alltoallv* self, const void* in, void* out);
void by_hand_alltoallv_free(struct by_hand_alltoallv* self);

/* One MPI_Alltoallw of subarrays; only in natural order, which is all that they can do. */
struct by_hand_alltoallw* by_hand_alltoallw_create(const int shape[3], MPI_Comm comm);
void by_hand_alltoallw_run(struct by_hand_alltoallw* self, const void* in, void* out);
void by_hand_alltoallw_free(struct by_hand_alltoallw* self);

/* Pack and MPI_Isend for one rank after the other, MPI_Waitall, unpack; what stays on the rank is
 * copied to its place at once. */
struct by_hand_isend_waitall* by_hand_isend_waitall_create(const int shape[3],
                                                           enum by_hand_order order, MPI_Comm comm);
void by_hand_isend_waitall_run(struct by_hand_isend_waitall* self, const void* in, void* out);
void by_hand_isend_waitall_free(struct by_hand_isend_waitall* self);

#ifdef __cplusplus
}
#endif

#endif
