#include <fmt/format.h>

#include "net/mpi_windows.hpp"
#include "net/window_reading.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Of the peers of messages, on this rank's node.
std::vector<int> places(const NodeRanks& node, const std::vector<Message>& messages) {
    std::vector<int> result;
    for (const Message& message : messages) {
        const int place = node.place(message.peer);
        if (place == -1) {
            throw Error(ErrorCode::system,
                        fmt::format("internal: rank {} is on another node", message.peer));
        }
        result.push_back(place);
    }
    return result;
}

}  // namespace

std::unique_ptr<Channel> open_shared(const Ends& ends, const ExchangeTask& task) {
    const NodeRanks& node = ends.window->node();
    return std::make_unique<WindowReading>(*ends.window, places(node, task.sends),
                                           places(node, task.receives));
}

}  // namespace weft::core
