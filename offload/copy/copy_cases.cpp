// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copy_cases.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "offload/copy/copy_trial.hpp"

namespace assay::offload {
namespace {

using core::Domain;
using core::gib;
using core::kib;
using core::mib;
using core::Value;

// Every block of the kernel moves 16 bytes a thread; 128 are nearly an H100's 132 SMs and divide what is
// copied.
constexpr std::int64_t default_blocks = 128, most_blocks = 4096;

core::Axis words(const char* name, const char* meaning, std::vector<Value> values,
                 std::vector<std::string> choices) {
  return {.name = name,
          .meaning = meaning,
          .domain = Domain::words,
          .values = std::move(values),
          .choices = std::move(choices)};
}

std::vector<Value> nodes_of(const machine::Machine& machine) {
  std::vector<Value> nodes;
  for (const machine::NumaNode& node : machine.numa)
    if (node.bytes > 0 && !node.cpus.empty()) nodes.emplace_back(std::int64_t{node.id});
  if (nodes.empty()) nodes.emplace_back(std::int64_t{-1});
  return nodes;
}

std::vector<core::Axis> axes_on(const machine::Machine& machine) {
  return {cuda::gpu_axis(),
          {"numa", "NUMA node of the host's memory; -1: any", Domain::integers, nodes_of(machine)},
          {"bytes", "copied each way", Domain::sizes, {4 * kib, 64 * kib, mib, 16 * mib, 256 * mib}},
          words("direction", "which way, or both at once", {"h2d", "d2h", "both"}, {"h2d", "d2h", "both"}),
          words("by", "copy engine, or a kernel that addresses the host's memory", {"engine", "sm"},
                {"engine", "sm"}),
          words("memory", "how the host's memory is allocated", {"pinned"}, all_memory_kinds()),
          {"blocks", "thread blocks of the kernel", Domain::integers, {default_blocks}}};
}

Direction direction_of(const core::Point& point) {
  const std::string& text = point.text("direction");
  return text == "h2d"   ? Direction::host_to_device
         : text == "d2h" ? Direction::device_to_host
                         : Direction::both;
}

CopyWay way_of(const core::Point& point) {
  const std::int64_t bytes = point.integer("bytes"), blocks = point.integer("blocks");
  if (bytes < 16 || bytes % 16 != 0)
    core::usage_error(fmt::format("bytes={}: expected a multiple of 16", bytes));
  if (blocks < 1 || blocks > most_blocks)
    core::usage_error(fmt::format("blocks={}: expected 1 to {}", blocks, most_blocks));
  return {.direction = direction_of(point),
          .by = point.text("by") == "sm" ? CopyBy::sm : CopyBy::engine,
          .memory = memory_kind_from(point.text("memory")),
          .bytes = bytes,
          .node = static_cast<int>(point.integer("numa")),
          .blocks = static_cast<int>(blocks)};
}

core::Work work_of(const core::Point& point) {
  const CopyWay way = way_of(point);
  const double ways = way.direction == Direction::both ? 2 : 1;
  return {.bytes = ways * static_cast<double>(way.bytes),
          .bytes_counted = ways == 2 ? "copied, both ways together" : "copied"};
}

std::optional<std::string> why_not(const core::Point& point) {
  const CopyWay way = way_of(point);
  if (way.memory == MemoryKind::pageable && way.by == CopyBy::sm)
    return "memory=pageable: no kernel addresses it (expected memory that is page-locked, or by=engine)";
  if (way.memory == MemoryKind::pageable && way.direction == Direction::both)
    return "memory=pageable: the driver copies it in the calling thread, one way after the other";
  return cuda::device_unavailable(point);
}

}  // namespace

std::vector<core::Case> copy_cases(const machine::Machine& machine) {
  return {{.name = "offload.cuda.copy",
           .measures = "copies between host and GPU: which way, by what, from which memory of which node",
           .headline = core::Headline::bandwidth_gb_per_s,
           .axes = axes_on(machine),
           .work = work_of,
           .unsupported = why_not,
           .prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
             return std::make_unique<CopyTrial>(way_of(point), cuda::gpu_of(point));
           }}};
}

}  // namespace assay::offload
