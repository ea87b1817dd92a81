// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Why a run did not pass, in a line.
#pragma once

#include <filesystem>
#include <string>

namespace assay::suite {

/// "2 of 8 points: gemm.host.matmul wrong: element 3 ...", the first of those that failed; "" where none did.
/// The last record of a point counts.
std::string bad_points_in(const std::filesystem::path& journal);

}  // namespace assay::suite
