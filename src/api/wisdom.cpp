#include "weft/wisdom.hpp"

#include "api/wisdom_store.hpp"

namespace weft::wisdom {

Imported import_text(std::string_view text) {
    const core::ReadWisdom read = core::read_wisdom(text);
    Imported result;
    result.entries = learn(read.wisdom);
    for (const core::SkippedLine& line : read.skipped) result.skipped.push_back(to_string(line));
    return result;
}

std::string export_text() { return core::to_text({known_wisdom().wisdom.entries, {}}); }

int forget(std::string_view problem, std::string_view site) {
    return forget_wisdom(std::string(problem), std::string(site));
}

}  // namespace weft::wisdom
