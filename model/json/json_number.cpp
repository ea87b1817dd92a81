// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/json_number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace assay::model {
namespace {

// Powers of ten that are doubles exactly.
constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::uint64_t exact_in_double = std::uint64_t{1} << 53U;
constexpr std::ptrdiff_t safe_digits = 18;  // that 63 bits hold, whatever they are

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Digits and what they say; it wraps beyond 19 of them.
struct Digits {
  std::uint64_t value = 0;
  std::ptrdiff_t count = 0;

  void take(const char*& at) {
    const char* const begin = at;
    for (; is_digit(*at); ++at) value = value * 10 + static_cast<std::uint64_t>(*at - '0');
    count += at - begin;
  }
};

/// Converts a number that neither way below can convert exactly.
NumberFault general_real(const char* begin, const char* end, double& value) {
  if (std::from_chars(begin, end, value).ec == std::errc{}) return NumberFault::none;
  value = std::strtod(std::string(begin, end).c_str(), nullptr);  // separates too large from too small
  return std::isinf(value) ? NumberFault::too_large : NumberFault::none;
}

NumberFault read_whole(const char* begin, const char* end, const Digits& digits, JsonNode& node) {
  node.kind = JsonKind::whole;
  if (digits.count <= safe_digits) {
    const auto value = static_cast<std::int64_t>(digits.value);
    node.whole = *begin == '-' ? -value : value;
    return NumberFault::none;
  }
  if (std::from_chars(begin, end, node.whole).ec == std::errc{}) return NumberFault::none;
  node.kind = JsonKind::natural;
  if (*begin != '-' && std::from_chars(begin, end, node.natural).ec == std::errc{}) return NumberFault::none;
  node.kind = JsonKind::real;
  return general_real(begin, end, node.real);
}

/// A quotient or product of two numbers that are doubles exactly is rounded once: Clinger, "How to read
/// floating point numbers accurately", 1990.
bool exact_real(const Digits& digits, std::int64_t exponent, bool negative, double& value) {
  if (digits.count > safe_digits || digits.value > exact_in_double || std::abs(exponent) > 22) return false;
  const double power = powers_of_ten[static_cast<std::size_t>(std::abs(exponent))];
  const auto mantissa = static_cast<double>(digits.value);
  value = exponent < 0 ? mantissa / power : mantissa * power;
  if (negative) value = -value;
  return true;
}

/// "e-5"; -1 in `at` is not a number. An exponent beyond any use stays beyond any use.
bool read_exponent(const char*& at, std::int64_t& exponent) {
  if (*at != 'e' && *at != 'E') return true;
  ++at;
  const bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  Digits digits;
  digits.take(at);
  if (digits.count == 0) return false;
  const auto size = digits.count > 9 ? std::int64_t{1'000'000'000} : static_cast<std::int64_t>(digits.value);
  exponent += negative ? -size : size;
  return true;
}

}  // namespace

NumberFault read_number(const char*& at, JsonNode& node) {
  const char* const begin = at;
  const bool negative = *at == '-';
  if (negative) ++at;
  const bool leading_zero = *at == '0';
  Digits digits;
  digits.take(at);
  if (digits.count == 0) return NumberFault::no_number;
  if (leading_zero && digits.count > 1) {
    at -= digits.count - 1;
    return NumberFault::no_number;
  }
  if (*at != '.' && *at != 'e' && *at != 'E') return read_whole(begin, at, digits, node);
  std::int64_t exponent = 0;
  if (*at == '.') {
    const std::ptrdiff_t whole_digits = digits.count;
    digits.take(++at);
    exponent = whole_digits - digits.count;
    if (exponent == 0) return NumberFault::no_number;
  }
  if (!read_exponent(at, exponent)) return NumberFault::no_number;
  node.kind = JsonKind::real;
  if (exact_real(digits, exponent, negative, node.real)) return NumberFault::none;
  return general_real(begin, at, node.real);
}

}  // namespace assay::model
