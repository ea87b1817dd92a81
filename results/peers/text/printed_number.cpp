// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/text/printed_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "results/peers/text/columns.hpp"

namespace assay::results::peers {
namespace {

/// The power of ten of the last digit; nothing where this is not a decimal number.
std::optional<int> last_place(std::string_view text) {
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t whole = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  std::size_t digits = at - whole;
  int decimals = 0;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    decimals = static_cast<int>(at - fraction);
    digits += at - fraction;
  }
  if (digits == 0) return std::nullopt;
  int exponent = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && text[at] == '+') ++at;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), exponent);
    if (error != std::errc() || end == text.data() + at) return std::nullopt;
    at = static_cast<std::size_t>(end - text.data());
  }
  if (at != text.size()) return std::nullopt;
  return exponent - decimals;
}

}  // namespace

std::optional<PrintedNumber> printed_number(std::string_view text) {
  const auto place = last_place(text);
  if (!place) return std::nullopt;
  const std::string_view unsigned_text = text.starts_with('+') ? text.substr(1) : text;
  double value = 0;
  const auto [end, error] =
      std::from_chars(unsigned_text.data(), unsigned_text.data() + unsigned_text.size(), value);
  if (error != std::errc() || end != unsigned_text.data() + unsigned_text.size() || !std::isfinite(value))
    return std::nullopt;
  return PrintedNumber{value, 0.5 * std::pow(10.0, *place)};
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool has_comma_between_digits(std::string_view word) {
  for (std::size_t at = 1; at + 1 < word.size(); ++at)
    if (word[at] == ',' && is_digit(word[at - 1]) && is_digit(word[at + 1])) return true;
  return false;
}

bool may_be_equal(PrintedNumber a, PrintedNumber b, double more) {
  const double apart = std::abs(a.value - b.value);
  return apart <= a.half_digit + b.half_digit + more * std::max(std::abs(a.value), std::abs(b.value));
}

PrintedNumber product(PrintedNumber a, PrintedNumber b) {
  return {a.value * b.value,
          std::abs(a.value) * b.half_digit + std::abs(b.value) * a.half_digit + a.half_digit * b.half_digit};
}

PrintedNumber quotient(PrintedNumber a, PrintedNumber b) {
  const double value = a.value / b.value, least = std::abs(b.value) - b.half_digit;
  if (!(least > 0)) return {value, INFINITY};
  return {value, (a.half_digit + std::abs(value) * b.half_digit) / least};
}

}  // namespace assay::results::peers
