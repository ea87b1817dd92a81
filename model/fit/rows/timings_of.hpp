// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table as rows: what every reader of timings does.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "model/fit/rows/possible_rates.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

/// Throws a usage error for rows of two machines.
std::string one_machine(const CsvTable& table);
/// Throws a usage error for an empty cell.
std::string word(const CsvTable& table, std::size_t row, const std::string& column);

template <class Row>
Timings<Row> timings(CsvTable table, Row (*read)(const CsvTable&, std::size_t)) {
  Timings<Row> result{std::move(table), {}, {}, {}};
  result.machine = one_machine(result.table);
  for (std::size_t row = 0; row < result.table.rows(); ++row) result.rows.push_back(read(result.table, row));
  if constexpr (requires { doubts_of(result); }) result.doubts = doubts_of(result);
  return result;
}

}  // namespace assay::model::fit
