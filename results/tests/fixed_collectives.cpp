// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_collectives.hpp"

#include <cmath>

#include "results/tests/byte_sizes.hpp"

namespace assay::results::test {
namespace {

struct Contender {
  std::string name;
  double latency_us, gb_per_s;
  double wire_share;  // bytes that all ranks send over bytes of the point; 0: not told
};

void add(RunBuilder& builder, const std::string& operation, std::int64_t ranks, std::int64_t bytes,
         const Contender& contender) {
  const bool library = contender.name == "mpi";
  Fields axes{{"bytes", bytes}, {"dtype", "fp32"}};
  if (!library) axes.insert(axes.begin(), {"algorithm", contender.name});
  PointRecord record =
      builder.point((library ? "collectives.mpi." : "collectives.assay.") + operation, std::move(axes));
  record.conditions = {{"ranks", ranks}, {"wire_counters", "lo"}};
  const auto size = static_cast<double>(bytes);
  const double seconds = contender.latency_us * 1e-6 + size / contender.gb_per_s * 1e-9;
  record.metrics = {{"algbw_gb_per_s", "GB/s", size / seconds * 1e-9, {}, {}},
                    {"arrival_skew_us", "us", 1.5, {}, {}}};
  const double sent = contender.wire_share * size;
  if (sent > 0)
    record.metrics.insert(record.metrics.end(), {{"wire_bytes_inside_nodes", "B", sent, {}, {}},
                                                 {"wire_bytes_across_nodes", "B", 0, {}, {}}});
  record.metrics.push_back({"wire_seen_loopback_bytes", "B", sent + 4 * kib, {}, {}});
  builder.measured(std::move(record), seconds, {"time_us", "us", [](double s) { return s * 1e6; }});
}

}  // namespace

void add_collectives(RunBuilder& builder) {
  const std::vector<Contender> all_reduce{
      {"ring", 60, 1.2, 6}, {"recursive_doubling", 20, 0.6, 8}, {"mpi", 30, 1.0, 0}};
  const std::vector<Contender> all_gather{{"ring", 70, 1.2, 7}, {"bruck", 30, 1.2, 7}};
  for (const std::int64_t bytes : {8 * kib, 64 * kib, 512 * kib, 4096 * kib})
    for (const Contender& contender : all_reduce) add(builder, "all_reduce", 4, bytes, contender);
  for (const std::int64_t bytes : {8 * kib, 64 * kib, 65536 * kib})
    for (const Contender& contender : all_gather) add(builder, "all_gather", 8, bytes, contender);
}

}  // namespace assay::results::test
