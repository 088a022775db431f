// Wisdom in C.
#include <fmt/format.h>

#include "api/c_guard.hpp"
#include "weft/weft.h"
#include "weft/wisdom.hpp"

weft_code weft_wisdom_import(const char* text, int* entries, char** skipped) {
    return weft::guarded([&] {
        weft::require(text, "text");
        const weft::wisdom::Imported imported = weft::wisdom::import_text(text);
        if (entries != nullptr) *entries = imported.entries;
        if (skipped == nullptr) return;
        *skipped = weft::copied(fmt::format("{}", fmt::join(imported.skipped, "\n")));
    });
}

weft_code weft_wisdom_export(char** text) {
    return weft::guarded([&] {
        weft::require(text, "text");
        *text = weft::copied(weft::wisdom::export_text());
    });
}

weft_code weft_wisdom_forget(const char* problem, const char* site, int* entries) {
    return weft::guarded([&] {
        const int forgotten =
            weft::wisdom::forget(problem == nullptr ? "*" : problem, site == nullptr ? "*" : site);
        if (entries != nullptr) *entries = forgotten;
    });
}
