// libFuzzer's entry: any bytes are a text.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/check_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    weft::core::test::check_text({reinterpret_cast<const char*>(data), size});
    return 0;
}
