// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Calculon's names of dtypes, and its units.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::model::calculon {

inline constexpr double giga = 1e9, mega = 1e6, tera = 1e12;

struct DtypeName {
  std::string_view ours, theirs;
  double bytes;
};
inline constexpr std::array<DtypeName, 6> dtype_names{{{"bf16", "bfloat16", 2},
                                                       {"fp16", "float16", 2},
                                                       {"fp32", "float32", 4},
                                                       {"fp8", "float8", 1},
                                                       {"fp8_e4m3", "float8", 1},
                                                       {"float16", "float16", 2}}};

/// Null: Calculon has no such dtype.
constexpr const DtypeName* dtype_named(std::string_view dtype) {
  const auto found = std::ranges::find(dtype_names, dtype, &DtypeName::ours);
  return found == dtype_names.end() ? nullptr : &*found;
}

}  // namespace assay::model::calculon
