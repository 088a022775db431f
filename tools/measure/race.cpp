#include "measure/race.hpp"

#include <algorithm>
#include <numeric>

#include "measure/progress.hpp"
#include "measure/quartiles.hpp"
#include "net/mpi_error.hpp"

namespace weft::cli {

namespace {

int rank_in(MPI_Comm comm) {
    int rank = 0;
    core::check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
}

double timed(Contender& contender, bool backward, MPI_Comm comm) {
    return seconds_of_slowest(comm, true, [&] { contender.run(backward); });
}

/// The profile of the rank that took longest.
Profile slowest(Profile profile, MPI_Comm comm) {
    struct {
        double total;
        int rank;
    } mine{profile.total, rank_in(comm)}, most{};
    core::check_mpi(MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm),
                    "MPI_Allreduce");
    core::check_mpi(MPI_Bcast(profile.seconds.data(), static_cast<int>(profile.seconds.size()),
                              MPI_DOUBLE, most.rank, comm),
                    "MPI_Bcast");
    profile.total = most.total;
    return profile;
}

}  // namespace

double seconds_of_slowest(MPI_Comm comm, bool counts, const std::function<void()>& work) {
    core::check_mpi(MPI_Barrier(comm), "MPI_Barrier");
    const double begin = MPI_Wtime();
    work();
    double seconds = counts ? MPI_Wtime() - begin : 0;
    core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm),
                    "MPI_Allreduce");
    return seconds;
}

Turns::Turns(std::size_t count) : order_(count) { std::iota(order_.begin(), order_.end(), 0); }

const std::vector<std::size_t>& Turns::next() {
    random_.shuffle(order_);
    return order_;
}

std::vector<Times> race(const Contenders& contenders, int repeat, MPI_Comm comm, bool speaks) {
    constexpr int warm_up = 2;
    std::vector<Times> times(contenders.size());
    Turns turns(contenders.size());
    const auto round = [&](bool counts) {
        for (const std::size_t i : turns.next()) {
            const double forward = timed(*contenders[i], false, comm);
            const double backward = timed(*contenders[i], true, comm);
            if (!counts) continue;
            times[i].forward.push_back(forward);
            times[i].backward.push_back(backward);
        }
    };
    for (int i = 0; i < warm_up; ++i) round(false);
    Progress progress("weft bench", "repeats", repeat, speaks && rank_in(comm) == 0);
    for (int done = 1; done <= repeat; ++done) {
        round(true);
        progress.done(done);
    }
    return times;
}

std::optional<Profile> typical_profile(Contender& contender, bool backward, int repeat,
                                       MPI_Comm comm) {
    std::vector<Profile> profiles;
    for (int i = 0; i < repeat; ++i) {
        core::check_mpi(MPI_Barrier(comm), "MPI_Barrier");
        const std::optional<Profile> profile = contender.profile(backward);
        if (!profile) return {};
        profiles.push_back(slowest(*profile, comm));
    }
    const auto median = [&](const auto& value) {
        std::vector<double> values;
        values.reserve(profiles.size());
        for (const Profile& profile : profiles) values.push_back(value(profile));
        return quartiles(values).median;
    };
    Profile result;
    result.total = median([](const Profile& profile) { return profile.total; });
    double rest = result.total;
    for (const Phase part : {Phase::fft, Phase::pack, Phase::exchange, Phase::unpack}) {
        const double seconds = median([part](const Profile& p) { return p.of(part); });
        result.seconds[static_cast<std::size_t>(part)] = seconds;
        rest -= seconds;
    }
    result.seconds[static_cast<std::size_t>(Phase::other)] = std::max(rest, 0.0);
    return result;
}

}  // namespace weft::cli
