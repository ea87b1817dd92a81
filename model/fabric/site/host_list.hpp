// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Slurm's lists of host names: "dev[0-5,08-10],login1" (scontrol(1), show hostnames).
#pragma once

#include <string>
#include <vector>

namespace assay::model::fabric::site {

/// In the order of the list; numbers keep their leading zeros. Throws a usage Error that opens with `where`
/// for brackets that do not match, what is not a range, and lists of more than 2^20 names.
std::vector<std::string> expand_host_list(const std::string& list, const std::string& where);

}  // namespace assay::model::fabric::site
