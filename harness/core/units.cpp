// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::core {
namespace {

constexpr std::array<std::pair<std::string_view, std::int64_t>, 9> byte_units{{{"B", 1},
                                                                               {"KiB", kib},
                                                                               {"MiB", mib},
                                                                               {"GiB", gib},
                                                                               {"TiB", 1024 * gib},
                                                                               {"kB", 1000},
                                                                               {"MB", 1'000'000},
                                                                               {"GB", 1'000'000'000},
                                                                               {"TB", 1'000'000'000'000}}};

[[noreturn]] void not_a_size(std::string_view text, std::string_view why) {
  usage_error(
      fmt::format("'{}' is not a size: {} (expected bytes like 4096, 64MiB, 1.5GiB or 2GB)", text, why));
}

std::int64_t unit_of(std::string_view suffix, std::string_view text) {
  if (suffix.empty()) return 1;
  for (const auto& [name, bytes] : byte_units)
    if (name == suffix) return bytes;
  not_a_size(text, fmt::format("unit '{}' is not one of B KiB MiB GiB TiB kB MB GB TB", suffix));
}

double seconds_in(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86400;
    default:
      return 0;
  }
}

}  // namespace

std::int64_t parse_bytes(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) not_a_size(text, "it does not start with a number");
  if (number < 0) not_a_size(text, "it is negative");
  const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double bytes = number * static_cast<double>(unit_of(suffix, text));
  if (bytes >= 9223372036854775808.0) not_a_size(text, "it is larger than 2^63-1 bytes");
  if (bytes != std::floor(bytes)) not_a_size(text, "it is not a whole number of bytes");
  return static_cast<std::int64_t>(bytes);
}

std::string format_bytes(std::int64_t bytes) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{
      {{"TiB", 1024 * gib}, {"GiB", gib}, {"MiB", mib}, {"KiB", kib}}};
  for (const auto& [name, size] : units)
    if (bytes != 0 && bytes % size == 0) return fmt::format("{}{}", bytes / size, name);
  return fmt::format("{}B", bytes);
}

double parse_duration_s(std::string_view text, std::string_view flag) {
  const auto refuse = [&] {
    usage_error(fmt::format("{} '{}': expected a time such as 20s, 90m, 12h, 1h30m or 2d", flag, text));
  };
  double seconds = 0;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    double value = 0;
    const auto [unit, error] = std::from_chars(at, end, value, std::chars_format::fixed);
    if (error != std::errc() || unit == end || seconds_in(*unit) == 0 || !(value >= 0)) refuse();
    seconds += value * seconds_in(*unit);
    at = unit + 1;
  }
  if (!(seconds > 0)) refuse();
  return seconds;
}

double parse_step_time_s(std::string_view text, std::string_view flag) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  const std::string_view name(unit, static_cast<std::size_t>(end - unit));
  const double scale = name == "s" ? 1 : name == "ms" ? 1e-3 : name == "us" ? 1e-6 : 0;
  if (error != std::errc() || !(value * scale > 0))
    usage_error(fmt::format("{} '{}': expected a time such as 12ms, 350us or 1.5s", flag, text));
  return value * scale;
}

double leading_number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string format_seconds(double seconds) {
  constexpr double longest_in_hours = 100 * 3600.0, longest_in_days = 1e9;
  if (seconds >= longest_in_days) return fmt::format("{:.3g} s", seconds);
  if (seconds >= longest_in_hours) return fmt::format("{:.0f} days", seconds / 86400);
  if (seconds >= 3600) {
    const auto minutes = static_cast<long long>(std::llround(seconds / 60));
    return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  }
  if (seconds >= 60) {
    const auto whole = static_cast<long long>(std::llround(seconds));
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds >= 1e-6) return fmt::format("{:.3g} us", seconds * 1e6);
  return fmt::format("{:.3g} ns", seconds * 1e9);
}

double gb_per_s(double bytes, double seconds) { return bytes / seconds * 1e-9; }
double tflops(double flops, double seconds) { return flops / seconds * 1e-12; }

}  // namespace assay::core
