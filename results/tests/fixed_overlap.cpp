// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_overlap.hpp"

#include "results/tests/run_builder.hpp"

namespace assay::results::test {
namespace {

void add_step(RunBuilder& builder, std::int64_t resident, const std::string& cap, double ms,
              double predicted_ms) {
  auto record = builder.point("offload.host.pipeline",
                              {{"model", "llama3-8b"}, {"resident", resident}, {"cap_gb_per_s", cap}});
  record.metrics = {{"compute_only_us", "us", 80e3, {}, {}},
                    {"predicted_us", "us", 1e3 * predicted_ms, {}, {}}};
  builder.measured(std::move(record), 1e-3 * ms, {"time_us", "us", [](double s) { return 1e6 * s; }});
}

void add_pair(RunBuilder& builder, const std::string& victim, const std::string& aggressor, double slowdown) {
  auto record = builder.point("offload.host.interference",
                              {{"victim", victim}, {"aggressor", aggressor}, {"threads", std::int64_t{1}}});
  record.metrics = {{"slowdown", "", slowdown, slowdown - 0.01, slowdown + 0.01},
                    {"slowdown_of_spinning", "", 1.01, {}, {}}};
  builder.measured(std::move(record), 1e-3, {"time_us", "us", [](double s) { return 1e6 * s; }});
}

}  // namespace

std::vector<Record> fixed_overlap() {
  RunBuilder builder("20260102T030405Z-overlap");
  builder.begin(0, "offload");
  for (const std::int64_t resident : {2, 3}) {
    add_step(builder, resident, "1", 220, 221);
    add_step(builder, resident, "10", 90, 91);
    add_step(builder, resident, "unlimited", 85, 86);
  }
  for (const char* victim : {"gemm", "stream"})
    for (const char* aggressor : {"copy", "spin"})
      add_pair(builder, victim, aggressor, std::string(aggressor) == "copy" ? 1.5 : 1.01);
  builder.not_measured(builder.point("offload.host.pipeline", {{"model", "llama3-405b"}}),
                       Status::unsupported, "the far memory of all blocks needs 9 bytes and 1 are available");
  builder.end();
  return builder.take();
}

}  // namespace assay::results::test
