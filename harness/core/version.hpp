// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The identity of this build.
#pragma once

#include <string>

namespace assay::core {

std::string version();  // "0.1.0"
std::string
source_revision();  // git's abbreviated commit, "-dirty" where the tree had changes; "unknown" without git
std::string cuda_toolkit();  // of its CUDA programs: "13.0"; "" without CUDA

}  // namespace assay::core
