// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_timeline.hpp"

#include <cmath>

namespace assay::results::test {
namespace {

TimelineEntry at(double at_s, const std::string& kind, const std::string& unit, Scalar value,
                 Fields more = {}) {
  return {"2026-01-02T03:04:05.000Z", at_s, kind, unit, std::move(value), std::move(more)};
}

Fields of_check(const std::string& when) { return {{"when", when}}; }

}  // namespace

Timeline fixed_timeline() {
  Timeline timeline;
  auto& entries = timeline.entries;
  entries = {at(0, "session", "burn-in-1", "began"),
             at(1, "round", "round 1 turn", "began"),
             at(2, "check", "", "PASS", of_check("before round 1 turn")),
             at(3, "module", "gemm", "began"),
             at(1200, "module", "gemm", "ended"),
             at(1201, "module", "rdma", "began"),
             at(2000, "finding", "mlx5_0/1", "failed",
                {{"check", "rdma.counters"},
                 {"evidence", "link_downed 4 to 6 <once>"},
                 {"round", std::int64_t{1}},
                 {"round_kind", "turn"},
                 {"when", "before rdma.verbs.bandwidth"}}),
             at(2001, "check", "", "FAIL", of_check("before rdma.verbs.bandwidth")),
             at(2400, "module", "rdma", entry_word::no_answer, {{"why", "killed after 60 s"}}),
             at(2401, "round", "round 1 turn", "ended"),
             at(2402, "round", "round 2 together", "began"),
             at(2403, "module", "gemm", "began"),
             at(2500, "power_w", "GPU 1", entry_word::unknown, {{"why", "NVML has no such reading"}})};
  for (int reading = 0; reading < 720; ++reading)
    for (int gpu = 0; gpu < 2; ++gpu)
      entries.push_back(at(5 * reading, "temperature_c", gpu == 0 ? "GPU 0" : "GPU 1",
                           reading == 333 && gpu == 1 ? 91.0 : 60 + gpu + 8 * std::sin(reading / 40.0)));
  for (int reading = 0; reading < 360; ++reading)
    entries.push_back(at(10 * reading, "power_w", "GPU 0", 640 + 20 * std::sin(reading / 15.0)));
  timeline.damaged = {7};
  return timeline;
}

}  // namespace assay::results::test
