// How much of each exchange of pencils tiles hide, on more hosts than cores: transforms sleep for
// as long as a modelled processor would take, everything else is done; bench/README.md.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/state.hpp"
#include "fft/engine.hpp"
#include "measure/json.hpp"
#include "measure/profile.hpp"
#include "measure/quartiles.hpp"
#include "memory/buffer.hpp"
#include "model/default_plan.hpp"
#include "study_main.hpp"
#include "weft/plan.hpp"

namespace {

using namespace weft;
using namespace weft::cli;

struct Options {
    std::string problem = "c2c:f64:256x256x128; decomposition=pencil; pack=sender";
    std::string tile = "(axis:0,T:4,W:3,F:8)";
    std::string rate = "?";
    double slow = 5;
    int repeat = 7;
    std::string json;
};

/// Sleeps for `slow` times what the native engine is estimated to take: once enough has come
/// together, since what wakes a process up takes a while itself, which counts.
class SleepingEngine : public core::FftEngine {
  public:
    explicit SleepingEngine(double slow) : slow_(slow) {}

    [[nodiscard]] std::string_view name() const override { return "sleep"; }
    [[nodiscard]] double cost(const core::FftTask& task,
                              const core::CoreRates& rates) const override {
        return slow_ * core::native_engine().cost(task, rates);
    }
    [[nodiscard]] std::unique_ptr<core::FftPlan> plan(const core::FftTask& task, Effort /*effort*/,
                                                      std::byte* /*from*/,
                                                      std::byte* /*to*/) const override {
        return std::make_unique<Sleep>(
            cost(task, core::core_rates(core::modest_machine(), "native")), owed_);
    }

  private:
    class Sleep : public core::FftPlan {
      public:
        Sleep(double seconds, std::shared_ptr<double> owed)
            : seconds_(seconds), owed_(std::move(owed)) {}
        void execute(std::byte* /*from*/, std::byte* /*to*/) override {
            constexpr double worth_sleeping = 0.5e-3;
            *owed_ += seconds_;
            if (*owed_ < worth_sleeping) return;
            const double begin = MPI_Wtime();
            std::this_thread::sleep_for(std::chrono::duration<double>(*owed_));
            *owed_ -= MPI_Wtime() - begin;
        }

      private:
        double seconds_;
        std::shared_ptr<double> owed_;
    };

    double slow_;
    std::shared_ptr<double> owed_ = std::make_shared<double>(0);
};

/// Seconds of one run of a rank: in all, of the transforms of each stage, and of what is waited for
/// in each redistribution.
struct Account {
    double total = 0;
    std::map<int, double> transforms{};
    std::map<int, double> waits{};
};

/// A plan whose transforms sleep.
class Sleeper {
  public:
    Sleeper(const std::string& text, const core::FftEngine& engine, MPI_Comm comm)
        : plan_(Plan::parse(text, comm)),
          programs_(Internals::plan(plan_), plan_.rank()),
          net_(comm),
          in_(bytes(plan_.in_size())),
          out_(bytes(plan_.out_size())),
          workspace_(programs_.memory.workspace_bytes),
          parts_(phases(programs_.forward)) {
        for (core::Buffer* array : {&in_, &out_}) {
            std::fill_n(array->data(), array->bytes(), std::byte{0});
        }
        programs_.join(net_);
        programs_.share(net_);
        const core::Workers workers{team_};
        core::EnginePlans plans(engine, Effort::estimate, workers);
        executor_.emplace(programs_.forward,
                          core::Bound{in_.data(), out_.data(), workspace_.data()}, plans, workers,
                          net_);
        executor_->connect();
    }

    Account run() {
        const std::vector<double> seconds = seconds_of_operations(*executor_);
        Account account;
        // All ranks know the same stages, whatever they own.
        const core::Plan& plan = Internals::plan(plan_);
        for (int stage = 0; stage < static_cast<int>(plan.stages.size()); ++stage) {
            const auto number = static_cast<std::size_t>(stage);
            (core::redistribution_at(plan, number) != nullptr ? account.waits
                                                              : account.transforms)[stage] = 0;
        }
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            const int stage = programs_.forward.operations[i].stage;
            account.total += seconds[i];
            if (parts_[i] == Phase::fft) account.transforms[stage] += seconds[i];
            const bool waits =
                parts_[i] == Phase::exchange &&
                !std::holds_alternative<core::PollOp>(programs_.forward.operations[i].what);
            if (waits) account.waits[stage] += seconds[i];
        }
        return account;
    }
    [[nodiscard]] std::string text() const { return plan_.text(); }

  private:
    static Index bytes(Index elements) { return 2 * Index{sizeof(double)} * elements; }

    Plan plan_;
    core::Programs programs_;
    core::MpiNet net_;
    core::Team team_{1};
    core::Buffer in_;
    core::Buffer out_;
    core::Buffer workspace_;
    std::vector<Phase> parts_;
    std::optional<core::Executor> executor_;
};

/// Medians over the runs of the mean over all ranks.
struct Result {
    std::string text;
    Account typical{};
};

double mean(double mine, MPI_Comm comm) {
    double sum = 0;
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    return sum / ranks;
}

Result measure(const std::string& text, const Options& options, MPI_Comm comm) {
    const SleepingEngine engine(options.slow);
    Sleeper sleeper(text, engine, comm);
    std::vector<double> totals;
    std::map<int, std::vector<double>> transforms;
    std::map<int, std::vector<double>> waits;
    for (int i = -2; i < options.repeat; ++i) {
        MPI_Barrier(comm);
        const Account account = sleeper.run();
        if (i < 0) continue;
        totals.push_back(mean(account.total, comm));
        for (const auto& [stage, seconds] : account.transforms) {
            transforms[stage].push_back(mean(seconds, comm));
        }
        for (const auto& [stage, seconds] : account.waits) {
            waits[stage].push_back(mean(seconds, comm));
        }
    }
    Result result{sleeper.text()};
    result.typical.total = quartiles(totals).median;
    for (auto& [stage, all] : transforms) result.typical.transforms[stage] = quartiles(all).median;
    for (auto& [stage, all] : waits) result.typical.waits[stage] = quartiles(all).median;
    return result;
}

std::string stages_text(const char* what, const std::map<int, double>& seconds) {
    std::string text;
    for (const auto& [stage, one] : seconds) {
        text += fmt::format("  {} of stage {} {:.1f}", what, stage, 1e3 * one);
    }
    return text;
}

std::string line(const char* name, const Account& account) {
    return fmt::format("  {:<10}{:>9.1f}{}{}\n", name, 1e3 * account.total,
                       stages_text("transforms", account.transforms),
                       stages_text("waits", account.waits));
}

Json json_of(const std::map<int, double>& seconds) {
    Json result;
    for (const auto& [stage, one] : seconds) result[std::to_string(stage)] = one;
    return result;
}

int run(const Options& options) {
    const std::string heading = fmt::format(
        "links of {}; transforms sleep {} times the native engine's estimate; milliseconds, mean "
        "of the ranks\n",
        options.rate, options.slow);
    return bench::run_study(
        "pencil_study", heading, options.json, [&](const Machine& here, int ranks, bool speaks) {
            const std::string all = options.problem + "; tile=";
            const Result tiled = measure(all + options.tile, options, MPI_COMM_WORLD);
            // The same stages with formats alike, in one tile that is waited for.
            const Result blocking =
                measure(all + "(axis:0,T:1000000,W:0,F:0)", options, MPI_COMM_WORLD);
            std::string lines;
            for (const auto& [name, result] :
                 {std::pair{"blocking", &blocking}, {"tiles", &tiled}}) {
                if (speaks) fmt::print("{}", line(name, result->typical));
                Json one;
                one["study"] = "pencil";
                one["runner"] = name;
                one["plan"] = result->text;
                one["ranks"] = ranks;
                one["rate"] = options.rate;
                one["slow"] = options.slow;
                one["repeat"] = options.repeat;
                one["forward_s"] = result->typical.total;
                one["transforms_s"] = json_of(result->typical.transforms);
                one["waits_s"] = json_of(result->typical.waits);
                add_machine(one, here);
                lines += one.dump() + "\n";
            }
            if (speaks) {
                for (const auto& [stage, seconds] : blocking.typical.waits) {
                    fmt::print("  of the exchange of stage {} {:.2f} is left\n", stage,
                               tiled.typical.waits.at(stage) / seconds);
                }
            }
            return lines;
        });
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("how much of each exchange of pencils tiles hide, where transforms sleep");
    app.add_option("--problem", options.problem, "and its choice, but for tiles")
        ->capture_default_str();
    app.add_option("--tile", options.tile, "the tiling")->capture_default_str();
    app.add_option("--rate", options.rate, "of the links, for the records");
    app.add_option("--slow", options.slow, "how long transforms sleep, of the estimate")
        ->capture_default_str();
    app.add_option("--repeat", options.repeat, "runs")->capture_default_str();
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
