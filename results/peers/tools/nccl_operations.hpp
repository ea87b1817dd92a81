// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Operations of nccl-tests: their names in its output, in assay, in paths and in commands.
#pragma once

#include <string>
#include <string_view>

namespace assay::results::peers {

struct NcclOperation {
  std::string_view tool, ours;
  std::string_view words;  // as people write it in paths, where any _ may also be - or absent
  bool reduces = false, rooted = false;
};

/// The operation of that name in the tool's output; null: none that assay knows.
const NcclOperation* known_nccl_operation(std::string_view name);

/// The operation that a program's name or a word of a path states: "all_reduce" of "all_reduce_perf"; empty
/// for none, and where words of two are there.
std::string nccl_operation_in(std::string_view text);
/// The operation of the programs that a command names: "all_reduce" of "./all_reduce_perf -b 8"; empty where
/// they are several, or none that is known.
std::string nccl_command_in(std::string_view text);

}  // namespace assay::results::peers
