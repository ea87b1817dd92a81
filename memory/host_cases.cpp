// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "harness/core/units.hpp"
#include "harness/host/host_site.hpp"
#include "memory/cases.hpp"
#include "memory/host_placement.hpp"
#include "memory/pointer_chase.hpp"
#include "memory/stream.hpp"

namespace assay::memory {
namespace {

using core::Value;

std::int64_t round_up(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

/// STREAM's rule: every array at least 4 times the last-level caches together; three arrays in the largest
/// kernel.
std::int64_t beyond_caches_bytes(const machine::Machine& machine) {
  return std::max(256 * core::mib, round_up(3 * 4 * all_last_level_caches_bytes(machine), core::mib));
}

core::Axis stream_bytes_axis(const machine::Machine& machine) {
  const std::int64_t large = beyond_caches_bytes(machine);
  return {
      .name = "bytes",
      .meaning =
          "footprint: all arrays of all threads together; memory: every array 4 times the last-level caches",
      .domain = core::Domain::sizes,
      .values = {large},
      .aliases = {{"memory", large}}};
}

/// 4 KiB, then 4 times as much each, until 4 times the last-level caches are passed.
core::Axis ladder_bytes_axis(const machine::Machine& machine) {
  const std::int64_t top = std::max(256 * core::mib, 4 * all_last_level_caches_bytes(machine));
  core::Axis axis{.name = "bytes",
                  .meaning = "footprint of the cycle; memory: at least 4 times the last-level caches",
                  .domain = core::Domain::sizes,
                  .values = {}};
  std::int64_t bytes = 4 * core::kib;
  for (; bytes < top; bytes *= 4) axis.values.emplace_back(bytes);
  axis.values.emplace_back(bytes);
  axis.aliases = {{"memory", bytes}};
  return axis;
}

core::Axis store_axis() {
  return {.name = "store",
          .meaning = "temporal: through the caches, fetching each line first; nontemporal: past them",
          .domain = core::Domain::words,
          .values = {Value("temporal"), Value("nontemporal")},
          .choices = {"temporal", "nontemporal"}};
}

core::Axis dtype_axis() {
  return {.name = "dtype",
          .meaning = "element type",
          .domain = core::Domain::words,
          .values = {Value("fp64")},
          .choices = {"fp64"}};
}

std::optional<std::string> too_small(const Kernel& kernel, const core::Point& point) {
  if (point.integer("threads") < 1 ||
      StreamLayout(kernel, point.integer("bytes"), point.integer("threads")).slice > 0)
    return std::nullopt;
  return fmt::format(
      "bytes={}: {} arrays on {} threads need at least {} bytes", point.integer("bytes"), kernel.arrays(),
      point.integer("threads"),
      block * sizeof(double) * static_cast<std::size_t>(kernel.arrays() * point.integer("threads")));
}

template <class Benchmark>
std::unique_ptr<core::Trial> prepare(const core::Point& point) {
  return std::make_unique<host::HostTrial<Benchmark>>(point, cpus_of(point),
                                                      static_cast<int>(point.integer("numa")));
}

template <Formula formula>
core::Case stream_case(const machine::Machine& machine) {
  static constexpr const Kernel& kernel = StreamOf<formula>::kernel;
  std::vector<core::Axis> axes = {stream_bytes_axis(machine), threads_axis(machine), numa_axis(machine),
                                  cpu_node_axis()};
  if (kernel.writes > 0) axes.push_back(store_axis());
  axes.push_back(pages_axis({Value("transparent")}));
  axes.push_back(dtype_axis());
  return {.name = fmt::format("memory.host.{}", kernel.name),
          .measures = fmt::format("host memory: {} ({})", kernel.measures, kernel.text),
          .headline = core::Headline::bandwidth_gb_per_s,
          .axes = std::move(axes),
          .work = StreamOf<formula>::work,
          .derived = [machine](const core::Point& point) -> std::vector<core::Fact> {
            const StreamLayout layout(kernel, point.integer("bytes"), point.integer("threads"));
            return {{"cache_state", cache_state(machine, static_cast<std::int64_t>(layout.footprint()))}};
          },
          .unsupported =
              [machine](const core::Point& point) {
                const auto reason = cannot_place(machine, point);
                return reason ? reason : too_small(kernel, point);
              },
          .prepare = prepare<StreamOf<formula>>};
}

core::Case latency_case(const machine::Machine& machine) {
  return {.name = "memory.host.latency",
          .measures =
              "host memory: latency of a load that depends on the one before, over a random cycle of lines",
          .headline = core::Headline::latency_ns,
          .axes = {ladder_bytes_axis(machine), numa_axis(machine), cpu_node_axis(),
                   pages_axis({Value("base"), Value("transparent")})},
          .work = PointerChase::work,
          .derived = [machine](const core::Point& point) -> std::vector<core::Fact> {
            return {{"cache_state", cache_state(machine, point.integer("bytes"))}};
          },
          .unsupported = [machine](const core::Point& point) { return cannot_place(machine, point); },
          .prepare = prepare<PointerChase>};
}

}  // namespace

std::vector<core::Case> host_cases(const machine::Machine& machine) {
  return {stream_case<Formula::read>(machine),
          stream_case<Formula::write>(machine),
          stream_case<Formula::copy>(machine),
          stream_case<Formula::scale>(machine),
          stream_case<Formula::add>(machine),
          stream_case<Formula::triad>(machine),
          latency_case(machine)};
}

}  // namespace assay::memory
