// MPICH's ranks spin while they wait, on UCX whatever MPIR_CVAR_POLLS_BEFORE_YIELD says: where more
// of them than cores wait, every message takes time slices. Loaded before UCX, this lets others run
// whenever nothing has come.
#include <dlfcn.h>
#include <sched.h>

extern "C" unsigned ucp_worker_progress(void* worker) {
    using Progress = unsigned (*)(void*);
    // By its name: in Python, UCX is in a scope of its own, where RTLD_NEXT does not look.
    static const auto progress = reinterpret_cast<Progress>(
        dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), "ucp_worker_progress"));
    const unsigned events = progress(worker);
    if (events == 0) sched_yield();
    return events;
}
