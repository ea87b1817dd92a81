// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The heading of perftest's table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::results::peers {

/// Columns of the table, by the words of its heading.
struct PerftestTable {
  std::vector<std::string> columns;
  double bytes_per_unit = 0;
  std::string fault = {};
};

/// Columns of "#bytes #iterations BW peak[MB/sec] ..."; with a fault where a column or a unit is unknown.
PerftestTable perftest_table_of(std::string_view heading);

}  // namespace assay::results::peers
