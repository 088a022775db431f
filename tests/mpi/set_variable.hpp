// An environment variable that a test sets.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace weft::test {

/// Set, or with a null value unset, as long as this lives; then as it was before.
class SetVariable {
  public:
    SetVariable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        set(value);
    }
    ~SetVariable() { set(before_ ? before_->c_str() : nullptr); }
    SetVariable(const SetVariable&) = delete;
    SetVariable& operator=(const SetVariable&) = delete;

    void set(const char* value) {
        if (value == nullptr) {
            unsetenv(name_);
        } else {
            setenv(name_, value, 1);
        }
    }

  private:
    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace weft::test
