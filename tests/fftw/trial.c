#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

enum { guard_count = 64 };
static const real guard = (real)-77.5;

/* One end of a transform on this rank: lines of `line` reals, of which `used` are elements. */
typedef struct {
    ptrdiff_t lines, line, used;
} end_t;

static int is_halved(const trial_t* t) { return t->family == r2c || t->family == c2r; }

plan_t plan_many(const trial_t* t, void* in, void* out) {
    const int sign = t->backward ? FFTW_BACKWARD : FFTW_FORWARD;
    switch (t->family) {
        case dft:
            return XM(plan_many_dft)(t->dims, t->n, t->howmany, t->in_block, t->out_block, in, out,
                                     t->comm, sign, t->flags);
        case r2c:
            return XM(plan_many_dft_r2c)(t->dims, t->n, t->howmany, t->in_block, t->out_block, in,
                                         out, t->comm, t->flags);
        case c2r:
            return XM(plan_many_dft_c2r)(t->dims, t->n, t->howmany, t->in_block, t->out_block, in,
                                         out, t->comm, t->flags);
        case r2r:
            return XM(plan_many_r2r)(t->dims, t->n, t->howmany, t->in_block, t->out_block, in, out,
                                     t->comm, t->kinds, t->flags);
        case transposition:
            break;
    }
    return XM(plan_many_transpose)(t->n[0], t->n[1], t->howmany, t->in_block, t->out_block, in, out,
                                   t->comm, t->flags);
}

static void execute_on(const trial_t* t, plan_t plan, void* in, void* out) {
    if (t->family == dft) XM(execute_dft)(plan, in, out);
    if (t->family == r2c) XM(execute_dft_r2c)(plan, in, out);
    if (t->family == c2r) XM(execute_dft_c2r)(plan, in, out);
    if (t->family == r2r || t->family == transposition) XM(execute_r2r)(plan, in, out);
}

/* The elements of axis 0, or in transposed order of axis 1, that this rank has. */
static ptrdiff_t local_extent(const trial_t* t, const char* name, int transposed, ptrdiff_t block,
                              ptrdiff_t* room) {
    ptrdiff_t n[4], sizes[5];
    memcpy(n, t->n, sizeof n);
    if (is_halved(t)) n[t->dims - 1] = n[t->dims - 1] / 2 + 1;
    sizes[0] = XM(local_size_many_transposed)(t->dims, n, t->howmany, transposed ? 0 : block,
                                              transposed ? block : 0, t->comm, &sizes[1], &sizes[2],
                                              &sizes[3], &sizes[4]);
    record_sizes(name, sizes, 5);
    if (sizes[0] > *room) *room = sizes[0];
    return transposed ? sizes[3] : sizes[1];
}

/* Reals of one field's element along the last axis and of a line of them. */
static end_t end_of(const trial_t* t, int transposed, int real_end, ptrdiff_t extent) {
    const ptrdiff_t last = t->n[t->dims - 1];
    const int complex_end = t->family == dft || (is_halved(t) && !real_end);
    ptrdiff_t elements = extent, axis;
    end_t end;
    for (axis = 0; axis < t->dims; ++axis) {
        const ptrdiff_t n = axis == t->dims - 1 && is_halved(t) ? last / 2 + 1 : t->n[axis];
        if (axis != (transposed ? 1 : 0)) elements *= n;
    }
    end.lines = 1;
    end.line = end.used = elements * t->howmany * (complex_end ? 2 : 1);
    if (real_end) {
        end.lines = elements / (last / 2 + 1);
        end.line = 2 * (last / 2 + 1) * t->howmany;
        end.used = last * t->howmany;
    }
    return end;
}

static void ends_of_line(const trial_t* t, const char* name, end_t* in, end_t* out,
                         ptrdiff_t* room) {
    const int sign = t->backward ? FFTW_BACKWARD : FFTW_FORWARD;
    ptrdiff_t sizes[5];
    sizes[0] = XM(local_size_many_1d)(t->n[0], t->howmany, t->comm, sign, t->flags, &sizes[1],
                                      &sizes[2], &sizes[3], &sizes[4]);
    record_sizes(name, sizes, 5);
    *room = sizes[0];
    in->lines = out->lines = 1;
    in->line = in->used = sizes[1] * t->howmany * 2;
    out->line = out->used = sizes[3] * t->howmany * 2;
}

static void fill(real* array, ptrdiff_t count, unsigned seed) {
    ptrdiff_t i;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    seed = seed * 2654435761u + (unsigned)rank * 40503u + 1u;
    for (i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        array[i] = (real)((int)(seed >> 9) % 2001 - 1000) / 1000;
    }
    for (i = count; i < count + guard_count; ++i) array[i] = guard;
}

static void expect_guard(const real* array, ptrdiff_t count, const char* name) {
    ptrdiff_t i;
    for (i = count; i < count + guard_count; ++i) {
        expect(array[i] == guard, "memory behind an array was overwritten", name);
    }
}

static void record_end(const char* kind, const char* name, const real* array, end_t end) {
    real* packed = malloc(sizeof(real) * (size_t)(end.lines * end.used + 1));
    ptrdiff_t line;
    for (line = 0; line < end.lines; ++line) {
        memcpy(packed + line * end.used, array + line * end.line, sizeof(real) * (size_t)end.used);
    }
    record(kind, name, packed, end.lines * end.used);
    free(packed);
}

static void name_of(const trial_t* t, const char* label, char* name, size_t size) {
    static const char* const families[] = {"dft", "r2c", "c2r", "r2r", "transpose"};
    int axis, used = snprintf(name, size, "%s:%s:", label, families[t->family]);
    for (axis = 0; axis < t->dims; ++axis) {
        used += snprintf(name + used, size - (size_t)used, "%s%td", axis ? "x" : "", t->n[axis]);
    }
    snprintf(name + used, size - (size_t)used, "*%td:%td:%td%s%s:%x", t->howmany, t->in_block,
             t->out_block, t->backward ? ":backward" : "", t->in_place ? ":in-place" : "",
             t->flags);
}

static int keeps_input(const trial_t* t) {
    if (t->in_place || (t->flags & FFTW_DESTROY_INPUT)) return 0;
    return t->family != c2r || (t->flags & FFTW_PRESERVE_INPUT);
}

static void execute_and_record(const trial_t* t, plan_t plan, const char* name, ptrdiff_t room,
                               real* arrays[4], end_t in_end, end_t out_end) {
    int other;
    for (other = 0; other < 2; ++other) {
        real* in = arrays[2 * other];
        real* out = t->in_place ? in : arrays[2 * other + 1];
        fill(in, room, 1u + (unsigned)other);
        if (out != in) fill(out, room, 7u);
        if (other) {
            execute_on(t, plan, in, out);
        } else {
            X(execute)(plan);
        }
        record_end("values", name, out, out_end);
        if (keeps_input(t)) record_end("exact", name, in, in_end);
        expect_guard(in, room, name);
        expect_guard(out, room, name);
    }
}

int try_case(trial_t trial, const char* label, planner_t planner) {
    trial_t* t = &trial;
    const int in_turned = (t->flags & FFTW_MPI_TRANSPOSED_IN) != 0;
    const int out_turned = (t->flags & FFTW_MPI_TRANSPOSED_OUT) != 0;
    ptrdiff_t room = 1;
    real exists;
    end_t in_end, out_end;
    real* arrays[4];
    char name[256];
    plan_t plan;
    int i;
    if (t->howmany == 0) t->howmany = 1;
    if (t->comm == (MPI_Comm)0) t->comm = MPI_COMM_WORLD;
    name_of(t, label, name, sizeof name);
    if (t->dims == 1) {
        ends_of_line(t, name, &in_end, &out_end, &room);
    } else {
        in_end = end_of(
            t, t->family == transposition ? 0 : in_turned, t->family == r2c,
            local_extent(t, name, t->family == transposition ? 0 : in_turned, t->in_block, &room));
        out_end = end_of(t, t->family == transposition ? 1 : out_turned, t->family == c2r,
                         local_extent(t, name, t->family == transposition ? 1 : out_turned,
                                      t->out_block, &room));
    }
    if (t->family != r2r && t->family != transposition) room *= 2;
    for (i = 0; i < 4; ++i) {
        arrays[i] = X(malloc)(sizeof(real) * (size_t)(room + guard_count));
        fill(arrays[i], room, (unsigned)i);
    }
    plan = planner(t, arrays[0], arrays[t->in_place ? 0 : 1]);
    if ((t->flags & FFTW_ESTIMATE) && !t->in_place) {
        record_end("exact", name, arrays[0], in_end);
        record_end("exact", name, arrays[1], out_end);
    }
    exists = plan != NULL;
    record("plan", name, &exists, 1);
    if (plan != NULL) {
        execute_and_record(t, plan, name, room, arrays, in_end, out_end);
        X(destroy_plan)(plan);
    }
    for (i = 0; i < 4; ++i) X(free)(arrays[i]);
    return plan != NULL;
}
