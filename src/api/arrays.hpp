// What the caller's arrays have to be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "plan/plan.hpp"
#include "weft/plan.hpp"

namespace weft {

/// One field's array at one end.
struct EndArray {
    const char* name;
    core::Scalar scalar;
    void* data = nullptr;
    Index bytes = 0;
};

/// The checks of one rank's arrays and workspace, made once: checking allocates nothing. All throw
/// Error(bad_request).
class ArrayChecks {
  public:
    ArrayChecks(const core::Plan& plan, int rank, std::size_t fields, const Workspace& workspace);

    [[nodiscard]] std::size_t fields() const { return fields_; }
    /// From now on calls need arrays at multiples of so many bytes, as the engine does.
    void require_multiples_of(Index bytes, const std::string& engine);

    /// Unless the plan can work with these arrays, one list for each end.
    void check(const detail::ArrayList& in, const detail::ArrayList& out);
    /// Unless the workspace is none or can be worked in.
    void check_workspace(Index needed) const;
    /// Of the arrays that were checked last: whether some are the host's, or a device's. Throws if
    /// they are another one's than that in which the plan is computed.
    struct Whose {
        bool host = false;
        bool device = false;
    };
    [[nodiscard]] Whose whose(const core::Device* device) const;
    /// Unless all that were checked last are of this memory, where null stands for the host's.
    void require_memory_of(const core::Device* device) const;

  private:
    void check_address(const EndArray& end) const;
    void check_apart();
    void check_apart_from_workspace(const EndArray& array) const;

    core::Scalar source_;
    core::Scalar target_;
    bool in_place_;
    std::size_t fields_;
    Workspace workspace_;
    Index in_bytes_ = 0;
    Index out_bytes_ = 0;
    Index multiple_ = 1;
    std::string engine_;
    std::vector<EndArray> arrays_;  ///< of the check under way
};

}  // namespace weft
