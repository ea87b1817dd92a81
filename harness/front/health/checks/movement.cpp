// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/checks/movement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace assay::health {
namespace {

/// Nanoseconds of 30 years, and more events than any device counts.
constexpr std::uint64_t most_believable = 1'000'000'000'000'000'000;

}  // namespace

bool is_believable(std::uint64_t count) {
  constexpr auto ones_of_32 = std::numeric_limits<std::uint32_t>::max();
  return count != ones_of_32 && count <= most_believable;
}

Movement movement_of(const Scene& scene, const Counter& now) {
  if (!now.value) return {{}, now.name + " cannot be read"};
  if (!is_believable(*now.value))
    return {{}, fmt::format("{} is {}: it is full, or was not read", now.name, *now.value)};
  const auto before = std::find_if(
      scene.before.counters.begin(), scene.before.counters.end(),
      [&](const Counter& counter) { return counter.unit == now.unit && counter.name == now.name; });
  if (before == scene.before.counters.end() || !before->value)
    return {{}, now.name + " could not be read when the window began"};
  if (*now.value < *before->value)
    return {{},
            fmt::format("{} went back from {} to {}: it was reset", now.name, *before->value, *now.value)};
  return {*now.value - *before->value, ""};
}

double window_s(const Scene& scene) {
  return std::max(0.0, scene.now.monotonic_s - scene.before.monotonic_s);
}

}  // namespace assay::health
