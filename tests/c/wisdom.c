/* Wisdom in C. Every rank has its own. */
#include <stdlib.h>

#include "expect.h"

static const char* const entry =
    "{\"format\":\"weft wisdom\",\"version\":1,\"problem\":\"c2c:f64:8x8x8\",\"ranks\":2,"
    "\"site\":{\"processor\":\"Z80\",\"instruction_set\":\"AVX2\",\"mpi\":\"an MPI\",\"nodes\":1,"
    "\"ranks_per_node\":2,\"placement\":\"block\",\"threads\":1,\"weft\":\"0.1.0\"},"
    "\"choice\":\"via=alltoallv\",\"evidence\":{\"date\":\"2024-05-31T12:00:00Z\","
    "\"tuning\":\"measure\",\"spent\":1,\"evaluations\":2,\"winner\":{\"seconds\":1e-3,"
    "\"low\":9e-4,\"high\":2e-3,\"rounds\":9}}}\nnonsense\n";

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
}
