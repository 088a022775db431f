#include "testing/python/fake_device.hpp"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>

#include "testing/fake/caller_stream.hpp"

namespace nb = nanobind;

namespace weft::python {

namespace {

using Address = std::uintptr_t;

std::byte* at(Address address) {
    return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr)
}

/// Of the fake device that plans are computed on, or of another one.
class Memory {
  public:
    Memory(Index bytes, bool of_another)
        : device_(of_another ? core::make_fake_device({}) : nullptr),
          memory_(device().allocate(bytes, "test")),
          queue_(device().queue("test")) {}

    [[nodiscard]] Address address() const { return reinterpret_cast<Address>(memory_->data()); }
    /// From and to memory of the host.
    void write(Address from) { copy(at(from), memory_->data()); }
    void read(Address to) { copy(memory_->data(), at(to)); }

  private:
    [[nodiscard]] core::Device& device() const {
        return device_ != nullptr ? *device_ : core::device("fake");
    }
    void copy(const std::byte* from, std::byte* to) {
        queue_->wait(queue_->copy(from, to, memory_->bytes(), "test"));
    }

    std::unique_ptr<core::Device> device_;  ///< null: the plans'
    std::unique_ptr<core::DeviceMemory> memory_;
    std::unique_ptr<core::DeviceQueue> queue_;
};

using core::CallerStream;

}  // namespace

void add_fake_device(nb::module_& module) {
    nb::module_ fake = module.def_submodule("fake", "The fake device, for tests.");
    nb::class_<Memory>(fake, "Memory")
        .def(nb::init<Index, bool>(), nb::arg("bytes"), nb::arg("of_another") = false)
        .def_prop_ro("address", &Memory::address)
        .def("write", &Memory::write)
        .def("read", &Memory::read);
    nb::class_<CallerStream>(fake, "Stream")
        .def(nb::init<>())
        .def_prop_ro(
            "handle",
            [](const CallerStream& stream) { return reinterpret_cast<Address>(stream.handle()); })
        .def("hold", &CallerStream::hold)
        .def("go", &CallerStream::go)
        .def("copy", [](CallerStream& stream, Address from, Address to,
                        Index bytes) { stream.copy(at(from), at(to), bytes); })
        .def("wait", &CallerStream::wait);
}

}  // namespace weft::python
