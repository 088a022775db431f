// Things with numbers that are used again.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace weft::core {

template <class T>
class Pool {
  public:
    int add(T one) {
        if (free_.empty()) {
            all_.push_back(std::move(one));
            return static_cast<int>(all_.size()) - 1;
        }
        const int number = free_.back();
        free_.pop_back();
        (*this)[number] = std::move(one);
        return number;
    }
    void remove(int number) { free_.push_back(number); }
    T& operator[](int number) { return all_[static_cast<std::size_t>(number)]; }

  private:
    std::vector<T> all_;
    std::vector<int> free_;
};

}  // namespace weft::core
