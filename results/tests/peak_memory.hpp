// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The memory that this process took, for tests that hold it below a bound.
#pragma once

#include <fstream>
#include <string>

namespace assay::results::test {

inline constexpr double mib = 1 << 20;

/// A value of /proc/self/status in MiB: "VmHWM" (the peak), "VmRSS" (now).
inline double status_mib(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kib = 0; word == key + ":" && status >> kib) return kib / 1024;
  return 0;
}

/// proc(5): the peak is from now on that of what follows.
inline bool reset_peak() {
  std::ofstream clear("/proc/self/clear_refs");
  clear << "5" << std::flush;
  return clear.good() && status_mib("VmHWM") < status_mib("VmRSS") + 8;
}

}  // namespace assay::results::test
