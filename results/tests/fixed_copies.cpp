// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_copies.hpp"

#include <string>

#include "results/tests/byte_sizes.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results::test {
namespace {

/// Adds a point that copies `ways` times these bytes at that rate.
void add(RunBuilder& builder, PointRecord record, std::int64_t bytes, int ways, double gb_per_s) {
  record.work_bytes = static_cast<double>(ways * bytes);
  record.bytes_counted = "copied";
  const double work = record.work_bytes;
  builder.measured(std::move(record), work / gb_per_s * 1e-9,
                   {"bandwidth_gb_per_s", "GB/s", [work](double s) { return work / s * 1e-9; }});
}

/// Half of the rate at 1 MiB.
double at(std::int64_t bytes, double gb_per_s) {
  return gb_per_s * static_cast<double>(bytes) / static_cast<double>(bytes + mib);
}

void add_copy(RunBuilder& builder, std::int64_t gpu, std::int64_t numa, const std::string& direction,
              const std::string& memory, double gb_per_s) {
  const int ways = direction == "both" ? 2 : 1;
  for (const std::int64_t bytes : {64 * kib, mib, 16 * mib, 256 * mib}) {
    auto record = builder.point("offload.cuda.copy", {{"gpu", gpu},
                                                      {"numa", numa},
                                                      {"bytes", bytes},
                                                      {"direction", direction},
                                                      {"by", "engine"},
                                                      {"memory", memory},
                                                      {"blocks", std::int64_t{128}}});
    record.conditions = {{"link_ceiling_gb_per_s", fixed_link_ceiling_gb_per_s}};
    add(builder, std::move(record), bytes, ways, at(bytes, gb_per_s));
  }
}

void add_peer(RunBuilder& builder, std::int64_t from, std::int64_t to, const std::string& ways,
              double gb_per_s) {
  const std::int64_t bytes = 256 * mib;
  auto record = builder.point(
      "offload.cuda.peer_copy",
      {{"from", from}, {"to", to}, {"bytes", bytes}, {"by", "engine"}, {"on", "source"}, {"ways", ways}});
  record.conditions = {{"path", "peer access"}};
  add(builder, std::move(record), bytes, ways == "both" ? 2 : 1, gb_per_s);
}

}  // namespace

std::vector<Record> fixed_copies() {
  RunBuilder builder("20260102T030405Z-copies");
  builder.begin(0, "offload");
  for (const std::int64_t gpu : {0, 1})
    for (const std::int64_t numa : {0, 1})
      for (const char* direction : {"h2d", "d2h", "both"}) {
        const double near = std::string(direction) == "both" ? 96 : std::string(direction) == "h2d" ? 54 : 50;
        add_copy(builder, gpu, numa, direction, "pinned", gpu == numa ? near : 0.75 * near);
      }
  add_copy(builder, 0, 0, "h2d", "pageable", 12);
  for (const char* ways : {"one", "both"}) {
    add_peer(builder, 0, 1, ways, std::string(ways) == "both" ? 700 : 370);
    add_peer(builder, 1, 0, ways, std::string(ways) == "both" ? 690 : 360);
  }
  const std::int64_t bytes = 256 * mib, two = 2;
  auto node = builder.point(
      "offload.cuda.node_copy",
      {{"gpus", two}, {"bytes", bytes}, {"direction", "h2d"}, {"by", "engine"}, {"memory", "pinned"}});
  node.metrics = {{"worst_gb_per_s", "GB/s", 44, 43, 45}, {"alone_worst_gb_per_s", "GB/s", 54, 53, 55}};
  add(builder, std::move(node), bytes, 2, 90);
  builder.not_measured(builder.point("offload.cuda.copy", {{"gpu", std::int64_t{7}}}), Status::unsupported,
                       "gpu=7: this process sees 2 devices");
  builder.end();
  return builder.take();
}

}  // namespace assay::results::test
