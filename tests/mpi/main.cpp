// All ranks run all tests; the run fails if a test fails on any rank.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>

int main(int argc, char** argv) {
    // As callers do who have nothing to do with threads, and as those who have.
    const bool several = std::getenv("WEFT_TEST_THREADS") != nullptr;
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, several ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
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
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
