// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/rows/timings_of.hpp"

#include <fmt/format.h>

namespace assay::model::fit {
namespace {

/// The publisher before the first "/" of `source`, or the column `machine`: what must be one in a file.
std::string machine_of(const CsvTable& table, std::size_t row) {
  if (table.has("machine")) return table.text(row, "machine");
  const std::string source = table.text(row, "source");
  return source.substr(0, source.find('/'));
}

}  // namespace

std::string one_machine(const CsvTable& table) {
  const char* column = table.has("machine") ? "machine" : "source";
  std::string machine = machine_of(table, 0);
  for (std::size_t row = 1; row < table.rows(); ++row)
    if (machine_of(table, row) != machine)
      table.complain(row, column,
                     fmt::format("'{}' after '{}': a fit is of one machine; fit each in a separate file",
                                 machine_of(table, row), machine));
  return machine;
}

std::string word(const CsvTable& table, std::size_t row, const std::string& column) {
  std::string text = table.text(row, column);
  if (text.empty()) table.complain(row, column, "expected a word, got nothing");
  return text;
}

}  // namespace assay::model::fit
