// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/error_dose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/statistics/poisson_limit.hpp"

namespace assay::link {
namespace {

using core::poisson_upper_limit;

void check(double value, const std::string& what) {
  if (!(value > 0) || !std::isfinite(value))
    core::usage_error(fmt::format("{} must be above 0, got {}", what, value));
}

/// "2.5e-14"; "1e-14" for what rounds to it.
std::string readable_rate(double rate) {
  const double exponent = std::floor(std::log10(rate) + 1e-9);
  const double digits = std::round(rate / std::pow(10, exponent) * 10) / 10;
  return digits >= 10 ? fmt::format("1e{:.0f}", exponent + 1) : fmt::format("{:g}e{:.0f}", digits, exponent);
}

std::string readable_time(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds >= 99.5 * minute) return fmt::format("{:.1f} h", seconds / hour);
  if (seconds >= 99.5) return fmt::format("{:.3g} min", seconds / minute);
  return fmt::format("{:.3g} s", seconds);
}

std::string readable_errors(std::int64_t errors) {
  if (errors == 0) return "";
  return errors == 1 ? ", 1 error" : fmt::format(", {} errors", errors);
}

}  // namespace

double error_rate_bound(double bits, std::int64_t errors, double confidence) {
  check(bits, "the number of bits moved");
  return std::min(1.0, poisson_upper_limit(errors, confidence) / bits);
}

double bits_to_prove(double bound, std::int64_t errors, double confidence) {
  if (!(bound > 0 && bound < 1))
    core::usage_error(
        fmt::format("a bit error rate to prove lies between 0 and 1, e.g. 1e-14; got {}", bound));
  return poisson_upper_limit(errors, confidence) / bound;
}

double seconds_to_prove(double bound, double gbit_per_s, std::int64_t errors, double confidence) {
  check(gbit_per_s, "the rate");
  return bits_to_prove(bound, errors, confidence) / (gbit_per_s * 1e9);
}

std::string describe(const ErrorDose& dose, double confidence) {
  check(dose.seconds, "the time");
  return fmt::format("bit error rate below {}, {:g} %, after {} at {:.3g} Gb/s{}",
                     readable_rate(error_rate_bound(dose.bits, dose.errors, confidence)), confidence * 100,
                     readable_time(dose.seconds), dose.bits / dose.seconds * 1e-9,
                     readable_errors(dose.errors));
}

std::string describe_progress(const ErrorDose& dose, double bound, double confidence) {
  check(dose.seconds, "the time");
  const double now = error_rate_bound(dose.bits, dose.errors, confidence);
  const double missing = bits_to_prove(bound, dose.errors, confidence) - dose.bits;
  const std::string proven =
      fmt::format("proven below {}{}", readable_rate(now), readable_errors(dose.errors));
  if (missing <= 0) return proven;
  return fmt::format("{}; below {} after {} more", proven, readable_rate(bound),
                     readable_time(missing * dose.seconds / dose.bits));
}

}  // namespace assay::link
