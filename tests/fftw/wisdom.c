/* FFTW's calls of wisdom carry weft's beside FFTW's own, in a form that FFTW reads as its own.
 *
 * usage: weft_fftw_wisdom write FILE     learns, and writes FILE and FILE.string
 *        weft_fftw_wisdom string FILE    another process, which learns from the string
 *        weft_fftw_wisdom file FILE      another one, which learns from the file
 *        weft_fftw_wisdom only FILE      plans of every kind are found again with FFTW_WISDOM_ONLY
 * with WEFT_WISDOM set to nothing. WEFT_FFTW=off: nothing of weft's. */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FFTW's own function of that name (fftw/behind.cpp). */
void* weft_fftw_behind(const char* name);
typedef int own_import(const char*);

static int failures = 0;
static int carries = 1; /* 0: WEFT_FFTW=off */

#define EXPECT(condition)                                                     \
    do {                                                                      \
        if (!(condition)) {                                                   \
            ++failures;                                                       \
            fprintf(stderr, "line %d: not true: %s\n", __LINE__, #condition); \
        }                                                                     \
    } while (0)

static own_import* own(const char* name) {
    own_import* function = NULL;
    void* found = weft_fftw_behind(name);
    memcpy(&function, &found, sizeof function);
    return function;
}

static int has_weft(const char* text) { return strchr(text, '{') != NULL; }

static void learn(void) {
    fftw_complex array[96];
    fftw_plan plan;
    fftw_set_timelimit(60);
    plan = fftw_mpi_plan_dft_2d(8, 6, array, array, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_PATIENT);
    EXPECT(plan != NULL);
    fftw_destroy_plan(plan);
}

/* The contents of a file, which the caller frees; empty if there is none. */
static char* contents(const char* name) {
    enum { most = 1 << 20 };
    char* text = calloc(1, most);
    FILE* file = fopen(name, "r");
    if (file != NULL) {
        EXPECT(fread(text, 1, most - 1, file) < most - 1);
        fclose(file);
    }
    return text;
}

/* FFTW reads what is written as its own; its file has nothing of weft's. */
static void write_all(const char* name, const char* string, const char* beside) {
    char* text = fftw_export_wisdom_to_string();
    char* written = NULL;
    FILE* file = fopen(string, "w");
    EXPECT(text != NULL && text[0] == '(' && has_weft(text) == carries);
    EXPECT(own("fftw_import_wisdom_from_string")(text) == 1);
    EXPECT(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    EXPECT(fftw_export_wisdom_to_filename(name) == 1);
    EXPECT(own("fftw_import_wisdom_from_filename")(name) == 1);
    written = contents(name);
    EXPECT(written[0] == '(' && !has_weft(written));
    free(written);
    written = contents(beside);
    EXPECT(has_weft(written) == carries);
    EXPECT(!carries || strstr(text, written) != NULL);
    free(written);
    free(text);
    EXPECT(fftw_export_wisdom_to_filename("/nowhere/at/all") == 0);
}

/* Nothing is known before, and all of it afterwards. */
static void read_again(const char* mode, const char* name, const char* string) {
    char* text = contents(string);
    char* known = fftw_export_wisdom_to_string();
    EXPECT(known != NULL && !has_weft(known));
    free(known);
    EXPECT(fftw_import_wisdom_from_string("nothing") == 0);
    EXPECT(fftw_import_wisdom_from_filename("/nowhere/at/all") == 0);
    if (strcmp(mode, "string") == 0)
        EXPECT(fftw_import_wisdom_from_string(text) == 1);
    else
        EXPECT(fftw_import_wisdom_from_filename(name) == 1);
    known = fftw_export_wisdom_to_string();
    EXPECT(known != NULL && has_weft(known) == carries);
    EXPECT(!carries || strcmp(strchr(known, '{'), strchr(text, '{')) == 0);
    free(known);
    free(text);
}

enum { kinds = 6 };

static fftw_plan plan_of(int kind, ptrdiff_t n, unsigned flags) {
    static fftw_complex in[96], out[96];
    const MPI_Comm comm = MPI_COMM_WORLD;
    switch (kind) {
        case 0:
            return fftw_mpi_plan_dft_2d(n, 6, in, in, comm, FFTW_FORWARD, flags);
        case 1:
            return fftw_mpi_plan_dft_2d(n, 6, in, out, comm, FFTW_BACKWARD, flags);
        case 2:
            return fftw_mpi_plan_dft_r2c_2d(n, 6, in[0], out, comm, flags);
        case 3:
            return fftw_mpi_plan_dft_c2r_2d(n, 6, in, out[0], comm, flags);
        case 4:
            return fftw_mpi_plan_r2r_2d(n, 6, in[0], out[0], comm, FFTW_REDFT10, FFTW_RODFT10,
                                        flags);
        default:
            return fftw_mpi_plan_transpose(n, 6, in[0], out[0], comm, flags);
    }
}

/* What is planned with a rigour is found with it and FFTW_WISDOM_ONLY, and nothing is before. Each
   rigour has a problem of its own, of which nothing else is known. */
static void find_again(void) {
    static const unsigned rigours[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT, FFTW_EXHAUSTIVE};
    int kind, i;
    fftw_set_timelimit(60);
    for (kind = 0; kind < kinds; ++kind) {
        for (i = 0; i < 4; ++i) {
            const ptrdiff_t n = 8 + i;
            fftw_plan planned, found;
            char *text, *again;
            EXPECT(plan_of(kind, n, FFTW_PATIENT | FFTW_WISDOM_ONLY) == NULL);
            planned = plan_of(kind, n, rigours[i]);
            found = plan_of(kind, n, rigours[i] | FFTW_WISDOM_ONLY);
            EXPECT(planned != NULL);
            EXPECT(found != NULL);
            if (planned == NULL || found == NULL) continue;
            text = fftw_sprint_plan(planned);
            again = fftw_sprint_plan(found);
            EXPECT((strncmp(again, "(weft ", 6) == 0) == carries);
            EXPECT(!carries || strcmp(text, again) == 0);
            free(text);
            free(again);
            fftw_destroy_plan(planned);
            fftw_destroy_plan(found);
        }
    }
}

int main(int argc, char** argv) {
    const char* off = getenv("WEFT_FFTW");
    char string[4096];
    char beside[4096];
    int rank = 0;
    MPI_Init(&argc, &argv);
    if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    carries = off == NULL || strcmp(off, "off") != 0;
    snprintf(string, sizeof string, "%s.string", argv[2]);
    snprintf(beside, sizeof beside, "%s.weft", argv[2]);
    if (strcmp(argv[1], "write") == 0) {
        learn();
        fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
        if (rank == 0) write_all(argv[2], string, beside);
    } else if (strcmp(argv[1], "only") == 0) {
        find_again();
    } else {
        read_again(argv[1], argv[2], string);
    }
    MPI_Bcast(&failures, 1, MPI_INT, 0, MPI_COMM_WORLD);
    fftw_mpi_cleanup();
    MPI_Finalize();
    return failures != 0;
}
