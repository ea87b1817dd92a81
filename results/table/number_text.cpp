// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: no more digits than the interval supports.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/table/table.hpp"

namespace assay::results {
namespace {

int decimals_for(double value, int significant) {
  if (value == 0) return significant - 1;
  return std::max(0, significant - 1 - static_cast<int>(std::floor(std::log10(std::fabs(value)))));
}

bool needs_exponent(double value) {
  const double size = std::fabs(value);
  return size != 0 && (size >= 1e7 || size < 1e-4);
}

std::string plain_text(double value) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (needs_exponent(value)) return fmt::format("{:.3e}", value);
  return fmt::format("{:.{}f}", value, decimals_for(value, 4));
}

}  // namespace

std::string number_text(const Number& number) {
  const double value = number.value;
  const double lower = number.lower.value_or(NAN), upper = number.upper.value_or(NAN);
  if (!std::isfinite(value) || !std::isfinite(lower) || !std::isfinite(upper)) return plain_text(value);
  const double below = value - lower, above = upper - value;
  const double half = std::max(below, above);
  const double last_digit = std::pow(10, -decimals_for(value, 4));
  const bool lopsided = half > 3 * std::max(0.0, std::min(below, above)) && half > last_digit;
  if (lopsided || needs_exponent(value))
    return fmt::format("{} [{}, {}]", plain_text(value), plain_text(lower), plain_text(upper));
  const int decimals = half > 0
                           ? std::clamp(decimals_for(half, 2), decimals_for(value, 3), decimals_for(value, 4))
                           : decimals_for(value, 4);
  const double scale = std::pow(10, decimals);
  // The wider side, rounded up: the interval shown is never narrower than the one measured.
  const double shown = half > 0 ? std::max(1.0, std::ceil(half * scale - 1e-9)) / scale : 0;
  return fmt::format("{:.{}f} ± {:.{}f}", value, decimals, shown, decimals);
}

std::string bytes_text(std::int64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, units[unit]);
}

std::string cell_text(const Cell& cell, Column::Kind kind) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<Number>(&cell)) return number_text(*number);
  if (const auto* count = std::get_if<std::int64_t>(&cell))
    return kind == Column::Kind::bytes && *count >= 0 ? bytes_text(*count) : fmt::format("{}", *count);
  return "-";
}

}  // namespace assay::results
