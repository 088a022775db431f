#include "exchange/measure.hpp"

#include <memory>

#include "exchange/exchange.hpp"
#include "net/mpi_error.hpp"
#include "weft/error.hpp"

namespace weft::cli {

ExchangeRecords measure_exchange(const std::vector<std::string>& methods, Index bytes,
                                 const Budget& budget, MPI_Comm comm, const LeftOut& left_out) {
    int ranks = 0;
    core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    const std::string problem = exchange_problem(ranks, bytes);
    ExchangeRecords records;
    std::vector<std::unique_ptr<Exchange>> exchanges;
    std::vector<std::function<void()>> calls;
    const auto add = [&](const std::string& method, std::unique_ptr<Exchange> exchange) {
        check_exchange(*exchange, method, bytes, comm);
        records.push_back({method, ranks, bytes, problem, 0, {}, {}, {}});
        calls.emplace_back([&one = *exchange] { one.run(); });
        exchanges.push_back(std::move(exchange));
    };

    add(reference_method, plain_alltoall(bytes, comm));
    for (const std::string& method : methods) {
        try {
            add(method, weft_exchange(bytes, method, comm));
        } catch (const Error& error) {
            const bool cannot =
                error.code() == ErrorCode::bad_request || error.code() == ErrorCode::not_available;
            if (!cannot) throw;
            left_out(method, error.what());
        }
    }
    const std::vector<CallTimes> times = take_turns(calls, budget, comm);
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].repeats = static_cast<int>(times[i].with_barrier.size());
        records[i].with_barrier = statistics(times[i].with_barrier);
        records[i].without_barrier = statistics(times[i].without_barrier);
    }
    return records;
}

}  // namespace weft::cli
