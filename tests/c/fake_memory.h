/* Memory and streams of the fake device, for tests in C. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void* fake_allocate(int64_t bytes);
void fake_free(void* memory);
/* Between any memory and any, at once. */
void fake_copy(const void* from, void* to, int64_t bytes);

/* A stream of the caller's. Copies are put into it, and have run when it has been waited for. */
void* fake_stream_new(void);
void fake_stream_copy(void* stream, const void* from, void* to, int64_t bytes);
void fake_stream_wait(void* stream);
void fake_stream_free(void* stream);

#ifdef __cplusplus
}
#endif
