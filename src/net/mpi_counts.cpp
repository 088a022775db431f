#include "net/mpi_counts.hpp"

#include "net/mpi_type.hpp"

namespace weft::core {

Counts::Counts(const Group& group, const std::vector<Message>& messages)
    : counts(group.ranks.size(), 0), offsets(group.ranks.size(), 0) {
    for (const Message& message : messages) {
        const std::size_t place = place_in_group(group, message.peer);
        counts[place] = static_cast<int>(message.count());
        offsets[place] = static_cast<int>(message.offset());
    }
}

CountedChannel::CountedChannel(const Ends& ends, const ExchangeTask& task)
    : ends_(ends),
      sends_(task.group, task.sends),
      receives_(task.group, task.receives),
      element_(element_type(task.element_bytes)) {}

CountedChannel::~CountedChannel() { free_type(element_); }

}  // namespace weft::core
