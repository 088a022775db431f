#include "record.h"

#include <stdio.h>
#include <stdlib.h>

static FILE* file;

void open_records(const char* folder) {
    char path[4096];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s/%d", folder, rank);
    file = fopen(path, "wb");
    expect(file != NULL, "the records cannot be written", path);
}

void close_records(void) { expect(fclose(file) == 0, "the records were not written", ""); }

void record(const char* kind, const char* name, const real* values, ptrdiff_t count) {
    ptrdiff_t i;
    fprintf(file, "%s %s %td\n", kind, name, count);
    for (i = 0; i < count; ++i) {
        const double value = values[i];
        fwrite(&value, sizeof value, 1, file);
    }
}

void record_sizes(const char* name, const ptrdiff_t* sizes, ptrdiff_t count) {
    ptrdiff_t i;
    fprintf(file, "sizes %s %td\n", name, count);
    for (i = 0; i < count; ++i) {
        const double value = (double)sizes[i];
        fwrite(&value, sizeof value, 1, file);
    }
}

void expect(int right, const char* message, const char* name) {
    if (right) return;
    fprintf(stderr, "wrong: %s: %s\n", name, message);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
