// The names that texts have for the values of a problem's and a choice's enumerations.
#pragma once

#include "base/names.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft::core {

template <>
inline constexpr auto names_of<Kind> WEFT_HIDDEN =
    Names<Kind, 5>{{{Kind::c2c, "c2c"},
                    {Kind::r2c, "r2c"},
                    {Kind::c2r, "c2r"},
                    {Kind::r2r, "r2r"},
                    {Kind::redistribute, "redistribute"}}};
template <>
inline constexpr auto names_of<AxisKind> WEFT_HIDDEN = Names<AxisKind, 12>{{
#define WEFT_REAL_KIND(name, fftw) {AxisKind::name, #name},
#include "weft/real_kinds.def"
    {AxisKind::c2c, "c2c"},
    {AxisKind::r2c, "r2c"},
    {AxisKind::c2r, "c2r"},
    {AxisKind::none, "none"}}};
template <>
inline constexpr auto names_of<Precision> WEFT_HIDDEN = names_in_order<Precision>("f32", "f64");
template <>
inline constexpr auto names_of<CutRule> WEFT_HIDDEN = names_in_order<CutRule>("balanced", "block");
template <>
inline constexpr auto names_of<EvenModes> WEFT_HIDDEN = names_in_order<EvenModes>("split", "zero",
                                                                                  "keep");
template <>
inline constexpr auto names_of<Pack> WEFT_HIDDEN = names_in_order<Pack>("auto", "sender",
                                                                        "receiver", "datatype",
                                                                        "fft", "fused");
template <>
inline constexpr auto names_of<Carrier> WEFT_HIDDEN = names_in_order<Carrier>("auto", "messages",
                                                                              "region", "direct");
template <>
inline constexpr auto names_of<Wire> WEFT_HIDDEN = names_in_order<Wire>("same", "f32", "bf16");
template <>
inline constexpr auto names_of<Travel> WEFT_HIDDEN = names_in_order<Travel>("auto", "direct",
                                                                            "staged");
template <>
inline constexpr auto names_of<Effort> WEFT_HIDDEN = names_in_order<Effort>("auto", "estimate",
                                                                            "measure", "patient");
template <>
inline constexpr auto names_of<TileProgress> WEFT_HIDDEN = names_in_order<TileProgress>("poll",
                                                                                        "thread",
                                                                                        "none");
template <>
inline constexpr auto names_of<TuningEffort> WEFT_HIDDEN =
    names_in_order<TuningEffort>("none", "estimate", "measure", "patient", "exhaustive", "frozen");

}  // namespace weft::core
