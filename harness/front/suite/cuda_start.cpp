// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/cuda_start.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <ostream>
#include <string>

#include "harness/core/text/log_lines.hpp"
#include "harness/core/version.hpp"
#include "harness/machine/cuda_driver.hpp"
#include "harness/machine/pretended_node.hpp"

namespace assay::suite {

void prepare_cuda_start(std::ostream& out) {
  const std::string toolkit = core::cuda_toolkit();
  if (toolkit.empty()) return;
  const machine::CudaDriver driver = machine::read_cuda_driver();
  const auto old = machine::driver_too_old(driver, toolkit);
  if (!old) return;
  const auto compatibility = machine::forward_compatibility(driver, toolkit);
  if (!compatibility) {
    std::cerr << fmt::format("assay: {}\n", old->sentence());
    return;
  }
  const char* const before = std::getenv("LD_LIBRARY_PATH");
  const std::string folders = machine::pretended_root() + *compatibility +
                              (before == nullptr || *before == '\0' ? "" : fmt::format(":{}", before));
  constexpr int replace = 1;
  setenv("LD_LIBRARY_PATH", folders.c_str(), replace);
  out << "modules start on " << machine::with_forward_compatibility(driver, *compatibility)
      << core::LogFields{{"driver", driver.installed}, {"cuda_compat", *compatibility}} << "\n";
}

}  // namespace assay::suite
