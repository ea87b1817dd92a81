// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device/device_contest_settings.hpp"

#include <fmt/core.h>

#include "harness/core/error.hpp"
#include "harness/core/measure/within.hpp"
#include "harness/core/units.hpp"
#include "offload/interference/device/tile.hpp"

namespace assay::offload {
namespace {

/// Limit of a product's sides: its result is kept on the host too, to be compared.
constexpr std::int64_t longest_side = 32768;

workload::Problem product_of(const core::Point& point) {
  const auto size = [&](const char* name) {
    const std::int64_t given = within(point, name, 0, longest_side);
    return given == 0 ? within(point, "m", 1, longest_side) : given;
  };
  return {.m = size("m"), .n = size("n"), .k = size("k"), .dtype = workload::Dtype::bf16};
}

std::int64_t load_bytes(const core::Point& point) {
  const std::int64_t bytes = within(point, "bytes", core::mib, std::int64_t{1} << 50);
  if (bytes % tile_bytes != 0)
    core::usage_error(fmt::format("bytes={}: expected a multiple of {}", bytes, tile_bytes));
  return bytes;
}

}  // namespace

std::optional<std::string> cannot_meet(const DeviceContestSettings& settings) {
  if (settings.victim == DeviceLoadKind::nccl && settings.aggressor == DeviceLoadKind::nccl &&
      settings.blocks > 0)
    return "two collectives at once of the same GPUs may wait for each other for ever";
  if (settings.victim == settings.aggressor && is_by_engine(settings.victim) && settings.blocks > 0)
    return "one engine copies in one direction and serves a stream until its queue is empty: a load that "
           "never "
           "ends would keep the victim waiting";
  if (settings.cap_gb_per_s != unlimited && !is_by_engine(settings.aggressor))
    return fmt::format("cap_gb_per_s={}: only a copy by engine can be held back, not {}",
                       settings.cap_gb_per_s, to_string(settings.aggressor));
  return std::nullopt;
}

DeviceContestSettings device_contest_settings(const core::Point& point) {
  return {.victim = device_load_from("victim", point.text("victim")),
          .aggressor = device_load_from("aggressor", point.text("aggressor")),
          .blocks = static_cast<int>(within(point, "blocks", 0, most_resident_blocks)),
          .cap_gb_per_s = parse_cap(point.text("cap_gb_per_s")),
          .round_s = 1e-3 * static_cast<double>(within(point, "round_ms", 1, 5000)),
          .loads = {.product = product_of(point),
                    .bytes = load_bytes(point),
                    .node = static_cast<int>(within(point, "numa", -1, 1 << 20)),
                    .victim_blocks = static_cast<int>(within(point, "victim_blocks", 1, 4096))}};
}

}  // namespace assay::offload
