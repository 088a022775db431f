#include "by_hand/transposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <memory>
#include <new>

#include "base/text.hpp"
#include "by_hand/by_hand.h"
#include "net/agree.hpp"

namespace weft::bench {

namespace {

using Element = std::complex<double>;
using ByHand = std::function<void(const void*, void*)>;

/// Takes what a `create` has made, to be used by `run` and ended by `free`.
template <class Made>
ByHand owned(Made* made, void (*run)(Made*, const void*, void*), void (*free)(Made*)) {
    if (made == nullptr) throw std::bad_alloc();
    return [self = std::shared_ptr<Made>(made, free), run](const void* in, void* out) {
        run(self.get(), in, out);
    };
}

ByHand by_hand(const Transposition& what, MPI_Comm comm) {
    const int* shape = what.shape.data();
    const by_hand_order order = what.order == "012" ? by_hand_natural : by_hand_axis1_slowest;
    if (what.method == "alltoallv") {
        return owned(by_hand_alltoallv_create(shape, order, comm), &by_hand_alltoallv_run,
                     &by_hand_alltoallv_free);
    }
    if (what.method == "isend-waitall") {
        return owned(by_hand_isend_waitall_create(shape, order, comm), &by_hand_isend_waitall_run,
                     &by_hand_isend_waitall_free);
    }
    return owned(by_hand_alltoallw_create(shape, comm), &by_hand_alltoallw_run,
                 &by_hand_alltoallw_free);
}

core::Buffer array(Index elements) {
    return core::Buffer(elements * static_cast<Index>(sizeof(Element)));
}

Element* elements(const core::Buffer& buffer) { return reinterpret_cast<Element*>(buffer.data()); }

}  // namespace

std::vector<std::string> hand_written() { return {"alltoallv", "alltoallw", "isend-waitall"}; }

std::array<int, 3> parse_shape(const std::string& text) {
    const std::vector<Index> extents = core::parse_extents(text, "the shape");
    constexpr Index most = 1 << 12;  // counts of a user's own code are ints
    std::array<int, 3> shape{};
    if (extents.size() != shape.size() ||
        *std::max_element(extents.begin(), extents.end()) > most) {
        core::bad_request(fmt::format("shape '{}': three lengths, at most {}", text, most));
    }
    std::transform(extents.begin(), extents.end(), shape.begin(),
                   [](Index extent) { return static_cast<int>(extent); });
    return shape;
}

std::string Transposition::text() const {
    return fmt::format("redistribute:{}:{} in=slab(0)@012 out=slab(1)@{}; via={}", sizeof(Element),
                       fmt::join(shape, "x"), order, method);
}

Pair::Pair(const Transposition& what, MPI_Comm comm)
    : plan_(Plan::parse(what.text(), comm)),
      comm_(comm),
      in_(array(plan_.in_size())),
      out_(array(plan_.out_size())),
      by_hand_out_(array(plan_.out_size())),
      transform_(plan_.bind(elements(in_), elements(out_))),
      by_hand_(by_hand(what, comm)) {}

void Pair::visit(bool output, const std::function<void(Index, Index)>& each) const {
    const std::vector<Index>& shape = plan_.problem().shape;
    for (const Box& box : output ? plan_.out_boxes(plan_.rank()) : plan_.in_boxes(plan_.rank())) {
        const auto strides =
            output ? plan_.out_strides(plan_.rank()) : plan_.in_strides(plan_.rank());
        for (Index i = 0; i < box.extent(0); ++i) {
            for (Index j = 0; j < box.extent(1); ++j) {
                for (Index k = 0; k < box.extent(2); ++k) {
                    const Index row = (box.lo[0] + i) * shape[1] + box.lo[1] + j;
                    each(i * strides[0] + j * strides[1] + k * strides[2],
                         row * shape[2] + box.lo[2] + k);
                }
            }
        }
    }
}

void Pair::check() {
    visit(false, [&](Index place, Index number) {
        elements(in_)[place] = {static_cast<double>(number), -0.5};
    });
    visit(true, [&](Index place, Index) {
        elements(out_)[place] = -1;
        elements(by_hand_out_)[place] = -1;
    });
    run_weft();
    run_by_hand();
    core::all_or_none(comm_, [&] {
        visit(true, [&](Index place, Index number) {
            const Element right(static_cast<double>(number), -0.5);
            for (const core::Buffer* out : {&out_, &by_hand_out_}) {
                if (elements(*out)[place] == right) continue;
                throw Error(ErrorCode::wrong_result,
                            fmt::format("{} brings a wrong element {}, {}",
                                        out == &out_ ? "weft" : "the hand-written code", number,
                                        plan_.text()));
            }
        });
    });
}

}  // namespace weft::bench
