#include "overlap/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "measure/quartiles.hpp"
#include "measure/race.hpp"

namespace weft::bench {

namespace {

/// One call after the other, each for arrays of its own.
class Calls : public cli::Contender {
  public:
    explicit Calls(cli::Contenders each) : each_(std::move(each)) {}

    [[nodiscard]] cli::Description description() const override {
        cli::Description one = each_.front()->description();
        one.plan = fmt::format("{} times {}", each_.size(), one.plan);
        return one;
    }
    void run(bool backward) override {
        for (const auto& one : each_) one->run(backward);
    }
    std::vector<cli::TimedOperation> timeline(bool backward) override {
        std::vector<cli::TimedOperation> all;
        for (const auto& one : each_) {
            const auto more = one->timeline(backward);
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }
    [[nodiscard]] std::vector<cli::LocalPiece> pieces(bool output) const override {
        std::vector<cli::LocalPiece> all;
        for (const auto& one : each_) {
            const auto more = one->pieces(output);
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }
    void clear() override {
        for (const auto& one : each_) one->clear();
    }

  private:
    cli::Contenders each_;
};

}  // namespace

std::unique_ptr<cli::Contender> contender(const Fields& problem, const Scheme& scheme,
                                          const Point& point, MPI_Comm comm) {
    const std::string choice = "; " + scheme.at(point);
    if (scheme.calls == 1) return cli::weft_contender(problem.all + choice, comm);
    cli::Contenders each;
    each.reserve(static_cast<std::size_t>(scheme.calls));
    for (int i = 0; i < scheme.calls; ++i) {
        each.push_back(cli::weft_contender(problem.one + choice, comm));
    }
    return std::make_unique<Calls>(std::move(each));
}

Point usual_point(const Scheme& scheme) {
    Point point;
    const auto& parts = scheme.parts;
    const bool is_worth = std::find(parts.begin(), parts.end(), point.parts) != parts.end();
    if (!parts.empty() && !is_worth) point.parts = parts.front();
    if (!scheme.overlaps()) point.window = 0;
    return point;
}

Point Search::best() {
    for (const int parts : scheme_.parts) {
        for (const int window : scheme_.windows) look({parts, window, best_.polls, best_.via});
    }
    if (!scheme_.overlaps()) return best_;
    for (const int polls : {1, 2, 32}) look({best_.parts, best_.window, polls, best_.via});
    look({best_.parts, best_.window, best_.polls, "ialltoallv"});
    // As fast as the links may be, no overlap is a point of the space as well.
    look({best_.parts, 0, best_.polls, best_.via});
    return best_;
}

void Search::look(const Point& point) {
    const auto one = contender(problem_, scheme_, point, comm_);
    one->clear();
    std::vector<double> some;
    constexpr int looks = 4;
    some.reserve(looks);
    for (int i = 0; i < looks; ++i) {
        some.push_back(cli::seconds_of_slowest(comm_, true, [&] { one->run(false); }));
    }
    // What others do on the machine makes some runs slower, and none faster.
    const double typical = cli::quartiles({some.begin() + 1, some.end()}).q1;
    if (typical >= least_) return;
    least_ = typical;
    best_ = point;
}

}  // namespace weft::bench
