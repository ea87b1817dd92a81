// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Text as a cell of CSV, for every writer of it: scripts/check-writers refuses another.
#pragma once

#include <string>
#include <string_view>

namespace assay::core {

/// A spreadsheet takes text that begins with = + - @, a tab or a carriage return for a formula, and names of
/// hosts and files come from outside: an apostrophe makes it text. Numbers, with their intervals and percent
/// signs, stay. results/report/csv_export.ts has the same rule.
std::string without_formula(std::string_view text);

/// without_formula(), between quotes where the text holds a comma, a quote or the end of a line (RFC 4180).
std::string csv_cell(std::string_view text);

}  // namespace assay::core
