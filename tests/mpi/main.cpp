// All ranks run all tests; the run fails if a test fails on any rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#ifdef __SANITIZE_ADDRESS__
#include <link.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace {

/// What MPI leaks while it starts is not looked at.
void init_mpi(int& argc, char**& argv) {
#ifdef __SANITIZE_ADDRESS__
    const __lsan::ScopedDisabler disabled;
#endif
    // As callers do who have nothing to do with threads, and as those who have.
    const bool several = std::getenv("WEFT_TEST_THREADS") != nullptr;
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, several ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
}

#ifdef __SANITIZE_ADDRESS__
/// This thread's own variables in a library, which lead to memory that is not lost.
int show_variables(dl_phdr_info* library, std::size_t /*size*/, void* /*argument*/) {
    for (int i = 0; i < library->dlpi_phnum; ++i) {
        const auto& part = library->dlpi_phdr[i];
        if (part.p_type != PT_TLS || library->dlpi_tls_data == nullptr) continue;
        __lsan_register_root_region(library->dlpi_tls_data, part.p_memsz);
    }
    return 0;
}
#endif

/// Looked for before MPI ends: what it keeps itself is reachable until then, and its libraries are
/// loaded, so that the function that has allocated something tells whether that was one of theirs
/// (scripts/lsan.supp).
bool has_leaks() {
#ifdef __SANITIZE_ADDRESS__
    dl_iterate_phdr(&show_variables, nullptr);
    return __lsan_do_recoverable_leak_check() != 0;
#else
    return false;
#endif
}

}  // namespace

int main(int argc, char** argv) {
    init_mpi(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        // One report is enough; failures of other ranks still print, through the assertion's text.
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        class OnlyFailures : public testing::EmptyTestEventListener {
            void OnTestPartResult(const testing::TestPartResult& result) override {
                if (result.failed()) {
                    fprintf(stderr, "%s:%d: %s\n", result.file_name(), result.line_number(),
                            result.message());
                }
            }
        };
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new OnlyFailures);
    }
    int failed = RUN_ALL_TESTS();
    if (has_leaks()) failed = 1;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
