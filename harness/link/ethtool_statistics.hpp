// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A netdev's driver statistics, as `ethtool -S` shows them: the kernel hands them out by ioctl only.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace assay::link {

/// Empty where there is no such netdev or its driver reports nothing. Throws nothing. Needs no privilege.
std::map<std::string, std::uint64_t> read_ethtool_statistics(const std::string& netdev);

}  // namespace assay::link
