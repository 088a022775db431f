#include "exchange/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/random.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "weft/plan.hpp"

namespace weft::cli {

namespace {

int rank_in(MPI_Comm comm) {
    int rank = 0;
    core::check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
}

int size_of(MPI_Comm comm) {
    int ranks = 0;
    core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    return ranks;
}

class WeftExchange : public Exchange {
  public:
    WeftExchange(Index bytes, const std::string& via, MPI_Comm comm)
        : plan_(Plan::parse(fmt::format("{}; via={}", exchange_problem(size_of(comm), bytes), via),
                            comm)) {
        const Index element = plan_.problem().element_bytes;
        core::all_or_none(comm,
                          [&] { allocate(plan_.in_size() * element, plan_.out_size() * element); });
        transform_.emplace(plan_.bind_untyped(in().data(), out().data()));
    }
    void run() override { transform_->forward(); }

  private:
    Plan plan_;
    std::optional<Transform> transform_;
};

class PlainAlltoall : public Exchange {
  public:
    PlainAlltoall(Index bytes, MPI_Comm comm) : comm_(comm), bytes_(static_cast<int>(bytes)) {
        const Index all = std::max<Index>(bytes * size_of(comm), 1);
        core::all_or_none(comm, [&] { allocate(all, all); });
    }
    void run() override {
        core::check_mpi(
            MPI_Alltoall(in().data(), bytes_, MPI_BYTE, out().data(), bytes_, MPI_BYTE, comm_),
            "MPI_Alltoall");
    }

  private:
    MPI_Comm comm_;
    int bytes_;
};

/// Byte i of the message from one rank to another.
std::byte content(int from, int to, Index i) {
    const auto number = (static_cast<std::uint64_t>(from) << 48) +
                        (static_cast<std::uint64_t>(to) << 32) + static_cast<std::uint64_t>(i);
    return static_cast<std::byte>(core::mix(number) & 255U);
}

}  // namespace

std::string exchange_problem(int ranks, Index bytes) {
    if (bytes == 0) {
        const std::string others(static_cast<std::size_t>(ranks - 1), '|');
        return fmt::format("redistribute:1:2 in=boxes([0:1][1:2]{0}) out=boxes([0:2]{0})", others);
    }
    const Index element = std::gcd(bytes, Index{16});
    return fmt::format("redistribute:{}:{}x{}x{} in=slab(0)@012 out=slab(1)@012", element, ranks,
                       ranks, bytes / element);
}

std::unique_ptr<Exchange> weft_exchange(Index bytes, const std::string& via, MPI_Comm comm) {
    return std::make_unique<WeftExchange>(bytes, via, comm);
}

std::unique_ptr<Exchange> plain_alltoall(Index bytes, MPI_Comm comm) {
    return std::make_unique<PlainAlltoall>(bytes, comm);
}

void check_exchange(Exchange& exchange, const std::string& name, Index bytes, MPI_Comm comm) {
    const int ranks = size_of(comm);
    const int rank = rank_in(comm);
    const auto for_bytes = [&](const auto& visit) {
        for (int peer = 0; peer < ranks; ++peer) {
            for (Index i = 0; i < bytes; ++i) visit(peer, i, peer * bytes + i);
        }
    };
    for_bytes([&](int peer, Index i, Index place) {
        exchange.in().data()[place] = content(rank, peer, i);
        exchange.out().data()[place] = ~content(peer, rank, i);
    });
    exchange.run();
    core::all_or_none(comm, [&] {
        for_bytes([&](int peer, Index i, Index place) {
            if (exchange.out().data()[place] == content(peer, rank, i)) return;
            throw Error(
                ErrorCode::wrong_result,
                fmt::format("{} brought a wrong byte {} of {} from rank {}", name, i, bytes, peer));
        });
    });
}

}  // namespace weft::cli
