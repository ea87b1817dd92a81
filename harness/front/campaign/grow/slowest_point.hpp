// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The bus bandwidth of a group, compared with a least one.
#pragma once

#include <filesystem>
#include <string>

namespace assay::campaign {

/// "collectives.nccl.all_reduce bytes=...: busbw 212.0 GB/s, expected at least 350": the slowest point of the
/// journal, or that none has a bus bandwidth; "" where all reach it. The last record of a point counts.
std::string below_least_busbw(const std::filesystem::path& journal, double least_gb_per_s);

}  // namespace assay::campaign
