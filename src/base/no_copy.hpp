// What is neither copied nor moved: others hold its address, or it owns what is freed once.
#pragma once

namespace weft::core {

class NoCopy {
  public:
    NoCopy(const NoCopy&) = delete;
    NoCopy& operator=(const NoCopy&) = delete;

  protected:
    NoCopy() = default;
    ~NoCopy() = default;
};

}  // namespace weft::core
