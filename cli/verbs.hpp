// The verbs of the command. Each adds itself to the application and returns its exit code:
// 0 right, 1 wrong result, 2 bad request, 3 not available here, 4 MPI or system.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace weft::cli {

/// What a verb leaves behind: how it is run if it is chosen, and whether it needs MPI.
struct Verb {
    CLI::App* app = nullptr;
    std::function<int()> run;
    std::function<bool()> needs_mpi;
};

Verb add_bench(CLI::App& app);
Verb add_calibrate(CLI::App& app);
Verb add_copies(CLI::App& app);
Verb add_engines(CLI::App& app);
Verb add_exchange(CLI::App& app);
Verb add_explain(CLI::App& app);
Verb add_ft(CLI::App& app);
Verb add_info(CLI::App& app);
Verb add_manual(CLI::App& app);
Verb add_methods(CLI::App& app);
Verb add_plan(CLI::App& app);
Verb add_predict(CLI::App& app);
Verb add_simulate(CLI::App& app);
Verb add_tune(CLI::App& app);
Verb add_verify(CLI::App& app);
Verb add_wisdom(CLI::App& app);

}  // namespace weft::cli
