// A list that many values have in common.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace weft::core {

/// A list that does not change; copies of it share the elements.
template <class T>
class SharedList {
  public:
    SharedList() = default;
    SharedList(std::initializer_list<T> all) : SharedList(std::vector<T>(all)) {}
    // NOLINTNEXTLINE(google-explicit-constructor): it stands wherever a vector does
    SharedList(std::vector<T> all)
        : shared_(std::make_shared<const std::vector<T>>(std::move(all))) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    operator const std::vector<T>&() const { return all(); }

    [[nodiscard]] auto begin() const { return all().begin(); }
    [[nodiscard]] auto end() const { return all().end(); }
    [[nodiscard]] std::size_t size() const { return all().size(); }
    [[nodiscard]] const T& front() const { return all().front(); }
    const T& operator[](std::size_t i) const { return all()[i]; }
    bool operator==(const SharedList& other) const {
        return shared_ == other.shared_ || all() == other.all();
    }

  private:
    [[nodiscard]] const std::vector<T>& all() const {
        static const std::vector<T> none;
        return shared_ ? *shared_ : none;
    }

    std::shared_ptr<const std::vector<T>> shared_;  ///< null: no elements
};

}  // namespace weft::core
