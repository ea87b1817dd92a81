// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How long ago something was, by the clock that nobody sets.
#pragma once

#include <chrono>

namespace assay::core {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace assay::core
