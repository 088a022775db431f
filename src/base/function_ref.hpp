// A function that is called before the call it was passed to returns.
#pragma once

#include <type_traits>
#include <utility>

namespace weft::core {

template <class Signature>
class FunctionRef;

/// Refers to a callable that outlives it. Unlike std::function it allocates nothing, so that
/// passing a function cannot fail on one rank alone.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
  public:
    template <class Function>
    requires(!std::is_same_v<std::remove_cvref_t<Function>, FunctionRef> &&
             std::is_invocable_r_v<Result, Function&, Arguments...>)
        // NOLINTNEXTLINE(google-explicit-constructor)
        FunctionRef(Function&& function)
        : function_(const_cast<void*>(static_cast<const void*>(&function))),
          call_([](void* object, Arguments... arguments) -> Result {
              return (*static_cast<std::remove_reference_t<Function>*>(object))(
                  std::forward<Arguments>(arguments)...);
          }) {}

    Result operator()(Arguments... arguments) const {
        return call_(function_, std::forward<Arguments>(arguments)...);
    }

  private:
    void* function_;
    Result (*call_)(void*, Arguments...);
};

}  // namespace weft::core
