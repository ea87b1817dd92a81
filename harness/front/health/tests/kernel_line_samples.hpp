// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines of the kernel's log, of faults and of healthy machines, from tests/*_kernel_lines.toml.
#pragma once

#include <string>
#include <vector>

namespace assay::health {

struct GraveKernelLine {
  std::string check, status, text;
};
std::vector<GraveKernelLine> grave_kernel_lines();

struct BenignKernelLine {
  int level = 0;
  std::string text;
};
std::vector<BenignKernelLine> benign_kernel_lines();

}  // namespace assay::health
