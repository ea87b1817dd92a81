// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rows of work that ran while other work did: slowdowns, and passes with exchanges.
#include <fmt/format.h>

#include <algorithm>

#include "harness/core/printable.hpp"
#include "model/fit/rows/timings_of.hpp"

namespace assay::model::fit {
namespace {

constexpr double of_rounding = 1e-6;

SlowdownRow slowdown_row(const CsvTable& table, std::size_t row) {
  SlowdownRow read{.victim = word(table, row, "victim"),
                   .aggressor = word(table, row, "aggressor"),
                   .conditions = table.text(row, "conditions"),
                   .slowdown = table.positive(row, "slowdown"),
                   .lower = table.positive(row, "slowdown_min"),
                   .upper = table.positive(row, "slowdown_max"),
                   .table_row = row};
  if (read.lower > read.slowdown || read.upper < read.slowdown)
    table.complain(row, "slowdown", "expected a number from slowdown_min to slowdown_max");
  return read;
}

OverlapRow overlap_row(const CsvTable& table, std::size_t row) {
  OverlapRow read{.operation = word(table, row, "operation"),
                  .conditions = table.text(row, "conditions"),
                  .point = table.text(row, "point"),
                  .compute_us = table.positive(row, "compute_us"),
                  .communication_us = table.positive(row, "communication_us"),
                  .ideal_us = table.positive(row, "ideal_us"),
                  .time_us = table.positive(row, "time_us"),
                  .table_row = row};
  if (read.operation != gradients_beside_pass && read.operation != gathers_beside_pass)
    table.complain(row, "operation",
                   fmt::format("expected {} or {}, got '{}'", gradients_beside_pass, gathers_beside_pass,
                               core::printable(read.operation, 40)));
  const double least_us = std::max(read.compute_us, read.communication_us);
  if (read.ideal_us < least_us * (1 - of_rounding))
    table.complain(
        row, "ideal_us",
        fmt::format("expected at least the longer of compute_us and communication_us, {:.6g}, got {:.6g}",
                    least_us, read.ideal_us));
  if (read.could_hide_us() <= 0)
    table.complain(row, "ideal_us",
                   fmt::format("expected below compute_us + communication_us = {:.6g}, got {:.6g}",
                               read.compute_us + read.communication_us, read.ideal_us));
  return read;
}

}  // namespace

std::string SlowdownRow::contest() const {
  return fmt::format("{} beside {}{}{}", victim, aggressor, conditions.empty() ? "" : " ", conditions);
}

std::string OverlapRow::contest() const { return ConditionedName{operation, conditions}.text(); }

Timings<SlowdownRow> read_slowdowns(const CsvSource& source) {
  return timings(CsvTable::read(source, {{"victim", "aggressor", "slowdown", "slowdown_min", "slowdown_max"},
                                         {"conditions", "source", "machine"}}),
                 slowdown_row);
}

Timings<OverlapRow> read_overlaps(const CsvSource& source) {
  return timings(
      CsvTable::read(source, {{"operation", "compute_us", "communication_us", "ideal_us", "time_us"},
                              {"conditions", "point", "source", "machine"}}),
      overlap_row);
}

}  // namespace assay::model::fit
