#include "fortran.h"

#include <string.h>

#include "record.h"

#define XF(name) XM(name##_f03)

plan_t XF(plan_dft_2d)(ptrdiff_t, ptrdiff_t, complex_t*, complex_t*, MPI_Fint, int, int);
plan_t XF(plan_dft_3d)(ptrdiff_t, ptrdiff_t, ptrdiff_t, complex_t*, complex_t*, MPI_Fint, int, int);
plan_t XF(plan_dft_r2c_2d)(ptrdiff_t, ptrdiff_t, real*, complex_t*, MPI_Fint, int);
plan_t XF(plan_many_dft_r2c)(int, const ptrdiff_t*, ptrdiff_t, ptrdiff_t, ptrdiff_t, real*,
                             complex_t*, MPI_Fint, int);
plan_t XF(plan_dft_c2r_2d)(ptrdiff_t, ptrdiff_t, complex_t*, real*, MPI_Fint, int);
plan_t XF(plan_dft_c2r)(int, const ptrdiff_t*, complex_t*, real*, MPI_Fint, int);
plan_t XF(plan_many_r2r)(int, const ptrdiff_t*, ptrdiff_t, ptrdiff_t, ptrdiff_t, real*, real*,
                         MPI_Fint, const kind_t*, int);
plan_t XF(plan_transpose)(ptrdiff_t, ptrdiff_t, real*, real*, MPI_Fint, int);
ptrdiff_t XF(local_size_3d_transposed)(ptrdiff_t, ptrdiff_t, ptrdiff_t, MPI_Fint, ptrdiff_t*,
                                       ptrdiff_t*, ptrdiff_t*, ptrdiff_t*);
ptrdiff_t XF(local_size_many_transposed)(int, const ptrdiff_t*, ptrdiff_t, ptrdiff_t, ptrdiff_t,
                                         MPI_Fint, ptrdiff_t*, ptrdiff_t*, ptrdiff_t*, ptrdiff_t*);

plan_t plan_in_fortran(const trial_t* t, void* in, void* out) {
    const MPI_Fint comm = MPI_Comm_c2f(t->comm);
    const ptrdiff_t* n = t->n;
    const int flags = (int)t->flags;
    const int flat = t->dims == 2;
    switch (t->family) {
        case dft:
            if (flat) return XF(plan_dft_2d)(n[0], n[1], in, out, comm, FFTW_FORWARD, flags);
            return XF(plan_dft_3d)(n[0], n[1], n[2], in, out, comm, FFTW_FORWARD, flags);
        case r2c:
            if (flat) return XF(plan_dft_r2c_2d)(n[0], n[1], in, out, comm, flags);
            return XF(plan_many_dft_r2c)(3, n, 1, 0, 0, in, out, comm, flags);
        case c2r:
            if (flat) return XF(plan_dft_c2r_2d)(n[0], n[1], in, out, comm, flags);
            return XF(plan_dft_c2r)(3, n, in, out, comm, flags);
        case r2r:
            return XF(plan_many_r2r)(t->dims, n, 1, 0, 0, in, out, comm, t->kinds, flags);
        case transposition:
            break;
    }
    return XF(plan_transpose)(n[0], n[1], in, out, comm, flags);
}

void sizes_in_fortran(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, ptrdiff_t sizes[5]) {
    const MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD);
    const ptrdiff_t n[] = {n0, n1, n2};
    ptrdiff_t other[5];
    sizes[0] =
        XF(local_size_3d_transposed)(n0, n1, n2, comm, &sizes[1], &sizes[2], &sizes[3], &sizes[4]);
    other[0] = XF(local_size_many_transposed)(3, n, 1, 0, 0, comm, &other[1], &other[2], &other[3],
                                              &other[4]);
    expect(memcmp(sizes, other, sizeof other) == 0, "local sizes differ", "fortran");
}
