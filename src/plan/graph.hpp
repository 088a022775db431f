// The graph in which a path is searched: distributions that a process grid allows, and those of the
// problem's ends.
#pragma once

#include <optional>
#include <vector>

#include "plan/problem.hpp"

namespace weft::core {

/// The axes that a process grid may cut: the dimensions; of a one-dimensional problem also the
/// batch, the only way to use more than one rank ([gholami] Alg. 3 cuts d-1 of d axes).
std::vector<int> cuttable_axes(const Problem& problem);

/// Whether the r2c axis has its n/2+1 values already; `done` has one flag per array axis.
bool half_done(const Problem& problem, const std::vector<bool>& done);

/// The axes that are transformed when the array arrives in a distribution with `done` (one flag
/// per array axis) behind it; sets their flags. The r2c axis comes before those of c2c, and is
/// listed last, as engines want it; cosine and sine transforms may come before and after it.
/// `in_order`: only those before which none of axis_order(problem) is left.
/// `waiting` has a flag for each axis that is left for a later distribution, unless it has to come
/// before one that is not; empty: none is.
std::vector<int> transform_local_axes(const Problem& problem, const Distribution& where,
                                      std::vector<bool>& done, bool in_order = false,
                                      const std::vector<bool>& waiting = {});
/// The order of axes that reproducible transforms keep on any number of ranks: cosine and sine
/// transforms, the r2c axis, then the others, the last axis first.
std::vector<int> axis_order(const Problem& problem);

/// What the distributions between the ends have in common: they place the factors of one process
/// grid on the axes, or deal out rows in any order of the axes.
struct Family {
    int ranks = 1;            ///< of the ends
    int used = 1;             ///< the first ones, which inner distributions use ([ayala] Alg. 1)
    Split split{};            ///< how these share the axes
    std::vector<int> grid{};  ///< the factors
    bool row_wise = false;
};

/// The shapes that an array has on its way: transforms change the extent of some axes, the r2c
/// one and those of which a part is kept.
class Shapes {
  public:
    explicit Shapes(const Problem& problem);
    /// Those axes, ascending.
    [[nodiscard]] const std::vector<int>& changing() const { return changing_; }
    /// One for each set of them that may be done: bit i of its number stands for changing()[i].
    [[nodiscard]] const std::vector<std::vector<Index>>& all() const { return all_; }
    /// A flag for each axis that has more elements behind its transform; empty if none has. Such an
    /// axis waits for the last distribution in which it is whole, so that less is moved.
    [[nodiscard]] const std::vector<bool>& growing() const { return growing_; }
    /// Whether some axis has. Then it may be whole on a rank where rows are dealt out before, but not
    /// behind: a row is longer there.
    [[nodiscard]] bool grow() const { return !growing_.empty(); }
    /// The number of the shape with `done` (one flag per array axis) behind it.
    [[nodiscard]] std::size_t number(const std::vector<bool>& done) const;

  private:
    std::vector<int> changing_;
    std::vector<bool> growing_;
    std::vector<std::vector<Index>> all_;
};

/// A distribution on the way, of each shape that the array may have there.
struct Node {
    std::vector<int> axes;  ///< the axis of each factor, or the order of rows; only for inner nodes
    std::vector<Distribution> of;  ///< by the number of the shape
    bool inner = false;
};

/// Everything that the search in one family looks at.
struct Graph {
    const Problem& problem;
    Family family;
    Shapes shapes;
    std::vector<Node> nodes{};
    std::optional<int> in{};   ///< the node of the input, unless that is free
    std::optional<int> out{};  ///< the node of the output, unless that is free
    bool in_order = false;     ///< axes are transformed in axis_order(problem)

    /// The node's distribution of the array as it is, with `done` behind it.
    [[nodiscard]] const Distribution& at(const Node& node, const std::vector<bool>& done) const {
        return node.of[shapes.number(done)];
    }
};

/// The distributions that the problem's ends ask for. A caller's boxes are looked at once, not for
/// every family.
class GivenEnds {
  public:
    /// The problem must outlive this. Throws Error(bad_request) if boxes do not tile the array.
    GivenEnds(const Problem& problem, int ranks);
    /// Nothing where the end is free. The family's grid as in distribution_of.
    [[nodiscard]] std::optional<Distribution> in(const Family& family) const;
    [[nodiscard]] std::optional<Distribution> out(const Family& family) const;

  private:
    const Problem& problem_;
    int ranks_;
    std::optional<Distribution> in_;
    std::optional<Distribution> out_;
};

/// The factors of the family's grid on these axes, or rows in this order of axes, as an inner node.
Node make_node(const Shapes& shapes, const Family& family, const std::vector<int>& axes);
/// The node with these distributions, added if there is none.
int node_like(Graph& graph, const Node& node);
/// The node with that distribution, added if there is none; nothing for none. A list of boxes has
/// the shape of its end; another one only where the axes that make the difference are local.
std::optional<int> end_node(Graph& graph, const std::optional<Distribution>& where);
/// Nodes of one family, each distribution once; without the idle ones if `strict`.
Graph make_graph(const Problem& problem, const Shapes& shapes, const GivenEnds& ends,
                 const Family& family, bool strict);

}  // namespace weft::core
