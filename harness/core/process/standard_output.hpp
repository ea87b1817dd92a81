// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A check that a program's output has arrived: standard output may be a file on a disk that is full.
#pragma once

#include <string>

namespace assay::core {

/// To be asked last. The exit code, where all that was printed could be written; else one line on standard
/// error beginning with `program`, and 3 (inconclusive) instead of a pass.
int exit_code_once_written(const std::string& program, int exit_code);

}  // namespace assay::core
