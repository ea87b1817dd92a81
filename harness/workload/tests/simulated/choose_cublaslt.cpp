// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Makes a test's program open the simulated cuBLASLt.
#include <cstdlib>

namespace {

[[maybe_unused]] const int chosen = setenv("ASSAY_CUBLASLT", ASSAY_SIMULATED_CUBLASLT, 1);

}  // namespace
