// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/csv_text.hpp"

namespace assay::core {
namespace {

bool opens_a_formula(std::string_view text) {
  if (text.empty()) return false;
  return text.front() == '-' ? text.size() > 1
                             : std::string_view("=+@\t\r").find(text.front()) != std::string_view::npos;
}

/// "-12.5 ± 0.4", "+5.0 %", "-3e-05 [-4e-05, -2e-05]"
bool is_number_text(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  constexpr std::string_view first = "0123456789.", more = "0123456789.-+,eE[]% \xc2\xb1";
  return !text.empty() && first.find(text.front()) != std::string_view::npos &&
         text.find_first_not_of(more) == std::string_view::npos;
}

}  // namespace

std::string without_formula(std::string_view text) {
  std::string cell(text);
  if (opens_a_formula(text) && !is_number_text(text)) cell.insert(0, 1, '\'');
  return cell;
}

std::string csv_cell(std::string_view text) {
  const std::string cell = without_formula(text);
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char byte : cell) quoted += byte == '"' ? "\"\"" : std::string(1, byte);
  return quoted + '"';
}

}  // namespace assay::core
