// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Units as people write and read them. GB is 10^9 bytes; KiB, MiB, GiB are powers of 1024.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::core {

inline constexpr std::int64_t kib = 1024;
inline constexpr std::int64_t mib = 1024 * kib;
inline constexpr std::int64_t gib = 1024 * mib;

/// "64MiB", "1.5GiB", "4096", "2GB" (10^9) to bytes. Throws a usage Error on anything else, a negative
/// number, a fraction of a byte, or a size beyond 2^63-1.
std::int64_t parse_bytes(std::string_view text);

/// The shortest exact form: 67108864 to "64MiB", 1000 to "1000B".
std::string format_bytes(std::int64_t bytes);

/// "12h", "90m", "20s", "1h30m", "2d" in seconds, above 0. A usage Error naming `flag` for anything else.
double parse_duration_s(std::string_view text, std::string_view flag);

/// "12ms", "350us", "1.5s" in seconds, above 0. A usage Error naming `flag` for anything else.
double parse_step_time_s(std::string_view text, std::string_view flag);

/// The number that a text begins with, as sysfs writes "32.0 GT/s PCIe"; 0 where it begins with none.
double leading_number(std::string_view text);

/// "1 node", "8 nodes": of nouns that take an s.
std::string counted(std::int64_t count, std::string_view noun);

/// Seconds as "1.23 us", "45.6 ms", "2 min 05 s", "36 h 31 min", "27 days".
std::string format_seconds(double seconds);

/// The least multiple of `unit` that is not below `value`.
template <class T>
constexpr T rounded_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

double gb_per_s(double bytes, double seconds);
double tflops(double flops, double seconds);

}  // namespace assay::core
