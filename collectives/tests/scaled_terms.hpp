// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A rank's floats as NCCL's ncclAvg takes them: times the type's 1/n, rounded (2.28: src/enqueue.cc).
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "collectives/data_type.hpp"

namespace assay::collectives {

/// Whole numbers stay as they are.
inline void scale_terms(DataType type, int ranks, std::span<std::byte> terms) {
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    using Wide = decltype(printed(zero));
    if constexpr (!std::is_integral_v<T>) {
      const T factor(Wide{1} / static_cast<Wide>(ranks));
      auto* const elements = reinterpret_cast<T*>(terms.data());
      for (std::size_t i = 0; i < terms.size() / sizeof(T); ++i)
        elements[i] = T(printed(elements[i]) * printed(factor));
    }
  });
}

}  // namespace assay::collectives
