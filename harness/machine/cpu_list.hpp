// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kernel's lists of CPUs: "0-3,8,10-11".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::machine {

class Tree;

/// Ascending. Empty optional when the text is not such a list; an empty text is an empty list.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

/// The shortest form; expects ascending numbers.
std::string format_cpu_list(const std::vector<int>& cpus);

/// The logical CPUs this process may use; of a test's tree, those that are online.
std::vector<int> usable_cpus(const Tree& tree);

}  // namespace assay::machine
