// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Commands of assay that measure what a command of another tool measures.
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

struct LikeAnswer {
  std::vector<std::string> words;  // of the command: assay run ...
  std::vector<std::string> notes = {};
};

/// Translates "mpirun -np 16 all_reduce_perf -b 8 -e 8G -f 2 -g 8". Throws a usage Error for a tool that is
/// unknown, naming the nearest, and for a value that cannot be read. Flags without an equal are noted.
LikeAnswer like(const std::string& command);

}  // namespace assay::cli
