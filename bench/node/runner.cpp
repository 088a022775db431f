#include "node/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "base/text.hpp"
#include "fft/engine.hpp"
#include "measure/contender.hpp"
#include "measure/race.hpp"
#include "memory/buffer.hpp"
#include "net/agree.hpp"
#include "plan/plan.hpp"
#include "program/lower.hpp"
#include "study/threads.hpp"
#include "weft/error.hpp"

namespace weft::bench {

namespace {

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int ranks_in(MPI_Comm comm) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    return ranks;
}

/// A contender of `weft bench`.
class ContenderRunner : public Runner {
  public:
    ContenderRunner(std::string name, std::unique_ptr<cli::Contender> contender, MPI_Comm comm)
        : name_(std::move(name)), contender_(std::move(contender)), comm_(comm) {
        contender_->clear();
    }
    [[nodiscard]] std::string name() const override { return name_; }
    double seconds(bool backward) override {
        return cli::seconds_of_slowest(comm_, true, [&] { contender_->run(backward); });
    }

  private:
    std::string name_;
    std::unique_ptr<cli::Contender> contender_;
    MPI_Comm comm_;
};

/// A serial library's own threads on rank 0; the other ranks sleep, so that its threads have their
/// cores.
class ThreadsRunner : public Runner {
  public:
    ThreadsRunner(const std::string& engine, const std::string& problem, MPI_Comm comm)
        : name_(engine + "-threads"), comm_(comm) {
        core::all_or_none(comm, [&] {
            if (rank_in(comm_) == 0) plan(engine, problem);
        });
    }
    [[nodiscard]] std::string name() const override { return name_; }
    double seconds(bool backward) override {
        const bool works = rank_in(comm_) == 0;
        return cli::seconds_of_slowest(comm_, works, [&] {
            if (works && backward) backward_->execute(out_.data(), in_.data());
            if (works && !backward) forward_->execute(in_.data(), out_.data());
            wait_asleep();
        });
    }

  private:
    void plan(const std::string& engine, const std::string& problem) {
        const core::Plan forward = core::parse_plan(problem + "; ranks=1; engine=" + engine);
        in_ = core::Buffer(forward.at.front().bytes(0));
        out_ = core::Buffer(forward.at.back().bytes(0));
        const auto planned = [&](const core::Plan& plan, core::Buffer& from, core::Buffer& to) {
            // As FFTW's and MKL's users do: what is transformed back may be overwritten.
            core::FftTask task =
                std::get<core::TransformOp>(core::lower(plan, 0).operations.front().what).task;
            task.may_destroy_input = true;
            return study::plan(engine, ranks_in(comm_), task, Effort::measure, from.data(),
                               to.data());
        };
        core::Plan there = forward;
        core::Plan back = core::reverse(forward);
        there.problem.may_destroy_input = back.problem.may_destroy_input = true;
        forward_ = planned(there, in_, out_);
        backward_ = planned(back, out_, in_);
        std::memset(in_.data(), 0, static_cast<std::size_t>(in_.bytes()));
        std::memset(out_.data(), 0, static_cast<std::size_t>(out_.bytes()));
    }
    void wait_asleep() {
        MPI_Request all_done = MPI_REQUEST_NULL;
        MPI_Ibarrier(comm_, &all_done);
        for (int done = 0; done == 0;) {
            MPI_Test(&all_done, &done, MPI_STATUS_IGNORE);
            const bool sleeps = done == 0 && rank_in(comm_) != 0;
            if (sleeps) std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
    }

    std::string name_;
    MPI_Comm comm_;
    core::Buffer in_;
    core::Buffer out_;
    std::unique_ptr<core::FftPlan> forward_;
    std::unique_ptr<core::FftPlan> backward_;
};

/// Each rank copies its part of the input.
class CopyRunner : public Runner {
  public:
    CopyRunner(const std::string& problem, bool streamed, MPI_Comm comm)
        : streamed_(streamed), comm_(comm) {
        const core::Plan plan =
            core::parse_plan(fmt::format("{}; ranks={}", problem, ranks_in(comm)));
        from_ = core::Buffer(plan.at.front().bytes(rank_in(comm)));
        to_ = core::Buffer(from_.bytes());
        std::memset(from_.data(), 0, static_cast<std::size_t>(from_.bytes()));
        std::memset(to_.data(), 0, static_cast<std::size_t>(to_.bytes()));
    }
    [[nodiscard]] std::string name() const override { return streamed_ ? "copy-streamed" : "copy"; }
    double seconds(bool /*backward*/) override {
        return cli::seconds_of_slowest(comm_, true, [&] { copy(); });
    }

  private:
    void copy() {
        const auto bytes = static_cast<std::size_t>(from_.bytes());
        // What a C library copies at once it may stream; pages it does not.
        const std::size_t step = streamed_ ? bytes : std::size_t{1} << 14;
        for (std::size_t i = 0; i < bytes; i += step) {
            std::memcpy(to_.data() + i, from_.data() + i, std::min(step, bytes - i));
        }
    }

    bool streamed_;
    MPI_Comm comm_;
    core::Buffer from_;
    core::Buffer to_;
};

}  // namespace

std::vector<std::unique_ptr<Runner>> runners(const std::string& problem,
                                             const std::vector<std::string>& only, MPI_Comm comm) {
    std::vector<std::unique_ptr<Runner>> result;
    const auto add = [&](const std::string& name, const auto& make) {
        const bool wanted = only.empty() || std::count(only.begin(), only.end(), name) != 0;
        if (!wanted) return;
        try {
            result.push_back(make(name));
        } catch (const Error& error) {
            if (error.code() != ErrorCode::not_available) throw;
            if (rank_in(comm) == 0) fmt::print(stderr, "{}: {}\n", name, error.what());
        }
    };
    const auto weft = [&](const std::string& choice,
                          cli::Arrays arrays = cli::Arrays::of_the_caller) {
        return [&, choice, arrays](const std::string& name) {
            return std::make_unique<ContenderRunner>(
                name, cli::weft_contender(problem + choice, comm, arrays), comm);
        };
    };
    const auto fftw = [&](const std::string& layout) {
        return [&, layout](const std::string& name) {
            return std::make_unique<ContenderRunner>(
                name, cli::competitor("fftw-mpi", problem + layout, comm), comm);
        };
    };
    const auto threads = [&](const std::string& engine) {
        return [&, engine](const std::string&) {
            return std::make_unique<ThreadsRunner>(engine, problem, comm);
        };
    };
    const auto copy = [&](bool streamed) {
        return [&, streamed](const std::string&) {
            return std::make_unique<CopyRunner>(problem, streamed, comm);
        };
    };
    add("weft", weft(" out=free; via=shared"));
    add("weft-allocated", weft(" out=free; via=shared", cli::Arrays::of_weft));
    add("weft-reproducible", weft(" out=free; via=shared; reproducible=yes"));
    add("weft-returning", weft(" in=slab(0) out=slab(0); via=shared"));
    add("weft-returning-allocated",
        weft(" in=slab(0) out=slab(0); via=shared", cli::Arrays::of_weft));
    add("weft-messages", weft(" out=free; via=alltoallv"));
    if (ranks_in(comm) >= 4) {
        add("weft-pencils", weft(" out=free; decomposition=pencil; via=shared"));
        add("weft-pencils-messages", weft(" out=free; decomposition=pencil; via=alltoallv"));
    }
    add("fftw-mpi", fftw(" out=free"));
    add("fftw-mpi-returning", fftw(" in=slab(0) out=slab(0)"));
    add("fftw-threads", threads("fftw"));
    add("mkl-threads", threads("mkl"));
    add("copy", copy(false));
    add("copy-streamed", copy(true));
    return result;
}

}  // namespace weft::bench
