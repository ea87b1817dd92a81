// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as tools print them, with the precision that the digits have.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::results::peers {

struct PrintedNumber {
  double value = 0;
  double half_digit = 0;  // half a unit of the last digit: the bound of rounding
};

/// "41.27", "1.57286e+06", "-1". Nothing where anything else is there: a comma, a unit, "nan", "inf".
std::optional<PrintedNumber> printed_number(std::string_view text);
/// A whole number of digits alone, with a sign or not.
std::optional<std::int64_t> whole_number(std::string_view text);

/// "391,4", "1,048,576": a locale's number, which has two readings.
bool has_comma_between_digits(std::string_view word);

/// Whether both may be roundings of one number; `more`: a share that is allowed besides.
bool may_be_equal(PrintedNumber a, PrintedNumber b, double more = 1e-9);
/// Bounds of the rounding of a product and of a quotient.
PrintedNumber product(PrintedNumber a, PrintedNumber b);
PrintedNumber quotient(PrintedNumber a, PrintedNumber b);

}  // namespace assay::results::peers
