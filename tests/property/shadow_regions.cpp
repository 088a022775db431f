// What the shadow machine does with regions: it knows of every cell which other ranks may read or
// write it.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "property/shadow_machine.hpp"

namespace weft::core::test {

namespace {

/// Which region a buffer is; nothing if other ranks do not use it.
std::optional<RegionId> region_of(const Program& program, int buffer) {
    const BufferSpec& spec = program.buffers[static_cast<std::size_t>(buffer)];
    if (spec.exposed) {
        return RegionId{spec.role == Role::input ? RegionKind::input : RegionKind::output, 0};
    }
    if (spec.role != Role::region) return std::nullopt;
    const auto number =
        std::count_if(program.buffers.begin(), program.buffers.begin() + buffer,
                      [](const BufferSpec& one) { return one.role == Role::region; });
    return RegionId{RegionKind::work, static_cast<int>(number)};
}

}  // namespace

template <class Visit>
void ShadowMachine::for_cells(const PeerPart& part, Index element_bytes, const Visit& visit) const {
    const Index width = element_bytes / cell_bytes_;
    for (const Index offset : offsets_of(part.slices)) {
        for (Index k = 0; k < width; ++k) visit(offset * width + k);
    }
}

bool ShadowMachine::is_free(const Node& node, int buffer) {
    const auto& cells = node.buffers[static_cast<std::size_t>(buffer)];
    return std::all_of(cells.begin(), cells.end(),
                       [](const Cell& cell) { return cell.readers == 0 && cell.written_by == -1; });
}

void ShadowMachine::check_part(const Node& node, const PeerPart& part) const {
    if (part.peer == node.program.rank) fail(node, "a rank uses its own region as another's");
    if (!environment_.nodes.same_node(part.peer, node.program.rank)) {
        fail(node, "a region on another node");
    }
    if (offsets_of(part.slices).empty()) fail(node, "an empty part of a region");
}

/// All ranks publish the same region, in one order.
void ShadowMachine::check_region(const Node& node, const PublishOp& op) {
    if (region_of(node.program, op.region) != op.task.region) {
        fail(node, "another region is published than the task says");
    }
    for (const auto* parts : {&op.task.offered, &op.task.used}) {
        std::set<int> peers;
        for (const PeerPart& part : *parts) {
            check_part(node, part);
            if (!peers.insert(part.peer).second) fail(node, "two parts for one peer");
        }
    }
    if (started_.contains(node.ordinal)) fail(node, "another rank starts an exchange meanwhile");
    const int other = publisher(node.ordinal);
    if (other == -1) return;
    const RegionTask& theirs = published_.at({node.ordinal, other});
    if (theirs.region != op.task.region || theirs.access != op.task.access ||
        theirs.element_bytes != op.task.element_bytes) {
        fail(node, fmt::format("rank {} publishes another region", other));
    }
}

int ShadowMachine::publisher(int ordinal) const {
    const auto one = published_.lower_bound({ordinal, 0});
    return one != published_.end() && one->first.first == ordinal ? one->first.second : -1;
}

/// What others may read has been written. Where they may write, the rank keeps nothing that it
/// still needs, not even between what it offers.
void ShadowMachine::publish(Node& node, const PublishOp& op) {
    check_region(node, op);
    const bool reads = op.task.access == RegionAccess::read;
    if (!reads) {
        if (!is_free(node, op.region)) fail(node, "a region is offered again");
        for (Cell& one : node.buffers[static_cast<std::size_t>(op.region)]) one.name = Name{};
    }
    const Index width = op.task.element_bytes / cell_bytes_;
    for (const PeerPart& part : op.task.offered) {
        for (const Index offset : offsets_of(part.slices)) {
            std::vector<Name> names;
            if (reads) read(node, {op.region, offset * width, width}, names);
        }
        for_cells(part, op.task.element_bytes, [&](Index index) {
            Cell& here = cell(node, op.region, index);
            if (here.sending > 0 || here.receiving) fail(node, "an exchange uses what is offered");
            if (here.written_by != -1) fail(node, "an element is offered to two writers");
            if (reads) ++here.readers;
            if (!reads) here.written_by = part.peer;
        });
    }
    published_[{node.ordinal, node.program.rank}] = op.task;
    node.published[node.next] = node.ordinal++;
}

/// What this rank uses is what the others offer to it.
bool ShadowMachine::await(Node& node, const AwaitOp& op) {
    const auto published = node.published.find(op.publish);
    if (published == node.published.end()) fail(node, "what was not published is awaited");
    const auto& own = std::get<PublishOp>(node.program.operations[op.publish].what);
    for (const PeerPart& part : own.task.used) {
        const auto theirs = published_.find({published->second, part.peer});
        if (theirs == published_.end()) return false;
        const auto& offered = theirs->second.offered;
        const PeerPart wanted{node.program.rank, part.slices};
        if (std::find(offered.begin(), offered.end(), wanted) == offered.end()) {
            fail(node, fmt::format("rank {} offers something else than is used", part.peer));
        }
    }
    node.published.erase(published);
    node.awaited.insert(op.publish);
    return true;
}

void ShadowMachine::release(Node& node, const ReleaseOp& op) {
    if (node.awaited.erase(op.publish) == 0) fail(node, "what was not awaited is released");
    const auto& own = std::get<PublishOp>(node.program.operations[op.publish].what);
    for (const PeerPart& part : own.task.used) {
        const auto [owner, buffer] = at_place(node, {own.region, part.peer});
        for_cells(part, own.task.element_bytes, [&, owner = owner, buffer = buffer](Index index) {
            Cell& here = cell(*owner, buffer, index);
            if (own.task.access == RegionAccess::read) {
                if (--here.readers < 0) fail(node, "what was not published is released");
                return;
            }
            if (here.written_by != node.program.rank) fail(node, "another writes what is released");
            if (here.name.element == -1) fail(node, "what was not written is released");
            here.written_by = -1;
        });
    }
}

bool ShadowMachine::reclaim(const Node& node, const ReclaimOp& op) const {
    if (!region_of(node.program, op.region)) fail(node, "a buffer is reclaimed that is no region");
    return is_free(node, op.region);
}

void ShadowMachine::check_regions_at_end(const Node& node) const {
    if (!node.published.empty()) fail(node, "a publication is never awaited");
    if (!node.awaited.empty()) fail(node, "regions of others are never released");
    for (std::size_t b = 0; b < node.buffers.size(); ++b) {
        if (node.program.buffers[b].exposed && !is_free(node, static_cast<int>(b))) {
            fail(node, "an array is never reclaimed");
        }
    }
}

std::pair<ShadowMachine::Node*, int> ShadowMachine::at_place(Node& node, const BufferRef& place) {
    if (!place.rank) return {&node, place.buffer};
    if (place.rank == node.program.rank) fail(node, "a rank's own region is named as another's");
    const auto region = region_of(node.program, place.buffer);
    if (!region) fail(node, "a buffer is used that is no region");
    Node& other = nodes_[static_cast<std::size_t>(*place.rank)];
    for (std::size_t b = 0; b < other.program.buffers.size(); ++b) {
        const auto buffer = static_cast<int>(b);
        if (region_of(other.program, buffer) == region) return {&other, buffer};
    }
    fail(node, fmt::format("rank {} has no such region", *place.rank));
}

void ShadowMachine::check_use(const Node& node, const BufferRef& place, RegionAccess access) const {
    const auto allows = [&](std::size_t number) {
        const auto& op = std::get<PublishOp>(node.program.operations[number].what);
        return op.region == place.buffer && op.task.access == access &&
               std::any_of(op.task.used.begin(), op.task.used.end(),
                           [&](const PeerPart& part) { return part.peer == place.rank; });
    };
    if (!std::any_of(node.awaited.begin(), node.awaited.end(), allows)) {
        fail(node, "another rank's region is used that was not awaited, or is released");
    }
}

void ShadowMachine::read_place(Node& node, const BufferRef& place, const Element& element,
                               std::vector<Name>& names) {
    const auto [owner, buffer] = at_place(node, place);
    read(*owner, {buffer, element.first, element.cells, element.any_part}, names);
    if (owner == &node) return;
    check_use(node, place, RegionAccess::read);
    for (Index i = 0; i < element.cells; ++i) {
        if (cell(*owner, buffer, element.first + i).readers == 0) {
            fail(node, "an element of another rank's region is read that is not offered");
        }
    }
}

void ShadowMachine::write_place(Node& node, const BufferRef& place, const Element& element,
                                const std::vector<Name>& names, std::size_t from) {
    if (!place.rank) {
        return write(node, {place.buffer, element.first, element.cells}, names, from);
    }
    const auto [owner, buffer] = at_place(node, place);
    check_use(node, place, RegionAccess::write);
    for (Index i = 0; i < element.cells; ++i) {
        Cell& here = cell(*owner, buffer, element.first + i);
        if (here.written_by != node.program.rank) {
            fail(node, "an element of another rank's region is written that is not offered");
        }
        if (here.name.element != -1) fail(node, "an element of another rank is written twice");
        here.name = names[from + static_cast<std::size_t>(i)];
    }
}

}  // namespace weft::core::test
