/* Part of sanitized programs (weft_keeps_libraries). */
#include <dlfcn.h>

__attribute__((visibility("default"))) int dlclose(void* library) {
    (void)library;
    return 0;
}
