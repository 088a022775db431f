#include "testing/python/fake_device.hpp"

#include <nanobind/stl/string.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "device/devices.hpp"
#include "testing/fake/fake.hpp"

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

/// A stream of the caller's, which can be made to stand still.
class Stream {
  public:
    Stream() : queue_(core::device("fake").queue("the caller's")) {}
    ~Stream() { go(); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    [[nodiscard]] Address handle() const {
        return reinterpret_cast<Address>(core::fake_stream(*queue_));
    }
    void hold() {
        open_ = false;
        queue_->launch(stand_, "stand");
    }
    void go() {
        open_ = true;
        open_.notify_all();
    }
    void copy(Address from, Address to, Index bytes) {
        queue_->copy(at(from), at(to), bytes, "the caller's copy");
    }
    void wait() { queue_->wait(queue_->last()); }

  private:
    struct Stand {
        std::atomic<bool>* open;
        void operator()(const core::DeviceView& /*view*/) const { open->wait(false); }
    };
    std::atomic<bool> open_ = true;
    Stand stand_{&open_};
    std::unique_ptr<core::DeviceQueue> queue_;
};

}  // namespace

void add_fake_device(nb::module_& module) {
    nb::module_ fake = module.def_submodule("fake", "The fake device, for tests.");
    nb::class_<Memory>(fake, "Memory")
        .def(nb::init<Index, bool>(), nb::arg("bytes"), nb::arg("of_another") = false)
        .def_prop_ro("address", &Memory::address)
        .def("write", &Memory::write)
        .def("read", &Memory::read);
    nb::class_<Stream>(fake, "Stream")
        .def(nb::init<>())
        .def_prop_ro("handle", &Stream::handle)
        .def("hold", &Stream::hold)
        .def("go", &Stream::go)
        .def("copy", &Stream::copy)
        .def("wait", &Stream::wait);
}

}  // namespace weft::python
