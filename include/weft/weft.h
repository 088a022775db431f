/* The C interface: a text or a weft_problem becomes a plan, a plan bound to arrays a transform.
 *
 *     weft_plan* plan = NULL;
 *     weft_transform* fft = NULL;
 *     weft_plan_from_text("c2c:f64:256x256x256", MPI_COMM_WORLD, &plan);
 *     weft_bind(plan, in, out, &fft);
 *     weft_forward(fft);
 *
 * Functions return WEFT_SUCCESS or the code of an error, and write their results through the last
 * pointers, on success only. weft_last_error() is the text that belongs to the code. All ranks of
 * the plan's communicator must call functions that are called collective; an error of one rank is
 * then the error of all. The other functions are local.
 *
 * Arrays, layouts, signs and the texts of problems and choices are those of the C++ interface,
 * weft/plan.hpp and docs/text.md. Sizes, strides and offsets count elements: double or float, or
 * complex numbers of two of these, real part first, as C's double complex is; of a redistribution,
 * values of element_bytes. */
#pragma once

/* NOLINTBEGIN(modernize-*): this is C. */

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define WEFT_ENUM : int /* callers may pass any value; it is checked before use */
extern "C" {
#else
#define WEFT_ENUM
#endif

#pragma GCC visibility push(default)

/* What a function returns; the values of weft::ErrorCode and the exit codes of the command. */
typedef enum weft_code WEFT_ENUM {
    WEFT_SUCCESS = 0,
    WEFT_WRONG_RESULT = 1,  /* a check found a wrong transform */
    WEFT_BAD_REQUEST = 2,   /* an argument or a text is invalid, or ranks disagree */
    WEFT_NOT_AVAILABLE = 3, /* known, but not possible in this build or on this machine */
    WEFT_SYSTEM = 4         /* MPI or the operating system failed */
} weft_code;

typedef enum weft_kind WEFT_ENUM {
    WEFT_C2C = 0,
    WEFT_R2C = 1,
    WEFT_C2R = 2,
    WEFT_REDISTRIBUTE = 3, /* elements go from one layout to another, without a transform */
    WEFT_R2R = 4           /* real to real, with a kind for each axis */
} weft_kind;

/* The transform of forward along an axis. WEFT_DCT1 to WEFT_DST4: cosine and sine transforms of
 * type I to IV (docs/kinds.md), of complex numbers on real and imaginary parts. WEFT_AXIS_C2C: the
 * Fourier transform; WEFT_AXIS_R2C (WEFT_AXIS_C2R): that of the one axis of WEFT_R2C (WEFT_C2R)
 * that keeps n/2+1. WEFT_AXIS_NONE: no transform. */
typedef enum weft_axis_kind WEFT_ENUM {
    WEFT_AXIS_NONE = 0,
    WEFT_DCT1 = 1,
    WEFT_DCT2 = 2,
    WEFT_DCT3 = 3,
    WEFT_DCT4 = 4,
    WEFT_DST1 = 5,
    WEFT_DST2 = 6,
    WEFT_DST3 = 7,
    WEFT_DST4 = 8,
    WEFT_AXIS_C2C = 9,
    WEFT_AXIS_R2C = 10,
    WEFT_AXIS_C2R = 11
} weft_axis_kind;
typedef enum weft_precision WEFT_ENUM { WEFT_F32 = 0, WEFT_F64 = 1 } weft_precision;

/* The ends of `forward`; `backward` goes from WEFT_OUT to WEFT_IN. */
typedef enum weft_end WEFT_ENUM { WEFT_IN = 0, WEFT_OUT = 1 } weft_end;

/* The memory of arrays: the host's, or that of the device on which a plan is computed. */
typedef enum weft_memory WEFT_ENUM { WEFT_MEMORY_HOST = 0, WEFT_MEMORY_DEVICE = 1 } weft_memory;

typedef struct weft_plan weft_plan;
typedef struct weft_transform weft_transform;

/* Length of tables by axis: an array has up to six axes, and one more for a batch. */
#define WEFT_MAX_AXES 8

/* The description of a transform. The exponent's sign is -1 in the forward direction of c2c and r2c
 * and +1 in their backward direction; c2r is the reverse of r2c: +1 forward, -1 backward. Texts are
 * those of docs/text.md. Start from WEFT_PROBLEM_INIT and set what differs.
 *
 * Structs begin with their size, so that members can be added behind the last one. A program built
 * with an older weft.h gives a smaller size: members beyond it take their defaults. A program built
 * with a newer weft.h gives a larger size: that is an error, which quotes both sizes, unless all
 * bytes that the library does not know are zero. */
typedef struct weft_problem {
    size_t struct_size; /* of WEFT_PROBLEM_INIT */
    weft_kind kind;
    weft_precision precision; /* ignored by WEFT_REDISTRIBUTE */
    int dims;                 /* 1 to 6 */
    const int64_t* shape;     /* dims lengths, row-major: the last axis is adjacent in memory */
    int64_t batch;            /* fields transformed in one call */
    int axis_count;           /* how many axes are transformed; 0: all */
    const int* axes;          /* axis_count of them, in any order */
    int r2c_axis;             /* r2c, c2r: the axis that keeps n/2+1 values; -1: the last listed in
                               * axes, or of all */
    const char* in;           /* `slab(0)`, `pencil(0,1)@021`, `sphere(16)` (weft::sphere), or
                               * weft_boxes_text's; NULL: free */
    const char* out;
    const char* cut;       /* `balanced` or `block`; NULL: balanced */
    const char* scale;     /* `none/n`, `symmetric`, `1/0.5`, ..; NULL: none */
    int in_place;          /* whether one array holds input and output */
    int may_destroy_input; /* whether the array a direction reads may serve as workspace */
    int64_t element_bytes; /* redistribute: the size of an element; otherwise 0 */
    int kind_count; /* how many kinds there are, one for each axis or one for all; WEFT_R2R: some */
    const weft_axis_kind* kinds; /* of the axes, in the order of `axes` */
    int mode_count;              /* dims, or 0: the spectrum keeps all modes */
    const int64_t* modes;        /* how many it keeps of each axis (weft::Problem::modes) */
    const char* even_modes;      /* mode m/2 of an even m: `split`, `zero`, `keep`; NULL: split */
    int inside_count;            /* dims, or 0: the field has all points */
    const int64_t* inside;       /* how many of each axis it has, the first ones */
    int64_t sparse; /* whether boxes of `in` and `out` may leave elements out (weft::Problem) */
} weft_problem;

/* c2c of double precision over no axes yet: set dims and shape. */
#define WEFT_PROBLEM_INIT                                                                          \
    {                                                                                              \
        sizeof(weft_problem), WEFT_C2C, WEFT_F64, 0, NULL, 1, 0, NULL, -1, NULL, NULL, NULL, NULL, \
            0, 0, 0, 0, NULL, 0, NULL, NULL, 0, NULL, 0                                            \
    }

/* How a problem is solved: members of weft::Choice as the texts of docs/text.md. The planner
 * chooses members that are NULL or 0. Start from WEFT_CHOICE_INIT; weft_choice_text makes the text
 * that weft_plan_create takes. */
typedef struct weft_choice {
    size_t struct_size;             /* of WEFT_CHOICE_INIT */
    const char* decomposition;      /* `slab`, `pencil(2x4)`, `least-volume`, .. */
    const char* via;                /* exchange method: weft_via_alltoallw, .. */
    const char* pack;               /* `sender`, `receiver`, `fft`, `datatype`, `fused` */
    const char* carrier;            /* `messages`, `region`, `direct` */
    const char* space;              /* `host`, or a device of `weft info` */
    const char* tile;               /* `default`, `(axis:2,T:16,W:2)` */
    const char* engine;             /* `native`, `fftw`, `mkl`, `reference`; `auto`: the fastest */
    const char* effort;             /* `estimate`, `measure`, `patient` */
    const char* tuning;             /* `measure(limit:10)`, `frozen`, .. */
    const char* of_redistributions; /* of single ones: `via[1]=alltoallv; carrier[0]=messages` */
    int shrink;       /* how many ranks, the first ones, hold the data between the ends */
    int threads;      /* threads of each rank */
    int64_t chunk;    /* the largest number of elements of one MPI count */
    int reproducible; /* whether bits are equal on any number of ranks and threads */
    const char* wire; /* number format of messages: `same`, `f32`, `bf16` (weft::Wire) */
} weft_choice;

#define WEFT_CHOICE_INIT                                                                          \
    {                                                                                             \
        sizeof(weft_choice), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, \
            0, NULL                                                                               \
    }

/* A part of the global array that a rank owns, and where it lies in the rank's array: element i
 * (global indices, lo[a] <= i[a] < hi[a]) is at offset + sum over axes a of (i[a]-lo[a])*stride[a].
 * Axes are as long as weft_plan_shape says; with a batch the last one is the batch. */
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

/* The memory of a transform: arrays of one or several fields, and a workspace. One call transforms
 * all fields with one workspace. */
typedef struct weft_arrays {
    size_t struct_size; /* of WEFT_ARRAYS_INIT */
    int fields;         /* number of arrays at each end, equal on all ranks */
    void* const* in;    /* a table of `fields` arrays, which is read only by the call that binds */
    void* const* out;   /* in place: the same arrays */
    void* workspace; /* aligned to 64 bytes, as weft_allocate's; NULL: the transform has its own */
    int64_t workspace_bytes; /* at least weft_plan_workspace_bytes; 0 without workspace */
    weft_memory memory; /* for weft_bind_any: the memory of the arrays of calls; it is detected of
                         * bound arrays */
} weft_arrays;

#define WEFT_ARRAYS_INIT \
    { sizeof(weft_arrays), 0, NULL, NULL, NULL, 0, WEFT_MEMORY_HOST }

/* The version of the library that is linked, such as `0.2.0`. */
const char* weft_version(void);

/* The text of the last error of this thread; "" before the first. Successful calls and calls of
 * other threads do not change it, so look at the code first. The pointer is valid until the
 * thread's next failure. weft_allocate, which returns no code, leaves its text here too when it
 * returns NULL. */
const char* weft_last_error(void);

/* Collective over comm: fails on all ranks, as WEFT_BAD_REQUEST, if one gives the text of an error;
 * ranks without an error give NULL. A rank that finds its arguments wrong before a collective call
 * so spares the others from waiting for it. MPI_COMM_NULL: this rank alone. */
weft_code weft_agree(const char* error, MPI_Comm comm);

/* `bytes` of memory aligned for the fastest transforms; NULL if there is not enough. */
void* weft_allocate(size_t bytes);
/* Frees what weft_allocate gave, or a text; NULL is no error. */
void weft_free(void* data);

/* Collective over comm. The layout `boxes(..)` for weft_problem's `in` or `out` in which every rank
 * owns the boxes that it gives here: `count` of them (0: none), whose bounds lo[b*axes + a] and
 * hi[b*axes + a] are global indices, lo <= i < hi. Axes are those of the shape (n/2+1 along the r2c
 * axis); a batch axis may be the last or be left out. An order, padding or strides can be appended:
 * `@102`. Making a plan checks whether the boxes cover the array. Free the text with weft_free. */
weft_code weft_boxes_text(int count, int axes, const int64_t* lo, const int64_t* hi, MPI_Comm comm,
                          char** text);

/* The exchange methods, for the `via=` of a choice: weft_via_alltoallw is "alltoallw". `weft
 * methods` describes them. */
#define WEFT_TRANSPORT(id, name, ...) static const char weft_via_##id[] = name;
#define WEFT_METHOD(id, name, ...) static const char weft_via_##id[] = name;
#include "weft/methods.def"
/* The fastest method, found by timing all when the plan is made. */
static const char weft_via_fastest[] = "auto";

/* Collective over comm. The plan of `PROBLEM[; CHOICE]`. The plan keeps a duplicate of comm, so
 * comm may be freed before it. */
weft_code weft_plan_from_text(const char* text, MPI_Comm comm, weft_plan** plan);
/* Collective over comm, of which the plan keeps a duplicate. choice: `via=alltoallw; engine=fftw`,
 * ..; NULL leaves everything to the plan. */
weft_code weft_plan_create(const weft_problem* problem, const char* choice, MPI_Comm comm,
                           weft_plan** plan);
/* Local. A problem and a choice as texts, as weft prints them, for functions that take a text:
 * weft_plan_for_ranks takes `PROBLEM; CHOICE`. A choice without set members is "". Free with
 * weft_free. */
weft_code weft_problem_text(const weft_problem* problem, char** text);
weft_code weft_choice_text(const weft_choice* choice, char** text);
/* A plan for a number of ranks without MPI, to inspect; it cannot be bound. ranks = 0: the text's
 * `ranks=`. */
weft_code weft_plan_for_ranks(const char* text, int ranks, weft_plan** plan);
/* Frees the plan and sets the pointer to NULL; NULL is no error. Its transforms stay valid. */
void weft_plan_free(weft_plan** plan);

/* Collective over the plan's ranks: weft_agree on the plan's communicator, which the program may
 * have freed. For checks of a program before weft_bind. Of a plan without MPI: this rank alone. */
weft_code weft_plan_agree(const weft_plan* plan, const char* error);

weft_code weft_plan_ranks(const weft_plan* plan, int* ranks);
/* The rank of this process in the plan's communicator; 0 without MPI. */
weft_code weft_plan_rank(const weft_plan* plan, int* rank);
/* The whole plan in one line, of which weft_plan_from_text makes an equal plan. Free with
 * weft_free. */
weft_code weft_plan_text(const weft_plan* plan, char** text);
/* The two parts of weft_plan_text: the problem, and the complete choice. Free with weft_free. */
weft_code weft_plan_problem(const weft_plan* plan, char** text);
weft_code weft_plan_choice(const weft_plan* plan, char** text);
/* Its stages and layouts in the notation of the papers, one a line. Free with weft_free. */
weft_code weft_plan_explain(const weft_plan* plan, char** text);

/* The kind of forward. */
weft_code weft_plan_kind(const weft_plan* plan, weft_kind* kind);
/* The lengths of the whole array at that end, without the batch: those of the shape, or of `inside`
 * or `modes` if these are given, and of them n/2+1 along the r2c axis there;
 * `shape` has room for WEFT_MAX_AXES. dims: how many. */
weft_code weft_plan_shape(const weft_plan* plan, weft_end end, int64_t* shape, int* dims);
/* How many fields one call transforms. */
weft_code weft_plan_batch(const weft_plan* plan, int64_t* batch);
/* Bytes of an element at that end: 16 of a complex number in double precision. */
weft_code weft_plan_element_bytes(const weft_plan* plan, weft_end end, int64_t* bytes);
/* 1 if one array holds input and output, otherwise 0. */
weft_code weft_plan_in_place(const weft_plan* plan, int* in_place);

/* Elements that the array of a rank must hold at that end, padding included. In place, one array of
 * that many elements of that end's type holds both ends. */
weft_code weft_plan_size(const weft_plan* plan, weft_end end, int rank, int64_t* elements);
/* How many boxes a rank owns at that end, none of them empty; 0 if it owns nothing. */
weft_code weft_plan_box_count(const weft_plan* plan, weft_end end, int rank, int* count);
/* Box `index` of a rank at that end; `box` starts as WEFT_BOX_INIT. A rank that owns nothing has a
 * box 0 too, without elements: it begins where the rank's part would, and is whole along axes that
 * are not cut. */
weft_code weft_plan_box(const weft_plan* plan, weft_end end, int rank, int index, weft_box* box);
/* The axes in memory, slowest first, and how many there are; `order` has room for WEFT_MAX_AXES. */
weft_code weft_plan_order(const weft_plan* plan, weft_end end, int* order, int* axes);
/* Bytes of workspace that a transform of this plan needs on a rank, allocated by itself or lent by
 * the caller. */
weft_code weft_plan_workspace_bytes(const weft_plan* plan, int rank, int64_t* bytes);
/* Bytes of shared memory of the node that a transform uses in addition, if redistributions use
 * via=shared. */
weft_code weft_plan_region_bytes(const weft_plan* plan, int rank, int64_t* bytes);

/* Collective. Binds the plan to this process's arrays, which must stay valid as long as the
 * transform and keep their contents. Their element types are those of the plan's kind and
 * precision; only addresses can be checked here. A rank that owns nothing may pass NULL; an
 * in-place plan gets the same array twice. */
weft_code weft_bind(const weft_plan* plan, void* in, void* out, weft_transform** transform);
/* Collective. Binds several fields, or lends a workspace. The workspace must stay valid as long as
 * the transform; transforms that never run at the same time may share one. A workspace on any rank
 * that is too small, not aligned or overlaps an array is an error on every rank, and so is a
 * different number of fields. `arrays` starts as WEFT_ARRAYS_INIT. */
weft_code weft_bind_arrays(const weft_plan* plan, const weft_arrays* arrays,
                           weft_transform** transform);
/* Collective. Binds the plan without arrays: weft_forward_on takes them, other ones at each call if
 * need be. `arrays` has the number of fields of a call, the memory of their arrays, and the
 * workspace; its in and out are NULL. NULL: one field in host memory, and a workspace that the
 * transform allocates. */
weft_code weft_bind_any(const weft_plan* plan, const weft_arrays* arrays,
                        weft_transform** transform);
/* Collective. Transforms the input array into the output array (forward), or the output array into
 * the input array (backward). Elements in padding or between strides are not changed. The array
 * that is read is kept, unless the plan is in place or may destroy its input. */
weft_code weft_forward(weft_transform* transform);
weft_code weft_backward(weft_transform* transform);
/* Collective; for a transform of weft_bind_any. Transforms the arrays in[f] and out[f] of each
 * field f, which are one array in place: `weft_forward_on(fft, &in, &out)` for one field. Other
 * arrays need no planning, allocation or communication. An array that is NULL, overlaps another
 * one, is in other memory than weft_bind_any was told, or is not aligned is an error of this rank
 * alone, before anything has started. Arrays are aligned to their element type; host arrays with
 * engine=fftw, and arrays of a GPU, to 16 bytes (docs/arrays.md). */
weft_code weft_forward_on(weft_transform* transform, void* const* in, void* const* out);
weft_code weft_backward_on(weft_transform* transform, void* const* in, void* const* out);
/* Local. Starts weft_forward (weft_backward) and returns without waiting for other ranks; weft_test
 * or weft_wait completes it. Until then the caller does not touch the arrays and the workspace. Any
 * number of transforms may be started; all ranks start them in the same order, and wait for them in
 * any order (docs/overlap.md). To start a transform that is started is an error of this rank. */
weft_code weft_start_forward(weft_transform* transform);
weft_code weft_start_backward(weft_transform* transform);
/* Local. Starts weft_forward_on (weft_backward_on). The tables in and out may be destroyed after
 * this call, the arrays may not. */
weft_code weft_start_forward_on(weft_transform* transform, void* const* in, void* const* out);
weft_code weft_start_backward_on(weft_transform* transform, void* const* in, void* const* out);
/* Advances all transforms that this thread has started, and writes whether this one is complete: 1,
 * also if it was not started, or 0. Exchange methods that block may wait in this call. */
weft_code weft_test(weft_transform* transform, int* complete);
/* Waits until the transform is complete, and advances all others; returns at once if it was not
 * started. */
weft_code weft_wait(weft_transform* transform);
/* Local; for a plan that is computed on a device. From now on a started transform runs after the
 * work that the caller has put into this stream of the device (a cudaStream_t). Work that the
 * caller puts there later runs after the transform: on one rank at once, on several ranks the
 * caller waits for completion first (docs/devices.md). It is an error of this rank if the stream
 * does not belong to the device, the plan is computed on the host, or the transform is started. */
weft_code weft_set_stream(weft_transform* transform, void* stream);
/* Local. Removes the stream: later starts are not ordered with one. */
weft_code weft_unset_stream(weft_transform* transform);
/* The text of the plan that weft_forward runs: the bound plan, with the carrier of each
 * redistribution (`carrier=`) that binding has chosen. Free with weft_free. */
weft_code weft_transform_plan_text(const weft_transform* transform, char** text);
/* Frees the transform and sets the pointer to NULL; NULL is no error. Safe after MPI_Finalize. A
 * started transform is completed first, which may wait for other ranks and is reported on stderr.
 */
void weft_transform_free(weft_transform** transform);

/* Wisdom: results of tuning (docs/tuning.md). All calls are local; a new plan uses the wisdom of
 * rank 0. */

/* Adds the entries of a text, one a line, to what this process knows; files stay as they are. Lines
 * that are damaged, of another version or of another program are skipped, which is no failure.
 * entries: the number of new or better entries. skipped: the skipped lines with reasons, one a
 * line, to free with weft_free. Either pointer may be NULL. */
weft_code weft_wisdom_import(const char* text, int* entries, char** skipped);
/* All that this process knows, files included, as weft_wisdom_import takes it. Free with weft_free.
 */
weft_code weft_wisdom_export(char** text);
/* Removes the entries whose problem and site (as `weft wisdom show` prints it) fit the patterns, in
 * which * stands for any text, from this process and the user's file. NULL fits all. entries: how
 * many; NULL: not asked for. */
weft_code weft_wisdom_forget(const char* problem, const char* site, int* entries);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */
