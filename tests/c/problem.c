/* What a plan transforms, as C asks a plan that a text made; and agreement on a caller's errors. */
#include "expect.h"

static void expect_end(const weft_plan* plan, weft_end end, int64_t first, int64_t second,
                       int64_t element_bytes) {
    int64_t shape[WEFT_MAX_AXES] = {0};
    int64_t bytes = 0;
    int dims = 0;
    EXPECT_SUCCESS(weft_plan_shape(plan, end, shape, &dims));
    EXPECT(dims == 2 && shape[0] == first && shape[1] == second);
    EXPECT_SUCCESS(weft_plan_element_bytes(plan, end, &bytes));
    EXPECT(bytes == element_bytes);
}

static void expect_problem(const char* text, weft_kind its_kind, int64_t its_batch, int placed) {
    weft_plan* plan = NULL;
    weft_kind kind = WEFT_C2C;
    int64_t batch = 0;
    int in_place = -1;
    EXPECT_SUCCESS(weft_plan_for_ranks(text, 3, &plan));
    EXPECT_SUCCESS(weft_plan_kind(plan, &kind));
    EXPECT_SUCCESS(weft_plan_batch(plan, &batch));
    EXPECT_SUCCESS(weft_plan_in_place(plan, &in_place));
    EXPECT(kind == its_kind && batch == its_batch && in_place == placed);
    switch (its_kind) {
        case WEFT_C2C:
            expect_end(plan, WEFT_IN, 6, 8, 8);
            expect_end(plan, WEFT_OUT, 6, 8, 8);
            break;
        case WEFT_R2C:
            expect_end(plan, WEFT_IN, 6, 8, 8);
            expect_end(plan, WEFT_OUT, 4, 8, 16);
            break;
        case WEFT_C2R:
            expect_end(plan, WEFT_IN, 6, 5, 8);
            expect_end(plan, WEFT_OUT, 6, 8, 4);
            break;
        case WEFT_REDISTRIBUTE:
            expect_end(plan, WEFT_IN, 6, 8, 24);
            expect_end(plan, WEFT_OUT, 6, 8, 24);
            break;
        case WEFT_R2R:
            expect_end(plan, WEFT_IN, 6, 8, 8);
            expect_end(plan, WEFT_OUT, 6, 8, 8);
            break;
    }
    weft_plan_free(&plan);
}

static void questions_are_checked(void) {
    weft_plan* plan = NULL;
    weft_kind kind = WEFT_C2C;
    int64_t numbers[WEFT_MAX_AXES] = {0};
    int dims = 0;
    EXPECT_ERROR(weft_plan_kind(NULL, &kind), WEFT_BAD_REQUEST, "'plan' is NULL");
    EXPECT_SUCCESS(weft_plan_for_ranks("c2c:f64:8x8", 2, &plan));
    EXPECT_ERROR(weft_plan_shape(plan, WEFT_IN, NULL, &dims), WEFT_BAD_REQUEST, "'shape' is NULL");
    EXPECT_ERROR(weft_plan_shape(plan, (weft_end)5, numbers, &dims), WEFT_BAD_REQUEST, "end 5");
    EXPECT_ERROR(weft_plan_element_bytes(plan, (weft_end)5, numbers), WEFT_BAD_REQUEST, "end 5");
    EXPECT_ERROR(weft_plan_batch(plan, NULL), WEFT_BAD_REQUEST, "'batch' is NULL");
    EXPECT_ERROR(weft_plan_in_place(plan, NULL), WEFT_BAD_REQUEST, "'in_place' is NULL");
    weft_plan_free(&plan);
}

static void ranks_agree(void) {
    const int last = world_rank == world_size - 1;
    char word[64];
    snprintf(word, sizeof word, "%srows are missing", world_size > 1 ? ": " : "");
    EXPECT_SUCCESS(weft_agree(NULL, MPI_COMM_WORLD));
    EXPECT_ERROR(weft_agree(last ? "rows are missing" : NULL, MPI_COMM_WORLD), WEFT_BAD_REQUEST,
                 word);
    if (last) {
        EXPECT_ERROR(weft_agree("of this rank", MPI_COMM_NULL), WEFT_BAD_REQUEST, "of this rank");
    }
    EXPECT_SUCCESS(weft_agree(NULL, MPI_COMM_NULL));
}

/* On the communicator of a plan, which the program has freed. */
static void ranks_of_a_plan_agree(void) {
    const int last = world_rank == world_size - 1;
    MPI_Comm copy = MPI_COMM_NULL;
    weft_plan* plan = NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    EXPECT_SUCCESS(weft_plan_from_text("c2c:f64:6x8", copy, &plan));
    MPI_Comm_free(&copy);
    EXPECT_SUCCESS(weft_plan_agree(plan, NULL));
    EXPECT_ERROR(weft_plan_agree(plan, last ? "rows are missing" : NULL), WEFT_BAD_REQUEST,
                 "rows are missing");
    weft_plan_free(&plan);
    EXPECT_ERROR(weft_plan_agree(NULL, NULL), WEFT_BAD_REQUEST, "'plan' is NULL");
}

void plans_tell_their_problem(void) {
    expect_problem("c2c:f32:6x8 in_place", WEFT_C2C, 1, 1);
    expect_problem("r2c:f64:6x8*3 axes=1,0", WEFT_R2C, 3, 0);
    expect_problem("c2r:f32:6x8", WEFT_C2R, 1, 0);
    expect_problem("redistribute:24:6x8 in=slab(0) out=slab(1)", WEFT_REDISTRIBUTE, 1, 0);
    expect_problem("r2r:f64:6x8 kinds=dct2,dst1", WEFT_R2R, 1, 0);
    questions_are_checked();
    ranks_agree();
    ranks_of_a_plan_agree();
}
