#include "api/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "base/text.hpp"
#include "device/devices.hpp"
#include "program/program.hpp"

namespace weft {

using core::bad_request;

namespace {

std::string type_name(const core::Scalar& scalar) {
    if (scalar.opaque_bytes != 0) return fmt::format("{}-byte elements", scalar.opaque_bytes);
    const char* real = scalar.precision == Precision::f64 ? "double" : "float";
    return scalar.complex ? fmt::format("complex<{}>", real) : real;
}

/// Whether arrays of a type hold such elements. A type without bytes is not known, and trusted.
bool holds(const detail::ElementType& type, const core::Scalar& scalar) {
    if (type.bytes == 0) return true;
    if (scalar.opaque_bytes != 0) return type.bytes == scalar.opaque_bytes;
    return type.number && core::Scalar{type.precision, type.complex} == scalar;
}

/// `other`: the other end's elements, by which an in-place array may be called as well.
void check_type(const EndArray& end, const core::Scalar& other, const detail::ElementType& type) {
    if (holds(type, end.scalar) || holds(type, other)) return;
    const std::string given = type.number ? type_name({type.precision, type.complex})
                                          : fmt::format("elements of {} bytes", type.bytes);
    bad_request(fmt::format("the {} array is of {}, the plan needs {}", end.name, given,
                            type_name(end.scalar)));
}

std::uintptr_t address_of(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

/// Null: the host.
const core::Device* owner_of(const EndArray& array) {
    const core::Device* owner = core::device_of(array.data);
    const std::string_view other = core::unused_device_of(array.data);
    if (other.empty()) return owner;
    bad_request(
        fmt::format("the {} array is memory of another device ({}) than this process computes on; "
                    "give memory of the host, or of the device of a plan with space={}",
                    array.name, other, other));
}

bool overlap(const void* a, Index a_bytes, const void* b, Index b_bytes) {
    if (a_bytes == 0 || b_bytes == 0) return false;
    return address_of(a) < address_of(b) + static_cast<std::uintptr_t>(b_bytes) &&
           address_of(b) < address_of(a) + static_cast<std::uintptr_t>(a_bytes);
}

}  // namespace

ArrayChecks::ArrayChecks(const core::Plan& plan, int rank, std::size_t fields,
                         const Workspace& workspace)
    : source_(plan.at.front().scalar),
      target_(plan.at.back().scalar),
      in_place_(plan.problem.in_place),
      fields_(fields),
      workspace_(workspace),
      in_bytes_(plan.at.front().bytes(rank)),
      out_bytes_(plan.at.back().bytes(rank)) {
    arrays_.reserve(2 * fields);
}

void ArrayChecks::require_multiples_of(Index bytes, const std::string& engine) {
    multiple_ = bytes;
    engine_ = engine;
}

void ArrayChecks::check(const detail::ArrayList& in, const detail::ArrayList& out) {
    if (in.count != out.count) {
        bad_request(
            fmt::format("{} input arrays and {} output arrays are given", in.count, out.count));
    }
    if (in.count != fields_) {
        bad_request(fmt::format("arrays of {} fields are given, but the Transform is bound to {}",
                                in.count, fields_));
    }
    arrays_.clear();
    for (std::size_t field = 0; field < fields_; ++field) {
        const EndArray input{"input", source_, in[field], in_bytes_};
        const EndArray output{"output", target_, out[field], out_bytes_};
        check_type(input, in_place_ ? target_ : source_, in.type);
        check_type(output, in_place_ ? source_ : target_, out.type);
        check_address(input);
        check_address(output);
        arrays_.push_back(input);
        arrays_.push_back(output);
    }
    check_apart();
}

void ArrayChecks::check_address(const EndArray& end) const {
    const core::Scalar& scalar = end.scalar;
    if (end.data == nullptr && end.bytes > 0) {
        bad_request(fmt::format("the {} array is null, but this rank owns {} elements", end.name,
                                end.bytes / scalar.bytes()));
    }
    if (scalar.opaque_bytes != 0) return;
    const auto unit = static_cast<std::uintptr_t>(scalar.precision == Precision::f64 ? 8 : 4);
    if (address_of(end.data) % unit != 0) {
        bad_request(fmt::format("the {} array is not aligned to its element type ({} bytes)",
                                end.name, unit));
    }
    const auto past = address_of(end.data) % static_cast<std::uintptr_t>(multiple_);
    if (end.bytes > 0 && past != 0) {
        bad_request(fmt::format(
            "the {} array lies {} bytes past a multiple of {}, but engine={} was planned for "
            "arrays 0 bytes past one; give arrays of weft::allocate, or bind the plan to this one",
            end.name, past, multiple_, engine_));
    }
}

/// No two arrays of the fields may share memory, but for the two ends in place, which must be one.
void ArrayChecks::check_apart() {
    for (std::size_t i = 0; in_place_ && i + 1 < arrays_.size(); i += 2) {
        if (arrays_[i].data != arrays_[i + 1].data) {
            bad_request("the plan is in place, but two different arrays are given");
        }
        arrays_[i].bytes = std::max(arrays_[i].bytes, arrays_[i + 1].bytes);
        arrays_[i + 1].bytes = 0;
    }
    std::erase_if(arrays_, [](const EndArray& array) { return array.bytes == 0; });
    std::sort(arrays_.begin(), arrays_.end(),
              [](const EndArray& a, const EndArray& b) { return std::less<>()(a.data, b.data); });
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        check_apart_from_workspace(arrays_[i]);
        if (i == 0) continue;
        const EndArray& a = arrays_[i - 1];
        const EndArray& b = arrays_[i];
        if (!overlap(a.data, a.bytes, b.data, b.bytes)) continue;
        bad_request(
            fmt::format("the {} array ({} bytes) and the {} array ({} bytes) overlap by "
                        "address; give separate arrays, or plan with in_place",
                        a.name, a.bytes, b.name, b.bytes));
    }
}

ArrayChecks::Whose ArrayChecks::whose(const core::Device* device) const {
    Whose result;
    for (const EndArray& array : arrays_) {
        const core::Device* owner = owner_of(array);
        (owner != nullptr ? result.device : result.host) = true;
        if (owner == nullptr || owner == device || device == nullptr) continue;
        bad_request(
            fmt::format("the {} array is memory of the device {}, but the plan is computed on {}; "
                        "give an array in the plan's memory, or plan with space={}",
                        array.name, owner->name(), device->name(), owner->name()));
    }
    return result;
}

void ArrayChecks::require_memory_of(const core::Device* device) const {
    for (const EndArray& array : arrays_) {
        const core::Device* owner = owner_of(array);
        if (owner == device) continue;
        bad_request(fmt::format(
            "the {} array is memory of {}, but this Transform was bound for arrays of {}; give "
            "those, or bind one for memory of {}: bind(weft::Memory::{}){}",
            array.name, core::name_of(owner), core::name_of(device), core::name_of(owner),
            owner == nullptr ? "host" : "device",
            owner == nullptr ? "" : fmt::format(" of a plan with space={}", owner->name())));
    }
}

void ArrayChecks::check_apart_from_workspace(const EndArray& array) const {
    if (overlap(workspace_.data, workspace_.bytes, array.data, array.bytes)) {
        bad_request(fmt::format("the workspace and the {} array overlap", array.name));
    }
}

void ArrayChecks::check_workspace(Index needed) const {
    if (workspace_.data == nullptr && workspace_.bytes == 0) return;
    if (workspace_.bytes < needed) {
        bad_request(fmt::format("the workspace has {} bytes, but workspace_bytes(rank) is {}",
                                workspace_.bytes, needed));
    }
    if (workspace_.data == nullptr && needed > 0) {
        bad_request(fmt::format("the workspace is null, but has {} bytes", workspace_.bytes));
    }
    if (address_of(workspace_.data) % core::alignment != 0) {
        bad_request(
            fmt::format("the workspace is not aligned to {} bytes; weft::allocate's memory is",
                        core::alignment));
    }
}

}  // namespace weft
