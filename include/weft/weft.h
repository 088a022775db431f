/* The C interface: a text or a weft_problem becomes a plan, a plan bound to arrays a transform.
 *
 *     weft_plan* plan = NULL;
 *     weft_transform* fft = NULL;
 *     weft_plan_from_text("c2c:f64:256x256x256", MPI_COMM_WORLD, &plan);
 *     weft_bind(plan, in, out, &fft);
 *     weft_forward(fft);
 *
 * Functions return a code, WEFT_SUCCESS or what went wrong, and give their results through the
 * pointers that come last, which are written on success only. weft_last_error() is the text that
 * belongs to the code. Functions called collective are called by all ranks of the plan's
 * communicator, and an error of one rank is the error of all; the others are local.
 *
 * Arrays, layouts, signs and the texts of problems and choices are those of the C++ interface,
 * weft/plan.hpp and docs/text.md. Sizes, strides and offsets count elements: double or float, or
 * complex numbers of two of these, real part first, as C's double complex is. */
#pragma once

/* NOLINTBEGIN(modernize-*): this is C. */

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define WEFT_ENUM : int /* any value may come in, and is looked at before it is used */
extern "C" {
#else
#define WEFT_ENUM
#endif

/* What a function returns; the values of weft::ErrorCode and the exit codes of the command. */
typedef enum weft_code WEFT_ENUM {
    WEFT_SUCCESS = 0,
    WEFT_WRONG_RESULT = 1,  /* a check found a wrong transform */
    WEFT_BAD_REQUEST = 2,   /* an argument or a text is invalid, or ranks disagree */
    WEFT_NOT_AVAILABLE = 3, /* known, but not possible in this build or on this machine */
    WEFT_SYSTEM = 4         /* MPI or the operating system failed */
} weft_code;

typedef enum weft_kind WEFT_ENUM { WEFT_C2C = 0, WEFT_R2C = 1, WEFT_C2R = 2 } weft_kind;
typedef enum weft_precision WEFT_ENUM { WEFT_F32 = 0, WEFT_F64 = 1 } weft_precision;

/* The ends of `forward`; `backward` goes from WEFT_OUT to WEFT_IN. */
typedef enum weft_end WEFT_ENUM { WEFT_IN = 0, WEFT_OUT = 1 } weft_end;

typedef struct weft_plan weft_plan;
typedef struct weft_transform weft_transform;

/* An array has up to six axes, and one more for a batch; tables have room to grow. */
#define WEFT_MAX_AXES 8

/* What is to be transformed. Structs carry their size, so that members can be added behind the
 * last one: start from WEFT_PROBLEM_INIT and set what differs. Texts are those of docs/text.md. */
typedef struct weft_problem {
    size_t struct_size; /* of WEFT_PROBLEM_INIT */
    weft_kind kind;
    weft_precision precision;
    int dims;             /* 1 to 6 */
    const int64_t* shape; /* dims lengths, row-major: the last axis is adjacent in memory */
    int64_t batch;        /* fields transformed in one call */
    int axis_count;       /* how many axes are transformed; 0: all */
    const int* axes;      /* axis_count of them */
    int halved;           /* r2c, c2r: the axis that keeps n/2+1 values; -1: the last of axes */
    const char* in;       /* `slab(0)`, `pencil(0,1)@021`, ..; NULL: free */
    const char* out;
    const char* cut;   /* `balanced` or `block`; NULL: balanced */
    const char* scale; /* `none/n`, `symmetric`, `1/0.5`, ..; NULL: none */
    int in_place;      /* whether one array holds input and output */
} weft_problem;

/* c2c of double precision over no axes yet: set dims and shape. */
#define WEFT_PROBLEM_INIT \
    { sizeof(weft_problem), WEFT_C2C, WEFT_F64, 0, NULL, 1, 0, NULL, -1, NULL, NULL, NULL, NULL, 0 }

/* A part of the global array that a rank owns, and where it lies in the rank's array: element i
 * (global indices, lo[a] <= i[a] < hi[a]) is at offset + sum over axes a of (i[a]-lo[a])*stride[a].
 * Axes are those of the shape (of n/2+1 where halved); with a batch the last one is the batch. */
typedef struct weft_box {
    size_t struct_size; /* of WEFT_BOX_INIT */
    int axes;           /* how many entries the tables have */
    int64_t lo[WEFT_MAX_AXES];
    int64_t hi[WEFT_MAX_AXES];
    int64_t stride[WEFT_MAX_AXES]; /* elements between neighbours */
    int64_t offset;                /* elements before the box in the rank's array */
} weft_box;

#define WEFT_BOX_INIT \
    { sizeof(weft_box), 0, {0}, {0}, {0}, 0 }

/* `0.1.0`, of the library that is linked. */
const char* weft_version(void);

/* What went wrong in the last call of this thread that returned a failure; "" before the first.
 * Valid until the thread's next failure. */
const char* weft_last_error(void);

/* `bytes` of memory aligned for the fastest transforms; NULL if there is not enough. */
void* weft_allocate(size_t bytes);
/* Frees what weft_allocate, weft_plan_text or weft_plan_explain gave; NULL is no error. */
void weft_free(void* data);

/* Collective over comm, which must outlive the plan. The plan of `PROBLEM[; CHOICE]`. */
weft_code weft_plan_from_text(const char* text, MPI_Comm comm, weft_plan** plan);
/* Collective over comm, which must outlive the plan. choice: `via=alltoallw; engine=fftw`, ..;
 * NULL leaves everything to the plan. */
weft_code weft_plan_create(const weft_problem* problem, const char* choice, MPI_Comm comm,
                           weft_plan** plan);
/* A plan for a number of ranks without MPI, to look at; it cannot be bound. ranks 0: the text's. */
weft_code weft_plan_for_ranks(const char* text, int ranks, weft_plan** plan);
/* Frees the plan and sets the pointer to NULL; NULL is no error. Its transforms live on. */
void weft_plan_free(weft_plan** plan);

weft_code weft_plan_ranks(const weft_plan* plan, int* ranks);
/* The rank of this process in the plan's communicator; 0 without MPI. */
weft_code weft_plan_rank(const weft_plan* plan, int* rank);
/* One line that says everything: weft_plan_from_text gives an equal plan. Free with weft_free. */
weft_code weft_plan_text(const weft_plan* plan, char** text);
/* Its stages and layouts in the notation of the papers, one a line. Free with weft_free. */
weft_code weft_plan_explain(const weft_plan* plan, char** text);

/* Elements that the array of a rank must hold at that end. */
weft_code weft_plan_size(const weft_plan* plan, weft_end end, int rank, int64_t* elements);
/* How many boxes a rank owns at that end; 0 if it owns nothing. */
weft_code weft_plan_box_count(const weft_plan* plan, weft_end end, int rank, int* count);
/* Box `index` of these; `box` starts as WEFT_BOX_INIT. */
weft_code weft_plan_box(const weft_plan* plan, weft_end end, int rank, int index, weft_box* box);
/* The axes in memory, slowest first, and how many there are; `order` has room for WEFT_MAX_AXES. */
weft_code weft_plan_order(const weft_plan* plan, weft_end end, int* order, int* axes);
/* Bytes that a transform of this plan allocates for its work on a rank. */
weft_code weft_plan_workspace_bytes(const weft_plan* plan, int rank, int64_t* bytes);

/* Collective. Binds the plan to this process's arrays, which must stay valid as long as the
 * transform and keep their contents. Their elements are what the plan's kind and precision say:
 * only their addresses can be checked here. A rank that owns nothing may pass NULL; an in-place
 * plan gets the same array twice. */
weft_code weft_bind(const weft_plan* plan, void* in, void* out, weft_transform** transform);
/* Collective. From the input array into the output array, and back. */
weft_code weft_forward(weft_transform* transform);
weft_code weft_backward(weft_transform* transform);
/* Frees the transform and sets the pointer to NULL; NULL is no error. Safe after MPI_Finalize. */
void weft_transform_free(weft_transform** transform);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */
