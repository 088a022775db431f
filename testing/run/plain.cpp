#include "testing/run/plain.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "exchange/exchange_task.hpp"
#include "exchange/transfers.hpp"
#include "kernels/copy.hpp"
#include "memory/buffer.hpp"
#include "program/layout_tasks.hpp"

namespace weft::core {

namespace {

void copy(const Slice& from, const std::byte* source, const Slice& to, std::byte* target,
          Index element_bytes) {
    Copy(copy_task(from, to, element_bytes)).execute(source, target);
}

class PlainTransform {
  public:
    PlainTransform(const Plan& plan, Net& net, const FftEngine& engine)
        : plan_(plan), net_(net), rank_(net.rank()), engine_(engine) {}

    void run(const std::byte* in, std::byte* out) {
        Buffer held = room(plan_.at.front());
        copy_boxes(plan_.at.front(), in, held.data());
        for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
            const TransformStage* transform = transform_at(plan_, i);
            held = transform != nullptr
                       ? transformed(*transform, plan_.at[i], held, plan_.at[i + 1])
                       : redistributed(plan_.at[i], held, plan_.at[i + 1]);
        }
        scale_all(held.data());
        copy_boxes(plan_.at.back(), held.data(), out);
    }

  private:
    [[nodiscard]] Buffer room(const Layout& layout) const { return Buffer(layout.bytes(rank_)); }

    void copy_boxes(const Layout& layout, const std::byte* from, std::byte* to) const {
        if (from == to) return;
        for (const CopyTask& task : copies_between(layout, layout, rank_)) {
            Copy(task).execute(from, to);
        }
    }

    /// One axis after the other. The last one, whose length a real transform changes, goes first to
    /// complex numbers and last from them; the others are transformed in place.
    [[nodiscard]] Buffer transformed(const TransformStage& stage, const Layout& from, Buffer& held,
                                     const Layout& to) const {
        if (!stage.kept.empty()) return transformed_in_parts(stage, from, held, to);
        Buffer made = room(to);
        const int last = stage.axes.back();
        const bool complex_before = stage.kind == Kind::c2r;
        const auto transform_others = [&](const Layout& layout, Buffer& array) {
            for (const int axis : stage.axes) {
                if (axis == last) continue;
                transform_axis(part_of(stage, {axis}), layout, array, layout, array);
            }
        };
        if (complex_before) transform_others(from, held);
        transform_axis(part_of(stage, {last}), from, held, to, made);
        if (!complex_before) transform_others(to, made);
        return made;
    }

    /// Axes that change their extents, one after the other, from array to array.
    [[nodiscard]] Buffer transformed_in_parts(const TransformStage& stage, const Layout& from,
                                              Buffer& held, const Layout& to) const {
        const std::vector<int> order = kept_order(stage);
        const std::vector<Layout> between = layouts_between_axes(stage, from, to);
        const Layout* here = &from;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Layout& next = i < between.size() ? between[i] : to;
            Buffer made = room(next);
            transform_axis(part_of(stage, {order[i]}), *here, held, next, made);
            held = std::move(made);
            here = &next;
        }
        return std::move(held);
    }

    void transform_axis(const TransformStage& stage, const Layout& from, const Buffer& source,
                        const Layout& to, const Buffer& target) const {
        for (FftTask& task : fft_tasks(stage, from, to, rank_)) {
            task.in_place = &source == &target;
            task.may_destroy_input = true;
            std::byte* begin = source.data() + task.from_offset * task.line.source().bytes();
            std::byte* result = target.data() + task.to_offset * task.line.target().bytes();
            engine_.plan(task, Effort::estimate, begin, result)->execute(begin, result);
        }
    }

    /// Packs a message for each peer, in the order of axes that the target has, and unpacks what
    /// comes. `1 x 2 x 3` elements for a peer lie end to end behind those for the peer before it.
    [[nodiscard]] Buffer redistributed(const Layout& from, const Buffer& held, const Layout& to) {
        const Transfers all = transfers(from.where, to.where, rank_);
        ExchangeTask task =
            exchange_between(from, to, group(from.where, to.where, rank_), plan_.choice.chunk);
        const Buffer sent(elements(all.sends) * task.element_bytes);
        const Buffer received(elements(all.receives) * task.element_bytes);
        const std::vector<StoredBox> sources = from.stored(rank_);
        const std::vector<StoredBox> targets = to.stored(rank_);
        const auto for_each_part = [&](const std::vector<Transfer>& side,
                                       const std::vector<StoredBox>& boxes, const auto& visit) {
            Index offset = 0;
            for (const Transfer& part : side) {
                const StoredBox& box = boxes[usize(part.own)];
                const Slice inside = slice_of(part.box, box, to.format.order);
                visit(part, inside, dense_at(part.box, offset, to.format.order));
                offset += part.box.volume();
            }
        };
        for_each_part(all.sends, sources,
                      [&](const Transfer& part, const Slice& inside, const Slice& packed) {
                          copy(inside, held.data(), packed, sent.data(), task.element_bytes);
                          add(task.sends, part, packed);
                      });
        for_each_part(all.receives, targets,
                      [&](const Transfer& part, const Slice&, const Slice& packed) {
                          add(task.receives, part, packed);
                      });
        carry(task, sent.data(), received.data());
        Buffer made = room(to);
        // What is received from nobody.
        std::fill_n(made.data(), to.bytes(rank_), std::byte{0});
        for_each_part(all.receives, targets,
                      [&](const Transfer&, const Slice& inside, const Slice& packed) {
                          copy(packed, received.data(), inside, made.data(), task.element_bytes);
                      });
        return made;
    }

    /// Elements of a box, dense from `offset` on.
    static Slice dense_at(const Box& box, Index offset, const std::vector<int>& order) {
        return slice_of(box, {box, offset, strides(Format{order}, box)}, order);
    }
    static Index elements(const std::vector<Transfer>& side) {
        Index all = 0;
        for (const Transfer& part : side) all += part.box.volume();
        return all;
    }
    static void add(std::vector<Message>& messages, const Transfer& part, const Slice& packed) {
        slices_of(messages, part.peer).push_back({packed.offset, {{part.box.volume(), 1}}});
    }

    /// All messages at once; the rank's own part without MPI.
    void carry(ExchangeTask& task, const std::byte* from, std::byte* to) {
        const auto is_own = [&](const Message& message) { return message.peer == rank_; };
        const auto sent = std::find_if(task.sends.begin(), task.sends.end(), is_own);
        if (sent != task.sends.end()) {
            const auto landed = std::find_if(task.receives.begin(), task.receives.end(), is_own);
            const Index bytes = sent->count() * task.element_bytes;
            std::copy_n(from + sent->offset() * task.element_bytes, bytes,
                        to + landed->offset() * task.element_bytes);
            task.sends.erase(sent);
            task.receives.erase(landed);
        }
        net_.join(task.group);
        const std::unique_ptr<Channel> channel = net_.open(task, {});
        channel->connect();
        channel->start({from, to});
        channel->wait();
    }

    void scale_all(std::byte* made) const {
        if (plan_.scale() == 1) return;
        const Layout& last = plan_.at.back();
        for (const Slice& reals : real_slices(last, rank_)) {
            scale(last.scalar.precision, made, made, reals, plan_.scale());
        }
    }

    const Plan& plan_;
    Net& net_;
    int rank_;
    const FftEngine& engine_;
};

}  // namespace

void run_plain(const Plan& plan, Net& net, const FftEngine& engine, const std::byte* in,
               std::byte* out) {
    PlainTransform(plan, net, engine).run(in, out);
}

}  // namespace weft::core
