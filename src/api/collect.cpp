// The boxes of all ranks from each rank's own.
#include <limits>

#include "base/index.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"
#include "weft/plan.hpp"

namespace weft {

namespace {

/// Per box: its number of axes, lower bounds, upper bounds.
std::vector<Index> flattened(const std::vector<Box>& boxes) {
    std::vector<Index> numbers;
    for (const Box& box : boxes) {
        if (box.lo.size() != box.hi.size()) {
            throw Error(ErrorCode::bad_request, "a box has " + std::to_string(box.lo.size()) +
                                                    " lower and " + std::to_string(box.hi.size()) +
                                                    " upper bounds");
        }
        numbers.push_back(box.axes());
        numbers.insert(numbers.end(), box.lo.begin(), box.lo.end());
        numbers.insert(numbers.end(), box.hi.begin(), box.hi.end());
    }
    if (numbers.size() > std::size_t{std::numeric_limits<int>::max()}) {
        throw Error(ErrorCode::bad_request, "too many boxes on one rank");
    }
    return numbers;
}

std::vector<Box> unflattened(const Index* next, const Index* end) {
    std::vector<Box> boxes;
    while (next != end) {
        const Index axes = *next++;
        boxes.push_back({{next, next + axes}, {next + axes, next + 2 * axes}});
        next += 2 * axes;
    }
    return boxes;
}

}  // namespace

std::vector<std::vector<Box>> collect(const std::vector<Box>& mine, MPI_Comm comm) {
    core::require_mpi(comm);
    std::vector<Index> own;
    std::vector<int> counts;
    std::vector<int> offsets;
    std::vector<Index> all;
    core::all_or_none(comm, [&] {
        own = flattened(mine);
        counts.resize(core::usize(core::ranks_in(comm)));
        offsets.resize(counts.size());
    });
    const int count = static_cast<int>(own.size());
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm),
                        "MPI_Allgather");
    });
    core::all_or_none(comm, [&] {
        Index total = 0;
        for (std::size_t rank = 0; rank < counts.size(); ++rank) {
            offsets[rank] = static_cast<int>(total);
            total += counts[rank];
        }
        if (total > std::numeric_limits<int>::max()) {
            throw Error(ErrorCode::bad_request, "too many boxes to be collected");
        }
        all.resize(core::usize(total));
    });
    core::all_or_none(comm, [&] {
        core::check_mpi(MPI_Allgatherv(own.data(), count, MPI_INT64_T, all.data(), counts.data(),
                                       offsets.data(), MPI_INT64_T, comm),
                        "MPI_Allgatherv");
    });
    std::vector<std::vector<Box>> boxes;
    core::all_or_none(comm, [&] {
        boxes.reserve(counts.size());
        for (std::size_t rank = 0; rank < counts.size(); ++rank) {
            const Index* first = all.data() + offsets[rank];
            boxes.push_back(unflattened(first, first + counts[rank]));
        }
    });
    return boxes;
}

}  // namespace weft
