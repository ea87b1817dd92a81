// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far assay can be trusted on a GPU, in three words.
#pragma once

#include <string>

namespace assay::machine {

struct Gpu;

struct GpuSupport {
  std::string word;  // "measured", "builds and is checked" or "unknown"
  std::string why;
};

/// "measured": records of a GPU of this name are in results/reference. "builds and is checked": every kernel
/// is compiled for its compute capability and runs on a simulated GPU, but none of this name was ever
/// measured.
GpuSupport support_of(const Gpu& gpu);

}  // namespace assay::machine
