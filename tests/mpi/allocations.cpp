#include "allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> counting = false;
std::atomic<long> counted = 0;
std::atomic<long> held = 0;

void* give(std::size_t bytes) {
    if (counting) ++counted;
    void* memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory != nullptr) ++held;
    return memory;
}
void take_back(void* memory) {
    if (memory != nullptr) --held;
    std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
    void* memory = give(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
// As std::stable_sort allocates; a sanitizer's own would not go with the delete below.
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
    return give(bytes);
}
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { take_back(memory); }
void operator delete(void* memory) noexcept { take_back(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { take_back(memory); }

namespace weft::test {

void count_allocations(bool count) {
    if (count) counted = 0;
    counting = count;
}
long allocations() { return counted; }
long blocks_held() { return held; }

}  // namespace weft::test
