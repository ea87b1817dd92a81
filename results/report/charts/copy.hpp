// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies for charts: bandwidth over size, and who reaches whom as matrices.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "results/points/copy_points.hpp"

namespace assay::results {

/// Bandwidth over bytes of copies between host and GPU, and of several GPUs at once: {points, same}; a curve
/// ("kernel") for each direction, kind of copy and of memory, a series for all else that varies.
nlohmann::ordered_json copy_chart(const std::vector<CopyPoint>& points);

/// GPU against NUMA node at the largest size, {matrices: [{title, cells: [{row, column, value, lower, upper,
/// remark}]}], same}; no matrix where one GPU and one node were measured.
nlohmann::ordered_json copy_matrices(const std::vector<CopyPoint>& points);
/// Source against target, of the same form.
nlohmann::ordered_json peer_matrices(const std::vector<CopyPoint>& points);

}  // namespace assay::results
