// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/calendar.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <random>

namespace assay::core {

using std::chrono::system_clock;

std::string iso_time(system_clock::time_point when) {
  // Rounded down, before 1970 too, where the remainder of a division would be negative.
  const auto second = std::chrono::floor<std::chrono::seconds>(when);
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(when - second).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(system_clock::to_time_t(second)),
                     milliseconds);
}

std::string iso_time_now() { return iso_time(system_clock::now()); }

std::string new_run_id(const std::string& host) {
  std::random_device entropy;
  const std::time_t now = system_clock::to_time_t(system_clock::now());
  return fmt::format("{:%Y%m%dT%H%M%SZ}-{}-{:04x}", fmt::gmtime(now), host, entropy() & 0xffffU);
}

}  // namespace assay::core
