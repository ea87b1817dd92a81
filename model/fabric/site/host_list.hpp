// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Slurm's lists of host names: "dev[0-5,08-10],login1" (scontrol(1), show hostnames).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay::model::fabric::site {

inline constexpr std::size_t most_host_names = 1U << 16U;

/// In the order of the list; numbers keep their leading zeros. A name in double quotes is taken unchanged,
/// with a quote of its own written twice. Throws a usage Error that opens with `where` for brackets or quotes
/// that do not match, what is not a range, and lists of more than most_host_names.
std::vector<std::string> expand_host_list(const std::string& list, const std::string& where);
/// The list that expands to these; names with commas, brackets or quotes are in quotes.
std::string host_list_of(std::span<const std::string> names);

}  // namespace assay::model::fabric::site
