// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copy_point.hpp"

#include <fmt/core.h>

#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Domain;
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

std::int64_t bytes_of(const core::Point& point) {
  const std::int64_t bytes = within(point, "bytes", 16, std::int64_t{1} << 50);
  if (bytes % 16 != 0) core::usage_error(fmt::format("bytes={}: expected a multiple of 16", bytes));
  return bytes;
}

int blocks_of(const core::Point& point) { return static_cast<int>(within(point, "blocks", 1, most_blocks)); }

CopyBy by_of(const core::Point& point) { return point.text("by") == "sm" ? CopyBy::sm : CopyBy::engine; }

CopyDirection direction_of(const core::Point& point) {
  const std::string& text = point.text("direction");
  return text == "h2d"   ? CopyDirection::host_to_device
         : text == "d2h" ? CopyDirection::device_to_host
                         : CopyDirection::both;
}

}  // namespace

core::Axis bytes_axis(const char* meaning) {
  return {"bytes", meaning, Domain::sizes, {4 * kib, 64 * kib, mib, 16 * mib, 256 * mib}};
}

core::Axis direction_axis() {
  return words("direction", "which way, or both at once", {"h2d", "d2h", "both"}, {"h2d", "d2h", "both"});
}

core::Axis by_axis(const char* meaning) { return words("by", meaning, {"engine", "sm"}, {"engine", "sm"}); }

core::Axis memory_axis(std::vector<std::string> kinds) {
  return words("memory", "how the host's memory is allocated", {"pinned"}, std::move(kinds));
}

core::Axis blocks_axis() {
  return {"blocks", "thread blocks of the kernel", Domain::integers, {default_blocks}};
}

core::Axis ways_axis() {
  return words("ways", "from source to target, or both ways at once", {"one", "both"}, {"one", "both"});
}

core::Work copy_work(std::int64_t bytes, int ways) {
  return {.bytes = static_cast<double>(ways * bytes),
          .bytes_counted = ways == 2 ? "copied, both ways together" : "copied"};
}

CopyWay copy_way(const core::Point& point) {
  return {.direction = direction_of(point),
          .by = by_of(point),
          .memory = memory_kind_from(point.text("memory")),
          .bytes = bytes_of(point),
          .node = point.has("numa") ? static_cast<int>(point.integer("numa")) : -1,
          .blocks = blocks_of(point)};
}

PeerWay peer_way(const core::Point& point) {
  constexpr std::int64_t most_gpus = 1 << 10;
  return {.from = static_cast<int>(within(point, "from", 0, most_gpus)),
          .to = static_cast<int>(within(point, "to", 0, most_gpus)),
          .by = by_of(point),
          .on = point.text("on") == "target" ? CopyOn::target : CopyOn::source,
          .bytes = bytes_of(point),
          .blocks = blocks_of(point),
          .both = point.text("ways") == "both"};
}

std::optional<std::string> no_space(const CopyWay& way, std::int64_t copies, std::int64_t free_device_bytes,
                                    std::int64_t available_host_bytes) {
  const std::int64_t bytes = way.ways() * way.bytes;
  if (auto why = does_not_fit("the device memory of a copy", bytes, free_device_bytes)) return why;
  // Besides the copies' buffers: what is copied is generated and compared in ordinary memory, one at a time.
  return does_not_fit("the host memory of a copy", copies * bytes + way.bytes, available_host_bytes);
}

std::optional<std::string> no_space(const PeerWay& way, std::int64_t free_from_bytes,
                                    std::int64_t free_to_bytes) {
  const std::int64_t bytes = way.ways() * way.bytes;
  if (auto why = does_not_fit(fmt::format("a copy on GPU {}", way.from), bytes, free_from_bytes)) return why;
  return does_not_fit(fmt::format("a copy on GPU {}", way.to), bytes, free_to_bytes);
}

}  // namespace assay::offload
