/* Structs of callers that were built with an older or a newer weft.h; and choices by members. */
#include <stddef.h>

#include "expect.h"

static const int64_t lengths[] = {6, 8};

static weft_problem small_problem(void) {
    weft_problem problem = WEFT_PROBLEM_INIT;
    problem.dims = 2;
    problem.shape = lengths;
    return problem;
}

static void expect_text(weft_code code, char* text, const char* expected) {
    EXPECT_SUCCESS(code);
    EXPECT(text != NULL && strcmp(text, expected) == 0);
    weft_free(text);
}

/* What an older caller does not know takes its default, whatever lies behind its struct. */
static void older_callers_are_served(void) {
    char* text = NULL;
    weft_problem problem = small_problem();
    problem.batch = 3;
    problem.scale = "none/n";
    problem.in_place = 1;
    const weft_code whole = weft_problem_text(&problem, &text);
    expect_text(whole, text, "c2c:f64:6x8*3 in=free out=free scale=none/n in_place");
    problem.struct_size = offsetof(weft_problem, in);
    const weft_code first = weft_problem_text(&problem, &text);
    expect_text(first, text, "c2c:f64:6x8*3 in=free out=free");
    problem.struct_size = offsetof(weft_problem, batch);
    const weft_code least = weft_problem_text(&problem, &text);
    expect_text(least, text, "c2c:f64:6x8 in=free out=free");
    problem.struct_size = sizeof problem;
    problem.in_place = 0;
    problem.out = "sphere(2)";
    const weft_code spheres = weft_problem_text(&problem, &text);
    expect_text(spheres, text, "c2c:f64:6x8*3 in=free out=sphere(2) scale=none/n");
    problem.out = "boxes([0:6,0:2])";
    problem.sparse = 1;
    const weft_code sparse = weft_problem_text(&problem, &text);
    expect_text(sparse, text, "c2c:f64:6x8*3 in=free out=boxes([0:6,0:2]) scale=none/n sparse");
    problem.struct_size = offsetof(weft_problem, sparse);
    const weft_code older = weft_problem_text(&problem, &text);
    expect_text(older, text, "c2c:f64:6x8*3 in=free out=boxes([0:6,0:2]) scale=none/n");
    weft_choice choice = WEFT_CHOICE_INIT;
    choice.engine = "native";
    choice.threads = 2;
    choice.struct_size = offsetof(weft_choice, shrink);
    const weft_code chosen = weft_choice_text(&choice, &text);
    expect_text(chosen, text, "engine=native");
}

/* Bytes that only a newer caller knows are accepted while they are zero. */
static void newer_callers_are_told(void) {
    struct {
        weft_problem known;
        int64_t later[2];
    } longer = {small_problem(), {0, 0}};
    char* text = NULL;
    char sizes[96];
    longer.known.struct_size = sizeof longer;
    const weft_code zero = weft_problem_text(&longer.known, &text);
    expect_text(zero, text, "c2c:f64:6x8 in=free out=free");
    longer.later[1] = 1;
    text = NULL;
    EXPECT_ERROR(weft_problem_text(&longer.known, &text), WEFT_BAD_REQUEST, "is set");
    EXPECT(text == NULL);
    snprintf(sizes, sizeof sizes, "weft_problem.struct_size is %zu, but weft %s", sizeof longer,
             weft_version());
    EXPECT(strstr(weft_last_error(), sizes) != NULL);
    snprintf(sizes, sizeof sizes, "knows weft_problem of %zu bytes", sizeof(weft_problem));
    EXPECT(strstr(weft_last_error(), sizes) != NULL);
    longer.known.struct_size = (size_t)1 << 40;
    EXPECT_ERROR(weft_problem_text(&longer.known, &text), WEFT_BAD_REQUEST, "no version");
    longer.known.struct_size = offsetof(weft_problem, batch) + 1;
    EXPECT_ERROR(weft_problem_text(&longer.known, &text), WEFT_BAD_REQUEST, "no version");
    longer.known.struct_size = 0;
    EXPECT_ERROR(weft_problem_text(&longer.known, &text), WEFT_BAD_REQUEST, "struct_size is 0");
}

/* Collective: a rank with an older struct beside ranks with the whole one. */
static void sizes_may_differ_among_ranks(void) {
    weft_plan* plan = NULL;
    weft_transform* fft = NULL;
    int64_t size = 0;
    EXPECT_SUCCESS(weft_plan_from_text("c2c:f64:6x8", MPI_COMM_WORLD, &plan));
    EXPECT_SUCCESS(weft_plan_size(plan, WEFT_IN, world_rank, &size));
    void* in = weft_allocate((size_t)size * 16);
    EXPECT_SUCCESS(weft_plan_size(plan, WEFT_OUT, world_rank, &size));
    void* out = weft_allocate((size_t)size * 16);
    weft_arrays arrays = WEFT_ARRAYS_INIT;
    arrays.fields = 1;
    arrays.in = &in;
    arrays.out = &out;
    arrays.workspace_bytes = -1;
    if (world_rank == 0) arrays.struct_size = offsetof(weft_arrays, workspace);
    if (world_rank != 0) arrays.workspace_bytes = 0;
    EXPECT_SUCCESS(weft_bind_arrays(plan, &arrays, &fft));
    EXPECT_SUCCESS(weft_forward(fft));
    weft_transform_free(&fft);
    if (world_rank == world_size - 1) arrays.struct_size = offsetof(weft_arrays, in);
    EXPECT_ERROR(weft_bind_arrays(plan, &arrays, &fft), WEFT_BAD_REQUEST,
                 "weft_arrays.struct_size is 16");
    weft_box box = WEFT_BOX_INIT;
    box.struct_size = offsetof(weft_box, offset);
    EXPECT_ERROR(weft_plan_box(plan, WEFT_IN, 0, 0, &box), WEFT_BAD_REQUEST,
                 "weft_box.struct_size");
    weft_plan_free(&plan);
    weft_free(in);
    weft_free(out);
}

/* The members of a problem. */
static void problems_have_members(void) {
    const int axes[] = {1, 0};
    const weft_axis_kind kinds[] = {WEFT_AXIS_C2C, WEFT_AXIS_R2C};
    const weft_axis_kind none[] = {WEFT_AXIS_C2C, (weft_axis_kind)99};
    char* text = NULL;
    weft_problem problem = small_problem();
    problem.kind = WEFT_R2C;
    problem.precision = WEFT_F32;
    problem.batch = 3;
    problem.axis_count = problem.kind_count = 2;
    problem.axes = axes;
    problem.kinds = kinds;
    problem.r2c_axis = 0;
    problem.in = "slab(0)";
    problem.out = "slab(1)";
    problem.cut = "block";
    problem.scale = "none/n";
    problem.in_place = 1;
    const weft_code placed = weft_problem_text(&problem, &text);
    expect_text(placed, text,
                "r2c:f32:6x8*3 axes=1,0 kinds=c2c,r2c r2c_axis=0 in=slab(0) out=slab(1) cut=block "
                "scale=none/n in_place");
    problem = small_problem();
    problem.may_destroy_input = 1;
    const weft_code destroyed = weft_problem_text(&problem, &text);
    expect_text(destroyed, text, "c2c:f64:6x8 in=free out=free may_destroy_input");
    problem.kind_count = 2;
    EXPECT_ERROR(weft_problem_text(&problem, &text), WEFT_BAD_REQUEST, "'kinds' is NULL");
    problem.kinds = none;
    EXPECT_ERROR(weft_problem_text(&problem, &text), WEFT_BAD_REQUEST,
                 "weft_problem.kinds[1] is 99, which is not a weft_axis_kind");
    problem.kind_count = -1;
    EXPECT_ERROR(weft_problem_text(&problem, &text), WEFT_BAD_REQUEST, "-1 entries of kinds");
}

/* The members of a choice, and what a plan says it has chosen. */
static void choices_have_members(void) {
    weft_choice choice = WEFT_CHOICE_INIT;
    char* text = NULL;
    const weft_code open = weft_choice_text(&choice, &text);
    expect_text(open, text, "");
    choice.decomposition = "pencil(2x2)";
    choice.via = weft_via_alltoallw;
    choice.pack = "datatype";
    choice.carrier = "messages";
    choice.space = "host";
    choice.tile = "(axis:2,T:4)";
    choice.engine = "native";
    choice.effort = "estimate";
    choice.tuning = "measure(limit:2)";
    choice.of_redistributions = "via[1]=alltoallv; carrier[0]=region";
    choice.shrink = 4;
    choice.threads = 2;
    choice.chunk = 1000;
    choice.reproducible = 1;
    choice.wire = "f32";
    EXPECT_SUCCESS(weft_choice_text(&choice, &text));
    const char* parts[] = {
        "decomposition=pencil(2x2)", "shrink=4",         "via=alltoallw",
        "via[1]=alltoallv",          "pack=datatype",    "carrier=messages",
        "carrier[0]=region",         "tile=(axis:2,T:4", "engine=native",
        "effort=estimate",           "threads=2",        "chunk=1000",
        "reproducible=yes",          "wire=f32",         "tuning=measure(limit:2)"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        EXPECT(text != NULL && strstr(text, parts[i]) != NULL);
        if (text == NULL || strstr(text, parts[i]) == NULL)
            fprintf(stderr, "%s is missing in: %s\n", parts[i], text == NULL ? "NULL" : text);
    }
    weft_free(text);
    choice.engine = "native; threads=3";
    EXPECT_ERROR(weft_choice_text(&choice, &text), WEFT_BAD_REQUEST, "weft_choice.engine");
    choice.engine = NULL;
    choice.effort = "quick";
    EXPECT_ERROR(weft_choice_text(&choice, &text), WEFT_BAD_REQUEST, "quick");
    EXPECT_ERROR(weft_choice_text(NULL, &text), WEFT_BAD_REQUEST, "'choice' is NULL");
    EXPECT_ERROR(weft_choice_text(&choice, NULL), WEFT_BAD_REQUEST, "'text' is NULL");
}

static void plans_tell_their_choice(void) {
    weft_plan* plan = NULL;
    char* text = NULL;
    EXPECT_SUCCESS(weft_plan_for_ranks("c2c:f64:6x8; engine=native", 2, &plan));
    EXPECT_SUCCESS(weft_plan_choice(plan, &text));
    EXPECT(strstr(text, "decomposition=") == text && strstr(text, "engine=native") != NULL);
    weft_free(text);
    EXPECT_SUCCESS(weft_plan_problem(plan, &text));
    EXPECT(strstr(text, "c2c:f64:6x8 in=") == text && strchr(text, ';') == NULL);
    weft_free(text);
    EXPECT_ERROR(weft_plan_choice(NULL, &text), WEFT_BAD_REQUEST, "'plan' is NULL");
    EXPECT_ERROR(weft_plan_problem(plan, NULL), WEFT_BAD_REQUEST, "'text' is NULL");
    weft_plan_free(&plan);
}

void structs_grow(void) {
    older_callers_are_served();
    newer_callers_are_told();
    sizes_may_differ_among_ranks();
    problems_have_members();
    choices_have_members();
    plans_tell_their_choice();
}
