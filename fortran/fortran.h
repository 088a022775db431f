/* What the Fortran modules call besides weft.h (c.f90). */
#pragma once

#include <weft/weft.h>

/* An argument of any type and rank, c_view in c.f90. */
enum { other_elements, real_elements, complex_elements, address_elements };
enum { max_rank = 15 };
typedef struct c_view {
    void* address;
    int type;
    int rank;
    int contiguous;
    int64_t bytes; /* of an element */
    int64_t extent[max_rank];
} c_view;

/* weft_agree of this rank alone. */
weft_code weft_fortran_refuse(const char* error);
weft_code weft_fortran_agree(const char* error, MPI_Fint comm);
weft_code weft_fortran_boxes_text(int count, int axes, const int64_t* lo, const int64_t* hi,
                                  MPI_Fint comm, char** text);
weft_code weft_fortran_plan_from_text(const char* text, MPI_Fint comm, weft_plan** plan);
