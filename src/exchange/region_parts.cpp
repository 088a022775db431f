#include "exchange/region_parts.hpp"

#include "base/mapped.hpp"
#include "exchange/exchange_task.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

StoredBox stored_in(const Layout& layout, int owner, const Box& box) {
    for (const StoredBox& stored : layout.stored(owner)) {
        if (intersect(stored.box, box) == box) return part_of(box, stored);
    }
    throw Error(ErrorCode::system, "internal: a part is in none of its owner's boxes");
}

}  // namespace

std::vector<RegionPart> parts_of_arrays(const Layout& layout,
                                        const std::vector<Transfer>& transfers,
                                        std::optional<int> owner) {
    return mapped(transfers, [&](const Transfer& one) {
        const StoredBox stored = stored_in(layout, owner.value_or(one.peer), one.box);
        return RegionPart{one.peer, one.own, true, !owner, false, {stored}};
    });
}

void add_uses(const std::vector<RegionPart>& own, const std::vector<RegionPart>& others, int rank,
              const std::vector<int>& order, RegionTask& task) {
    const auto add = [&](const std::vector<RegionPart>& parts, std::vector<PeerPart>& uses) {
        for (const RegionPart& part : parts) {
            if (!part.in_place || part.peer == rank) continue;
            slices_of(uses, part.peer).push_back(part.where.slice(order));
        }
    };
    add(own, task.offered);
    add(others, task.used);
}

std::vector<Message> messages_of(const std::vector<RegionPart>& parts, int rank) {
    std::vector<Message> result;
    for (const RegionPart& part : parts) {
        if (part.in_place || part.peer == rank) continue;
        const StoredBox& stored = part.where.stored;
        std::vector<Slice>& slices = slices_of(result, part.peer);
        if (slices.empty()) slices.push_back({stored.offset, {{0, 1}}});
        slices.front().runs.front().extent += stored.box.volume();
    }
    return result;
}

}  // namespace weft::core
