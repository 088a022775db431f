/* What the C tests expect, on every rank. */
#pragma once

#include <stdio.h>
#include <string.h>
#include <weft/weft.h>

extern int failures;
extern int world_rank;
extern int world_size;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ++failures;                                                                            \
            fprintf(stderr, "rank %d, line %d: not true: %s\n", world_rank, __LINE__, #condition); \
        }                                                                                          \
    } while (0)

/* Expects a code and, in the text of the error, a word. */
#define EXPECT_ERROR(call, code, word)                                                            \
    do {                                                                                          \
        const weft_code returned = (call);                                                        \
        if (returned != (code) || strstr(weft_last_error(), (word)) == NULL) {                    \
            ++failures;                                                                           \
            fprintf(stderr, "rank %d, line %d: code %d, expected %d; '%s' is to be in: %s\n",     \
                    world_rank, __LINE__, (int)returned, (int)(code), (word), weft_last_error()); \
        }                                                                                         \
    } while (0)

#define EXPECT_SUCCESS(call) EXPECT_ERROR(call, WEFT_SUCCESS, "")

/* Others at each call (arrays.c). */
void arrays_are_given_to_calls(void);
/* Several in flight, waited for in another order on every second rank (started.c). */
void started_transforms_go_on_together(void);
/* Between planning and binding (started.c). */
void communicators_are_freed_first(void);
/* Of callers with another weft.h (structs.c). */
void structs_grow(void);
/* What a plan transforms, and agreement on a caller's errors (problem.c). */
void plans_tell_their_problem(void);
/* Brought in as text, given out, forgotten (wisdom.c). */
void wisdom_comes_and_goes(void);
