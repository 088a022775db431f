// The extension module of the Python package: thin calls to C++. What Python itself finds wrong
// with an argument comes along as a text, so that all ranks agree on it and raise the same error.
#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "api/state.hpp"
#include "base/text.hpp"
#include "net/agree.hpp"
#include "plan/problem.hpp"
#include "weft/weft.hpp"

#ifdef WEFT_WITH_FAKE_DEVICE
#include "testing/python/fake_device.hpp"
#endif

namespace nb = nanobind;

namespace weft::python {

namespace {

/// Collective: every rank throws if one has a complaint.
void agree(MPI_Comm comm, const std::string& complaint) {
    core::require_mpi(comm);
    core::all_or_none(comm, [&] {
        if (!complaint.empty()) core::bad_request(complaint);
    });
}

template <class T>
T* at_address(std::uintptr_t address) {
    return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
}

Plan plan_of(const std::string& text, std::uintptr_t comm_address, const std::string& complaint) {
    const MPI_Comm comm = *at_address<MPI_Comm>(comm_address);
    const nb::gil_scoped_release released;
    agree(comm, complaint);
    return Plan::parse(text, comm);
}

Plan plan_for_ranks(const std::string& text, int ranks) { return Plan::for_ranks(ranks, text); }

std::vector<void*> arrays(const std::vector<std::uintptr_t>& addresses) {
    std::vector<void*> fields;
    fields.reserve(addresses.size());
    for (const std::uintptr_t address : addresses) fields.push_back(at_address<void>(address));
    return fields;
}

void agree_to_bind(const Plan& plan, const std::string& complaint) {
    const MPI_Comm comm = Internals::comm(plan);
    if (comm != MPI_COMM_NULL) agree(comm, complaint);
}

/// One address a field at each end; a workspace of 0 bytes is none.
Transform bind(const Plan& self, const std::vector<std::uintptr_t>& in,
               const std::vector<std::uintptr_t>& out, std::uintptr_t workspace,
               Index workspace_bytes, const std::string& complaint) {
    const nb::gil_scoped_release released;
    agree_to_bind(self, complaint);
    return self.bind_untyped(arrays(in), arrays(out),
                             {at_address<void>(workspace), workspace_bytes});
}

/// To no arrays: calls are given lists of so many fields, of the device's memory or the host's.
Transform bind_fields(const Plan& self, int fields, bool device, std::uintptr_t workspace,
                      Index workspace_bytes, const std::string& complaint) {
    const nb::gil_scoped_release released;
    agree_to_bind(self, complaint);
    return self.bind_fields(fields, device ? Memory::device : Memory::host,
                            {at_address<void>(workspace), workspace_bytes});
}

using Addresses = std::vector<std::uintptr_t>;

void start_on(Transform& self, bool backward, const Addresses& in, const Addresses& out) {
    const nb::gil_scoped_release released;
    if (backward) {
        self.start_backward(arrays(in), arrays(out));
    } else {
        self.start_forward(arrays(in), arrays(out));
    }
}

/// What a DLPack capsule says of an array, which stays as long as this.
struct Tensor {
    nb::ndarray<nb::ro> array;
    bool writeable = false;

    [[nodiscard]] std::uintptr_t address() const {
        return reinterpret_cast<std::uintptr_t>(array.data());
    }
    template <class Of>
    [[nodiscard]] std::vector<std::int64_t> by_axis(const Of& of) const {
        std::vector<std::int64_t> result(array.ndim());
        for (std::size_t axis = 0; axis < result.size(); ++axis) {
            result[axis] = static_cast<std::int64_t>(of(axis));
        }
        return result;
    }
};

Tensor tensor_of(const nb::object& capsule) {
    nb::ndarray<> writeable;
    if (nb::try_cast(capsule, writeable, false)) return {nb::ndarray<nb::ro>(writeable), true};
    return {nb::cast<nb::ndarray<nb::ro>>(capsule, false), false};
}

void add_tensor(nb::module_& module) {
    nb::class_<Tensor>(module, "Tensor")
        .def_ro("writeable", &Tensor::writeable)
        .def_prop_ro("address", &Tensor::address)
        .def_prop_ro("code", [](const Tensor& self) { return self.array.dtype().code; })
        .def_prop_ro("bits", [](const Tensor& self) { return self.array.dtype().bits; })
        .def_prop_ro("lanes", [](const Tensor& self) { return self.array.dtype().lanes; })
        .def_prop_ro("shape",
                     [](const Tensor& self) {
                         return self.by_axis([&](auto axis) { return self.array.shape(axis); });
                     })
        .def_prop_ro("strides", [](const Tensor& self) {
            return self.by_axis([&](auto axis) { return self.array.stride(axis); });
        });
    module.def("tensor_of", tensor_of);
}

/// The bounds lo and hi of a box.
using Bounds = std::pair<std::vector<Index>, std::vector<Index>>;

std::vector<Bounds> boxes(const Plan& self, bool output, int rank) {
    std::vector<Bounds> bounds;
    for (const Box& box : output ? self.out_boxes(rank) : self.in_boxes(rank)) {
        bounds.emplace_back(box.lo, box.hi);
    }
    return bounds;
}

/// The box of that number, of a rank that owns nothing the empty one of number 0.
Bounds box(const Plan& self, bool output, int rank, int number) {
    Box found = output ? self.out_box(rank, number) : self.in_box(rank, number);
    return {std::move(found.lo), std::move(found.hi)};
}

/// Collective: the layout in which every rank owns the boxes that it gives.
std::string boxes_text(const std::vector<Bounds>& mine, std::uintptr_t comm_address,
                       const std::string& complaint) {
    const MPI_Comm comm = *at_address<MPI_Comm>(comm_address);
    const nb::gil_scoped_release released;
    agree(comm, complaint);
    std::vector<Box> own;
    own.reserve(mine.size());
    for (const auto& [lo, hi] : mine) own.push_back({lo, hi});
    return to_string(own_boxes(collect(own, comm)), 0);
}

/// Uninitialised memory as numpy bytes, which own it; aligned as weft::allocate has it.
nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>> allocate(Index bytes) {
    void* data = detail::allocate_bytes(bytes);
    const nb::capsule owner(data, [](void* memory) noexcept { detail::free_bytes(memory); });
    return {data, {static_cast<std::size_t>(bytes)}, owner};
}

/// What the MPI library that this module calls says of itself.
std::string mpi_library() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    return {text.data(), static_cast<std::size_t>(length)};
}

/// weft::Error becomes the exception of weft/errors.py for its code.
void translate(const std::exception_ptr& thrown, void* /*payload*/) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error& error) {
        const nb::object exception =
            nb::module_::import_("weft.errors")
                .attr("error_of")(static_cast<int>(error.code()), error.what());
        PyErr_SetObject(exception.type().ptr(), exception.ptr());
    }
}

/// The exchange methods: names in Python and in texts.
std::map<std::string, std::string> methods() {
    return {
#define WEFT_TRANSPORT(id, name, ...) {#id, name},
#define WEFT_METHOD(id, name, ...) {#id, name},
#include "weft/methods.def"
        {"fastest", via::fastest}};
}

}  // namespace

NB_MODULE(_weft, module) {
    nb::register_exception_translator(translate);
    // Plans of a script's globals live until the interpreter ends, and may.
    nb::set_leak_warnings(false);

    module.attr("version") = version();
    module.attr("mpi_comm_bytes") = sizeof(MPI_Comm);
    module.def("mpi_library", mpi_library);
    module.def("methods", methods);
    module.def("allocate", allocate);
    module.def("plan_of", plan_of);
    module.def("plan_for_ranks", plan_for_ranks);
    module.def("boxes_text", boxes_text);
    module.def("agree", [](std::uintptr_t comm_address, const std::string& complaint) {
        const nb::gil_scoped_release released;
        agree(*at_address<MPI_Comm>(comm_address), complaint);
    });

    module.def("wisdom_import", [](const std::string& text) {
        const wisdom::Imported imported = wisdom::import_text(text);
        return std::pair(imported.entries, imported.skipped);
    });
    module.def("wisdom_export", wisdom::export_text);
    module.def("wisdom_forget", wisdom::forget);

    add_tensor(module);
#ifdef WEFT_WITH_FAKE_DEVICE
    add_fake_device(module);
#endif

    nb::class_<Plan>(module, "Plan")
        .def("ranks", [](const Plan& self) { return self.ranks(); })
        .def("rank", [](const Plan& self) { return self.rank(); })
        .def("text", [](const Plan& self) { return self.text(); })
        .def("explain", [](const Plan& self) { return self.explain(); })
        .def("kind", [](const Plan& self) { return to_string(self.problem().kind); })
        .def("shape", [](const Plan& self) { return self.problem().shape; })
        .def("modes", [](const Plan& self) { return self.problem().modes; })
        .def("inside", [](const Plan& self) { return self.problem().inside; })
        .def("batch", [](const Plan& self) { return self.problem().batch; })
        .def("axes", [](const Plan& self) { return core::transformed_axes(self.problem()); })
        .def("r2c_axis", [](const Plan& self) { return core::r2c_axis_of(self.problem()); })
        .def("has_real_to_real",
             [](const Plan& self) { return core::has_real_to_real(self.problem()); })
        .def("precision", [](const Plan& self) { return to_string(self.problem().precision); })
        .def("element_bytes", [](const Plan& self) { return self.problem().element_bytes; })
        .def("on_device", [](const Plan& self) { return !self.choice().space.device.empty(); })
        .def("in_place", [](const Plan& self) { return self.problem().in_place; })
        .def("may_destroy_input", [](const Plan& self) { return self.problem().may_destroy_input; })
        .def("boxes", boxes)
        .def("box", box)
        .def("order", [](const Plan& self,
                         bool output) { return output ? self.out_order() : self.in_order(); })
        .def("strides",
             [](const Plan& self, bool output, int rank, int box) {
                 return output ? self.out_strides(rank, box) : self.in_strides(rank, box);
             })
        .def("offset",
             [](const Plan& self, bool output, int rank, int box) {
                 return output ? self.out_offset(rank, box) : self.in_offset(rank, box);
             })
        .def("size", [](const Plan& self, bool output,
                        int rank) { return output ? self.out_size(rank) : self.in_size(rank); })
        .def("workspace_bytes",
             [](const Plan& self, int rank) { return self.workspace_bytes(rank); })
        .def("region_bytes", [](const Plan& self, int rank) { return self.region_bytes(rank); })
        .def("bind", bind)
        .def("bind_fields", bind_fields)
        // Collective, unless it was made without MPI. Whether it is so on some rank.
        .def("on_any", [](const Plan& self, bool here) {
            const nb::gil_scoped_release released;
            const MPI_Comm comm = Internals::comm(self);
            return comm == MPI_COMM_NULL ? here : core::on_any_rank(comm, here);
        });

    nb::class_<Transform>(module, "Transform")
        .def("start",
             [](Transform& self, bool backward) {
                 const nb::gil_scoped_release released;
                 backward ? self.start_backward() : self.start_forward();
             })
        .def("start_on", start_on)
        .def("set_stream", [](Transform& self,
                              std::uintptr_t stream) { self.set_stream(at_address<void>(stream)); })
        .def("unset_stream", &Transform::unset_stream)
        .def("plan_text", [](const Transform& self) { return self.plan().text(); })
        .def("test", &Transform::test, nb::call_guard<nb::gil_scoped_release>())
        .def("wait", &Transform::wait, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace weft::python
