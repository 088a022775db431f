#include "exchange/exchange_task.hpp"

#include <algorithm>
#include <utility>

namespace weft::core {

ExchangeTask exchange_between(const Layout& from, const Layout& to, Group group, Index chunk) {
    ExchangeTask task;
    task.group = std::move(group);
    task.element_bytes = from.scalar.bytes();
    task.chunk = chunk;
    task.largest = std::max(from.largest_span(), to.largest_span());
    return task;
}

}  // namespace weft::core
