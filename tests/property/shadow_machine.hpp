// A machine that runs the programs of all ranks on names of elements instead of numbers.
//
// Every real number of every buffer is a cell that holds the name of what lies there: which element
// of the global array, along which axes it is transformed, whether it is scaled. Copies and
// messages move names; a transform reads all elements of its lines, checks that they are the lines
// it is meant for, and writes new names. Along which axes a line lies is told by the names on it.
// Of the product it knows the plan that was asked for and the operations with their labels, never
// how lowering decides; the executor issues them, to a backend of the machine's. So a wrong stride, a wrong peer, an element read before it
// is written, overwritten while needed or never written shows as such, exactly.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "plan/plan.hpp"
#include "program/lower.hpp"
#include "program/program.hpp"

namespace weft::core::test {

/// A theorem of program.hpp does not hold; the message says where.
class Violation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

class ShadowMachine {
  public:
    explicit ShadowMachine(const Plan& plan, const Environment& environment = {});
    /// Who does what the executor issues: it at once; what has to do with other ranks at once, and
    /// the rest by queues that go on later; or all by such queues. Any order that keeps each queue's
    /// and what comes after what may come about.
    enum class Queues { none, late, all_late };
    /// What comes after what on the other queue is forgotten.
    void forget_predecessors();
    /// All ranks in an order drawn from the seed, each several times without waiting for the
    /// others. Throws Violation.
    void run(std::uint64_t seed, Queues queues = Queues::none);
    [[nodiscard]] const Program& program(int rank) const {
        return nodes_[static_cast<std::size_t>(rank)].program;
    }

  private:
    class Backend;
    /// The name of one real number: half of a complex element, or a real one.
    struct Name {
        Index element = -1;  ///< row-major in the problem's full shape; -1: never written
        unsigned done = 0;   ///< one bit for each axis transformed so far
        bool imaginary = false;
        bool scaled = false;
        bool operator==(const Name&) const = default;
    };
    struct Cell {
        Name name;
        int sending = 0;         ///< how many pending messages read it
        bool receiving = false;  ///< whether a pending exchange will write it
        int readers = 0;         ///< how many other ranks may read it
        int written_by = -1;     ///< the other rank that may write it; -1: none
        std::size_t writer = 0;  ///< number of the operation that wrote it last, counted from 1
    };
    struct Parcel {
        std::vector<Name> names;
        Index element_bytes = 0;
    };
    struct Node {
        Program program;
        std::vector<std::vector<Cell>> buffers;
        std::vector<Index> used;             ///< cells of each buffer up to the last one touched
        std::size_t next = 0;                ///< the operation that is being done
        std::map<std::size_t, int> started;  ///< operation number of a StartOp -> its ordinal
        /// Of a StartOp in this execution: receives whose messages have arrived, by turn.
        std::map<std::size_t, std::vector<std::size_t>> arrived;
        std::map<std::size_t, int> published;  ///< of a PublishOp that was not awaited yet
        std::set<std::size_t> awaited;         ///< those that were, and are not released yet
        int ordinal = 0;                       ///< of the next StartOp or PublishOp
        int first_ordinal = 0;                 ///< of this execution
        int scratch = -1;  ///< the buffer that a fused operation uses in each of its steps anew
        int executions = 0;
    };
    /// An element of a buffer, in cells.
    struct Element {
        int buffer = 0;
        Index first = 0;
        Index cells = 1;
        bool any_part = false;  ///< or one part of a complex one
    };

    void start(int rank);
    void put_input(Node& node);
    /// Does that operation of a rank; false if it waits for a message.
    bool step(int rank);
    void check_kept(const Node& node, const LineTransform& line, int axis) const;
    [[nodiscard]] bool keeps_as_along(const LineTransform& line, int axis) const;
    void check_in_place(const Node& node, const FftTask& task) const;
    void transform(Node& node, const TransformOp& op);
    void copy(Node& node, const CopyOp& op);
    /// Fails if the operation uses memory of the host where it has to be a device's, or the
    /// reverse.
    void check_spaces(const Node& node, const Operation& operation) const;
    void scale(Node& node, const ScaleOp& op);
    [[nodiscard]] std::set<Index> owned_in(std::size_t stage) const;
    [[nodiscard]] unsigned done_before(std::size_t stage) const;
    void convert(Node& node, const ConvertOp& op);
    /// Whether messages have numbers of half of the bytes.
    [[nodiscard]] bool halves() const { return plan_.choice.wire != Wire::same; }
    /// The cells of an element that is sent.
    [[nodiscard]] Index width_of(const ExchangeTask& task) const {
        return task.element_bytes * (halves() ? 2 : 1) / cell_bytes_;
    }
    void clear(Node& node, const ClearOp& op);
    void start_exchange(Node& node, const StartOp& op);
    bool finish(Node& node, const FinishOp& op);
    bool arrive(Node& node, const ArrivalOp& op);
    void onward(Node& node, const OnwardOp& op);
    void publish(Node& node, const PublishOp& op);
    bool await(Node& node, const AwaitOp& op);
    void release(Node& node, const ReleaseOp& op);
    bool reclaim(const Node& node, const ReclaimOp& op) const;
    void fused(Node& node, const FusedOp& op);
    void fused_copy(Node& node, const FusedOp& op, const FusedCopy& copy, Index step);
    void fused_clear(Node& node, const FusedOp& op, const FusedClear& clear, Index step);
    void fused_lines(Node& node, const FusedOp& op, const FusedLines& batch, Index step);
    /// The offsets of elements in the order in which they travel.
    static std::vector<Index> offsets_of(const std::vector<Slice>& slices);
    /// Whether the buffer has no elements that other ranks may still read or write.
    [[nodiscard]] static bool is_free(const Node& node, int buffer);
    /// Calls visit(offset of a cell) for all cells of those elements.
    template <class Visit>
    void for_cells(const PeerPart& part, Index element_bytes, const Visit& visit) const;
    void check_part(const Node& node, const PeerPart& part) const;
    void check_region(const Node& node, const PublishOp& op);
    /// A rank that publishes a region with this ordinal, or -1.
    [[nodiscard]] int publisher(int ordinal) const;
    void check_regions_at_end(const Node& node) const;
    /// Fails unless this rank has awaited that rank's region for such use.
    void check_use(const Node& node, const BufferRef& place, RegionAccess access) const;
    /// The rank of a place and its buffer there.
    std::pair<Node*, int> at_place(Node& node, const BufferRef& place);
    void read_place(Node& node, const BufferRef& place, const Element& element,
                    std::vector<Name>& names);
    void write_place(Node& node, const BufferRef& place, const Element& element,
                     const std::vector<Name>& names, std::size_t from);
    void check_message(const Node& node, const StartOp& op, const Message& message);
    void check_group(const Node& node, const StartOp& op);
    /// Whether it is of the group of that exchange. Fails where their groups overlap otherwise.
    bool takes_part(const Node& node, const StartOp& op, const ExchangeTask& theirs);
    void check_slots(Node& node, const StartOp& op);
    void receive(Node& node, const StartOp& exchange, int ordinal, const Message& message);
    static Index bytes_behind(const Layout& layout, int rank);
    void check_end(const Node& node) const;
    void check_output(const Node& node) const;

    [[nodiscard]] int axis_between(const Node& node, const Name& first, const Name& other) const;
    [[nodiscard]] AxisKind kind_along_axis(int axis) const;
    [[nodiscard]] unsigned fourier_axes() const;
    [[nodiscard]] std::vector<int> axes_of(const Node& node, const std::vector<Name>& line,
                                           const FftTask& task) const;
    [[nodiscard]] std::vector<Name> named_line(const Node& node, const std::vector<Name>& line,
                                               const FftTask& task) const;

    Cell& cell(Node& node, int buffer, Index index) const;
    void read(Node& node, const Element& element, std::vector<Name>& names) const;
    void write(Node& node, const Element& element, const std::vector<Name>& names,
               std::size_t from) const;
    [[noreturn]] void fail(const Node& node, const std::string& what) const;

    Plan plan_;
    Environment environment_;
    Index cell_bytes_;
    std::vector<Index> full_shape_;
    std::vector<Node> nodes_;
    std::map<std::tuple<int, int, int>, Parcel> mail_;  ///< ordinal, sender, receiver
    /// An exchange of each group, by ordinal: those of a group agree.
    std::map<int, std::vector<ExchangeTask>> started_;
    std::map<std::pair<int, int>, RegionTask> published_;  ///< ordinal, rank
};

}  // namespace weft::core::test
