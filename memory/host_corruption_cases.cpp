// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "harness/core/units.hpp"
#include "harness/host/pinned_threads.hpp"
#include "memory/cases.hpp"
#include "memory/host_corruption.hpp"
#include "memory/host_placement.hpp"
#include "memory/self_test_plan.hpp"

namespace assay::memory {
namespace {

using core::Value;

core::Case probe_case(const machine::Machine& machine) {
  const core::Axis bytes{.name = "bytes",
                         .meaning = "footprint: sources and copies of all threads",
                         .domain = core::Domain::sizes,
                         .values = {256 * core::mib}};
  return {.name = "memory.host.corruption",
          .measures = "silent corruption: patterns written, copied and compared word by word in host memory",
          .headline = core::Headline::time_us,
          .axes = {bytes, threads_axis(machine), numa_axis(machine), cpu_node_axis(),
                   pages_axis({Value("transparent")})},
          .work = HostCorruption::work,
          .unsupported = [machine](const core::Point& point) -> std::optional<std::string> {
            if (auto reason = cannot_place(machine, point)) return reason;
            if (words_of_thread(point) > 0) return std::nullopt;
            return fmt::format("bytes={}: {} threads need at least {} bytes", point.integer("bytes"),
                               point.integer("threads"), 128 * point.integer("threads"));
          },
          .prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
            return std::make_unique<host::HostTrial<HostCorruption>>(point, cpus_of(point),
                                                                     static_cast<int>(point.integer("numa")));
          }};
}

core::Case self_test_case() {
  return {.name = "memory.host.corruption_self_test",
          .measures = "silent corruption: whether the comparison finds bits flipped in a copy",
          .headline = core::Headline::time_us,
          .axes = self_test_axes(2048),
          .work = HostSelfTest::work,
          .unsupported = [](const core::Point&) -> std::optional<std::string> { return std::nullopt; },
          .prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
            return std::make_unique<host::HostTrial<HostSelfTest>>(point, host::choose_cpus(1, -1), -1);
          }};
}

}  // namespace

std::vector<core::Case> host_corruption_cases(const machine::Machine& machine) {
  return {probe_case(machine), self_test_case()};
}

}  // namespace assay::memory
