/* Redistribution in C: particles on a grid move from slabs to boxes of the caller's own, and back.
 * Every element is looked at.
 *
 *     cmake --build build --target example_redistribute_c
 *     mpirun -n 2 build/bin/example_redistribute_c */
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

enum { nx = 20, ny = 18 };

/* An element may be of any type whose bytes can be copied. */
typedef struct particle {
    double position[2];
    int64_t number;
} particle;

/* Collective calls fail on every rank alike, with the same text. */
static void check(weft_code code) {
    if (code == WEFT_SUCCESS) return;
    fprintf(stderr, "%s\n", weft_last_error());
    MPI_Abort(MPI_COMM_WORLD, code);
}

/* The layout that this program wants: rows are dealt out like cards, so that a rank owns every
 * size-th of them, each a box. Any boxes do that together cover the array once. */
static char* dealt_rows(int rank, int size) {
    int64_t lo[nx][2];
    int64_t hi[nx][2];
    int count = 0;
    for (int64_t x = rank; x < nx; x += size, ++count) {
        lo[count][0] = x, lo[count][1] = 0;
        hi[count][0] = x + 1, hi[count][1] = ny;
    }
    char* text = NULL;
    check(weft_boxes_text(count, 2, &lo[0][0], &hi[0][0], MPI_COMM_WORLD, &text));
    return text;
}

static particle particle_at(int64_t x, int64_t y) {
    return (particle){{0.5 * (double)x, 0.25 * (double)y}, x * ny + y};
}

static int is_at(const particle* found, int64_t x, int64_t y) {
    const particle expected = particle_at(x, y);
    return found->number == expected.number && found->position[0] == expected.position[0] &&
           found->position[1] == expected.position[1];
}

/* Puts the particles in their places in this rank's array of one end (if `set`); how many elements
 * of its boxes do not hold theirs. */
static int visit(const weft_plan* plan, weft_end end, int rank, particle* array, int set) {
    int boxes = 0;
    int wrong = 0;
    check(weft_plan_box_count(plan, end, rank, &boxes));
    for (int b = 0; b < boxes; ++b) {
        weft_box box = WEFT_BOX_INIT;
        check(weft_plan_box(plan, end, rank, b, &box));
        for (int64_t x = box.lo[0]; x < box.hi[0]; ++x)
            for (int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
                particle* element = array + box.offset + (x - box.lo[0]) * box.stride[0] +
                                    (y - box.lo[1]) * box.stride[1];
                if (set) *element = particle_at(x, y);
                wrong += !is_at(element, x, y);
            }
    }
    return wrong;
}

/* Memory for this rank's array of one end, all zero. */
static particle* array_of(const weft_plan* plan, weft_end end, int rank) {
    int64_t size = 0;
    check(weft_plan_size(plan, end, rank, &size));
    particle* array = weft_allocate((size_t)size * sizeof *array);
    if (array == NULL) check(WEFT_SYSTEM);
    return array;
}

int main(int argc, char** argv) {
    int rank = 0;
    int size = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    const int64_t shape[] = {nx, ny};
    char* rows = dealt_rows(rank, size);
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.kind = WEFT_REDISTRIBUTE;
    problem.element_bytes = sizeof(particle);
    problem.dims = 2;
    problem.shape = shape;
    problem.in = "slab(1)";
    problem.out = rows;

    weft_plan* plan = NULL;
    weft_transform* redistribution = NULL;
    check(weft_plan_create(&problem, NULL, MPI_COMM_WORLD, &plan));
    particle* in = array_of(plan, WEFT_IN, rank);
    particle* out = array_of(plan, WEFT_OUT, rank);
    check(weft_bind(plan, in, out, &redistribution));

    visit(plan, WEFT_IN, rank, in, 1);
    check(weft_forward(redistribution));
    int wrong = visit(plan, WEFT_OUT, rank, out, 0);
    int64_t elements = 0;
    check(weft_plan_size(plan, WEFT_IN, rank, &elements));
    for (int64_t i = 0; i < elements; ++i) in[i].number = -1; /* what comes back is seen */
    check(weft_backward(redistribution));
    wrong += visit(plan, WEFT_IN, rank, in, 0);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d particles from slabs to %s: %d wrong\n", nx * ny, rows, wrong);

    weft_transform_free(&redistribution);
    weft_plan_free(&plan);
    weft_free(rows);
    weft_free(in);
    weft_free(out);
    MPI_Finalize();
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
