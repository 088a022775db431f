#include "measure/commit.hpp"

namespace weft::cli {

std::string commit() {
    return
#include "commit.inc"
        ;
}

}  // namespace weft::cli
