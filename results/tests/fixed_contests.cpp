// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_contests.hpp"

#include <string>

#include "results/tests/run_builder.hpp"

namespace assay::results::test {
namespace {

constexpr double multiprocessors = 132;

void add(RunBuilder& builder, const std::string& victim, const std::string& aggressor, std::int64_t blocks,
         double slowdown) {
  auto record = builder.point("offload.cuda.interference", {{"gpu", std::int64_t{0}},
                                                            {"victim", victim},
                                                            {"aggressor", aggressor},
                                                            {"blocks", blocks},
                                                            {"m", std::int64_t{8192}}});
  const double spinning = multiprocessors / (multiprocessors - static_cast<double>(blocks));
  record.metrics = {{"slowdown", "", slowdown, slowdown - 0.01, slowdown + 0.01},
                    {"slowdown_of_spinning", "", spinning, spinning - 0.01, spinning + 0.01}};
  if (victim == "gemm" && blocks > 0)
    record.metrics.push_back({"predicted_tail_wave_slowdown", "", blocks < 8 ? 1.0 : 1.25, {}, {}});
  builder.measured(std::move(record), 1e-3, {"time_us", "us", [](double s) { return 1e6 * s; }});
}

}  // namespace

std::vector<Record> fixed_contests() {
  RunBuilder builder("20260102T030405Z-contests");
  builder.begin(0, "offload");
  for (const char* victim : {"gemm", "stream"}) {
    add(builder, victim, "spin", 0, 1);
    double factor = 1;
    for (const char* aggressor : {"spin", "stream", "sm_copy_h2d", "sm_copy_d2h"}) {
      for (const std::int64_t blocks : {1, 2, 4, 8, 16, 32})
        add(builder, victim, aggressor, blocks, 1 + factor * static_cast<double>(blocks) / 128);
      ++factor;
    }
    for (const char* aggressor : {"gemm", "copy_h2d", "copy_d2h", "nccl"})
      add(builder, victim, aggressor, 1, 1.5);
  }
  builder.not_measured(
      builder.point("offload.cuda.interference", {{"victim", "gemm"}, {"aggressor", "nccl"}}),
      Status::unsupported, "blocks=32: nccl is no number of thread blocks (0: nobody, 1: it runs)");
  builder.end();
  return builder.take();
}

}  // namespace assay::results::test
