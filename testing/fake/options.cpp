#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.hpp"
#include "base/variables.hpp"
#include "device/devices.hpp"
#include "testing/fake/fake.hpp"

namespace weft::core {

namespace {

void set(FakeOptions& options, const std::string& part, std::string_view variable) {
    const std::size_t colon = part.find(':');
    const std::string name = part.substr(0, colon);
    const auto number = [&] {
        return parse_index(colon == std::string::npos ? "" : part.substr(colon + 1), variable);
    };
    if (name == "late") {
        options.late = true;
    } else if (name == "mpi") {
        options.mpi_reaches = true;
    } else if (name == "lies") {
        options.mpi_reaches = options.mpi_lies = true;
    } else if (name == "nopeers") {
        options.no_peers = true;
    } else if (name == "none") {
        options.absent = true;
    } else if (name == "seed") {
        options.seed = static_cast<std::uint64_t>(number());
    } else if (name == "delay") {
        options.longest_delay = std::chrono::microseconds(number());
    } else if (name == "piece") {
        options.copy_piece = number();
    } else if (name == "free") {
        options.free = number();
    } else if (name == "fail") {
        options.fail_allocation = static_cast<int>(number());
    } else if (name == "lost") {
        options.lost_after = static_cast<int>(number());
    } else {
        bad_request(
            fmt::format("{}: '{}' is not understood; there are seed:3, delay:50, piece:4096, late, "
                        "mpi, lies, nopeers, free:100000, fail:7, lost:40, none",
                        variable, part));
    }
}

}  // namespace

FakeOptions fake_options(const std::string& text, std::string_view variable) {
    FakeOptions options;
    for (const std::string& part : split(text, ',')) {
        if (!part.empty()) set(options, part, variable);
    }
    return options;
}

Device& fake_device() {
    static const std::unique_ptr<Device> device = [] {
        const FakeOptions options = fake_options(variable("WEFT_FAKE_DEVICE").value_or(""));
        if (options.absent) {
            throw Error(ErrorCode::not_available,
                        "there is no device fake here, as WEFT_FAKE_DEVICE=none asks for; plan "
                        "with space=host");
        }
        return make_fake_device(options);
    }();
    return *device;
}

}  // namespace weft::core
