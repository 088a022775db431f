#include "net/mpi_parts.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

PartsChannel::PartsChannel(const Ends& ends, const ExchangeTask& task)
    : comm_(ends.group.comm), tag_(ends.tag), element_(element_type(task.element_bytes)) {
    strided_.reserve(task.sends.size() + task.receives.size());
    sends_ = parts(task, task.sends);
    receives_ = parts(task, task.receives);
    requests_.assign(sends_.size() + receives_.size(), MPI_REQUEST_NULL);
    parts_of_message_.assign(task.receives.size(), 0);
    for (const MessagePart& part : receives_) ++parts_of_message_[usize(part.message)];
    completed_.resize(receives_.size());
    forget_arrivals();
}

PartsChannel::~PartsChannel() { free_type(element_); }

std::vector<MessagePart> PartsChannel::parts(const ExchangeTask& task,
                                             const std::vector<Message>& messages) {
    // Both ends cut a message alike: in chunks only where both are sure to be contiguous.
    const bool in_chunks = transport(task.transport).packing == Packing::always;
    std::vector<MessagePart> result;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Message& message = messages[i];
        const int peer = static_cast<int>(place_in_group(task.group, message.peer));
        if (!in_chunks && (!contiguous(message) || message.count() > task.chunk)) {
            strided_.emplace_back(message.slices, task.element_bytes, task.chunk);
            result.push_back({peer, 0, 1, strided_.back().get(), static_cast<int>(i)});
            continue;
        }
        const Index count = message.count();
        for (Index done = 0; done < count; done += task.chunk) {
            result.push_back({peer, (message.offset() + done) * task.element_bytes,
                              static_cast<int>(std::min(task.chunk, count - done)), element_,
                              static_cast<int>(i)});
        }
    }
    return result;
}

void PartsChannel::forget_arrivals() {
    missing_ = parts_of_message_;
    told_ = looked_at_ = 0;
}

void PartsChannel::irecv_all(std::byte* to) {
    MPI_Request* request = requests_.data();
    for (const MessagePart& part : receives_) {
        check_mpi(
            MPI_Irecv(to + part.offset, part.count, part.type, part.peer, tag_, comm_, request++),
            "MPI_Irecv");
    }
}

bool PartsChannel::test() {
    int complete = 0;
    check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete,
                          MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return complete != 0;
}

void PartsChannel::wait() {
    check_mpi(
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
}

std::optional<std::size_t> PartsChannel::arrival(bool block) {
    const auto count = static_cast<int>(receives_.size());
    while (count > 0) {
        while (looked_at_ < told_) {
            const auto part = usize(completed_[usize(looked_at_++)]);
            const auto message = usize(receives_[part].message);
            if (--missing_[message] == 0) return message;
        }
        looked_at_ = told_ = 0;
        if (block) {
            check_mpi(MPI_Waitsome(count, requests_.data(), &told_, completed_.data(),
                                   MPI_STATUSES_IGNORE),
                      "MPI_Waitsome");
        } else {
            check_mpi(MPI_Testsome(count, requests_.data(), &told_, completed_.data(),
                                   MPI_STATUSES_IGNORE),
                      "MPI_Testsome");
        }
        if (told_ == MPI_UNDEFINED) told_ = 0;
        if (told_ == 0) return {};
    }
    return {};
}

}  // namespace weft::core
