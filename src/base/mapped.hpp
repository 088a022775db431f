// What is made of each element of a range.
#pragma once

#include <functional>
#include <iterator>
#include <type_traits>
#include <vector>

namespace weft::core {

/// make(one) of each, in their order: a function, or a member: `mapped(messages, &Message::peer)`.
template <class Range, class Make>
auto mapped(const Range& range, const Make& make) {
    using One = std::decay_t<std::invoke_result_t<const Make&, decltype(*std::begin(range))>>;
    std::vector<One> result;
    result.reserve(std::size(range));
    for (const auto& one : range) result.push_back(std::invoke(make, one));
    return result;
}

}  // namespace weft::core
