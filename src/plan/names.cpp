#include "plan/names.hpp"

#include <string>

namespace weft {

std::string to_string(Kind kind) { return core::name_of(kind); }
std::string to_string(AxisKind kind) { return core::name_of(kind); }
std::string to_string(Precision precision) { return core::name_of(precision); }
std::string to_string(CutRule rule) { return core::name_of(rule); }
std::string to_string(EvenModes rule) { return core::name_of(rule); }
std::string to_string(Pack pack) { return core::name_of(pack); }
std::string to_string(Carrier carrier) { return core::name_of(carrier); }
std::string to_string(Wire wire) { return core::name_of(wire); }
std::string to_string(Effort effort) { return core::name_of(effort); }
std::string to_string(TuningEffort effort) { return core::name_of(effort); }

}  // namespace weft
