/* Collective functions of weft.h for communicators as MPI's Fortran has them, integers. */
#include "fortran.h"

/* Before MPI_Init and after MPI_Finalize handles cannot be converted; weft.h's functions say so. */
static MPI_Comm comm_of(MPI_Fint comm) {
    int started = 0;
    int ended = 0;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    return started && !ended ? MPI_Comm_f2c(comm) : MPI_COMM_WORLD;
}

weft_code weft_fortran_refuse(const char* error) { return weft_agree(error, MPI_COMM_NULL); }

weft_code weft_fortran_agree(const char* error, MPI_Fint comm) {
    return weft_agree(error, comm_of(comm));
}

weft_code weft_fortran_boxes_text(int count, int axes, const int64_t* lo, const int64_t* hi,
                                  MPI_Fint comm, char** text) {
    return weft_boxes_text(count, axes, lo, hi, comm_of(comm), text);
}

weft_code weft_fortran_plan_from_text(const char* text, MPI_Fint comm, weft_plan** plan) {
    return weft_plan_from_text(text, comm_of(comm), plan);
}
