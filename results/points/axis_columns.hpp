// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The axes of many points as columns of one table.
#pragma once

#include <vector>

#include "results/record/record.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// Every axis that occurs, in order of first appearance; such columns fold.
std::vector<Column> axis_columns(const std::vector<Fields>& points);
/// The point's value on that axis; nothing where it has none.
Cell axis_cell(const Fields& point, const Column& axis);

}  // namespace assay::results
