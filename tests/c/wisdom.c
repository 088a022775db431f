/* Wisdom in C. Every rank has its own, and rank 0's counts for plans. */
#include <stdlib.h>

#include "expect.h"

static const char* const entry =
    "{\"format\":\"weft wisdom\",\"version\":1,\"problem\":\"c2c:f64:8x8x8\",\"ranks\":2,"
    "\"site\":{\"processor\":\"Z80\",\"instruction_set\":\"AVX2\",\"mpi\":\"an MPI\",\"nodes\":1,"
    "\"ranks_per_node\":2,\"placement\":\"block\",\"threads\":1,\"weft\":\"1.2.3\"},"
    "\"choice\":\"via=alltoallv\",\"evidence\":{\"date\":\"2024-05-31T12:00:00Z\","
    "\"tuning\":\"measure\",\"spent\":1,\"evaluations\":2,\"winner\":{\"seconds\":1e-3,"
    "\"low\":9e-4,\"high\":2e-3,\"rounds\":9}}}\nnonsense\n";

/* What an effort has found is known to tuning=frozen, whatever else both say of tuning. */
static void found_again_by(const char* effort, const char* terms) {
    static const char* const format =
        "c2c:f64:8x6x4; decomposition=slab; engine=reference; via=alltoallv; pack=sender; "
        "tuning=%s%s";
    char planned[160], frozen[160];
    weft_plan* plan = NULL;
    char *text = NULL, *again = NULL;
    snprintf(planned, sizeof planned, format, effort, terms);
    snprintf(frozen, sizeof frozen, format, "frozen", terms);
    EXPECT_SUCCESS(weft_wisdom_forget(NULL, NULL, NULL));
    EXPECT_ERROR(weft_plan_from_text(frozen, MPI_COMM_WORLD, &plan), WEFT_NOT_AVAILABLE,
                 "no plan is known");
    EXPECT_SUCCESS(weft_plan_from_text(planned, MPI_COMM_WORLD, &plan));
    EXPECT_SUCCESS(weft_plan_text(plan, &text));
    weft_plan_free(&plan);
    EXPECT_SUCCESS(weft_plan_from_text(frozen, MPI_COMM_WORLD, &plan));
    EXPECT_SUCCESS(weft_plan_text(plan, &again));
    weft_plan_free(&plan);
    EXPECT(text != NULL && again != NULL && strcmp(text, again) == 0);
    weft_free(text);
    weft_free(again);
}

static void efforts_are_found_again(void) {
    static const char* const efforts[] = {"measure", "patient", "exhaustive"};
    int i;
    for (i = 0; i < 3; ++i) {
        found_again_by(efforts[i], "");
        found_again_by(efforts[i], "(arrays:plain,forward:0)");
    }
    EXPECT_SUCCESS(weft_wisdom_forget(NULL, NULL, NULL));
}

void wisdom_comes_and_goes(void) {
    /* Without this variable, which the test is started with, the user's own file would be emptied.
     */
    const char* file = getenv("WEFT_WISDOM");
    if (file == NULL || file[0] != '\0') {
        EXPECT(!"WEFT_WISDOM is set to nothing");
        return;
    }
    int entries = -1;
    char* text = NULL;
    EXPECT_SUCCESS(weft_wisdom_import(entry, &entries, &text));
    EXPECT(entries == 1);
    EXPECT(text != NULL && strstr(text, "line 2: ") == text);
    weft_free(text);
    EXPECT_SUCCESS(weft_wisdom_import(entry, &entries, NULL));
    EXPECT(entries == 0);
    EXPECT_SUCCESS(weft_wisdom_export(&text));
    EXPECT(strstr(text, "\"c2c:f64:8x8x8 in=free out=free\"") != NULL);
    EXPECT(strstr(text, "nonsense") == NULL);
    EXPECT_SUCCESS(weft_wisdom_forget("r2c:*", NULL, &entries));
    EXPECT(entries == 0);
    EXPECT_SUCCESS(weft_wisdom_forget("c2c:*", "*an MPI*", &entries));
    EXPECT(entries == 1);
    EXPECT_SUCCESS(weft_wisdom_import(text, NULL, NULL));
    EXPECT_SUCCESS(weft_wisdom_forget(NULL, NULL, &entries));
    EXPECT(entries == 1);
    weft_free(text);
    EXPECT_ERROR(weft_wisdom_import(NULL, NULL, NULL), WEFT_BAD_REQUEST, "'text' is NULL");
    EXPECT_ERROR(weft_wisdom_export(NULL), WEFT_BAD_REQUEST, "'text' is NULL");
    efforts_are_found_again();
}
