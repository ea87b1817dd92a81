// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A library that says it is cuBLASLt of an earlier major version.
#include <cstddef>

extern "C" std::size_t cublasLtGetVersion() { return 120803; }
