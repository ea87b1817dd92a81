// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The host back end for real, on small sizes: every type this build and CPU have must be right.
#include "gemm/host/host_gemm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gemm/host/peak_loops.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/host/pinned_threads.hpp"

namespace assay::gemm {
namespace {

using Result = core::Verification::Result;

const machine::Machine& gemm_machine() {
  static const machine::Machine machine = machine::look();
  return machine;
}

int all_threads() { return std::max(1, std::min(4, gemm_machine().cpu.threads)); }

Request small(Dtype dtype, Pass pass, Data data, CacheState cache = CacheState::hot) {
  return {
      .problem = {.m = 96, .n = 160, .k = 224, .dtype = dtype, .pass = pass}, .data = data, .cache = cache};
}

TEST(OpenMpSite, BindsEveryThreadAndGivesTheBindingBack) {
  const std::vector<int> cpus = host::choose_cpus(all_threads(), -1);
  {
    const host::OpenMpSite site(cpus);
    EXPECT_EQ(site.where(), cpus);
    EXPECT_EQ(site.where(), cpus) << "the team stays where it was bound";
  }
  EXPECT_EQ(host::choose_cpus(all_threads(), -1), cpus) << "the calling thread may use all its CPUs again";
}

TEST(OpenMpSite, RefusedCpuIsNamed) {
  try {
    const host::OpenMpSite site({100000});
    FAIL() << "CPU 100000 was bound";
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "an OpenMP thread cannot be bound to CPU 100000");
  }
}

TEST(HostGemm, IsRightInEveryTypeLayoutAndPattern) {
  int ran = 0;
  for (const std::string& dtype : all_dtypes())
    for (const std::string& pass : all_passes())
      for (const std::string& data : all_data()) {
        const Request request = small(dtype_from(dtype), pass_from(pass), data_from(data));
        if (host_unsupported(gemm_machine(), request)) continue;
        core::BenchmarkTrial<HostGemm> trial(HostGemm::settings(request, all_threads(), gemm_machine()));
        trial.run(1);
        const auto verdict = trial.verify();
        EXPECT_EQ(verdict.result, Result::right)
            << dtype << ' ' << pass << ' ' << data << ": " << verdict.why;
        ++ran;
      }
  if (ran == 0) GTEST_SKIP() << "this build has neither oneDNN nor a BLAS";
  EXPECT_GE(ran, 15);
}

TEST(HostGemm, BatchIsRightInEveryTypeAndLayout) {
  int ran = 0;
  for (const std::string& dtype : all_dtypes())
    for (const std::string& pass : all_passes()) {
      Request request = small(dtype_from(dtype), pass_from(pass), Data::integer, CacheState::hot);
      request.problem.batch = 5;
      if (host_unsupported(gemm_machine(), request)) continue;
      core::BenchmarkTrial<HostGemm> trial(HostGemm::settings(request, all_threads(), gemm_machine()));
      trial.run(2);
      EXPECT_EQ(trial.verify().result, Result::right) << dtype << ' ' << pass << ": " << trial.verify().why;
      ++ran;
    }
  if (ran == 0) GTEST_SKIP() << "this build has neither oneDNN nor a BLAS";
}

TEST(HostGemm, OutputThatWasNeverWrittenIsWrong) {
  for (const Data data : {Data::integer, Data::normal, Data::zeros}) {
    const Request request = small(Dtype::fp32, Pass::forward, data);
    if (const auto reason = host_unsupported(gemm_machine(), request)) GTEST_SKIP() << *reason;
    core::BenchmarkTrial<HostGemm> trial(HostGemm::settings(request, 1, gemm_machine()));
    EXPECT_EQ(trial.verify().result, Result::wrong) << to_string(data);
  }
}

TEST(HostGemm, DigestIsTheSameInEveryRunOfOneLibrary) {
  const Request request = small(Dtype::fp32, Pass::forward, Data::normal, CacheState::cold);
  if (const auto reason = host_unsupported(gemm_machine(), request)) GTEST_SKIP() << *reason;
  const auto digest = [&](std::int64_t iterations) {
    core::BenchmarkTrial<HostGemm> trial(HostGemm::settings(request, 1, gemm_machine()));
    trial.run(iterations);
    return trial.verify().digest;
  };
  EXPECT_EQ(digest(1), digest(3));
}

TEST(HostGemm, ColdSetsExceedThreeTimesTheCache) {
  const Problem problem{.m = 512, .n = 512, .k = 512, .dtype = Dtype::fp32};
  EXPECT_EQ(operand_sets(problem, CacheState::hot, 32 << 20), 1);
  EXPECT_EQ(operand_sets(problem, CacheState::cold, 32 << 20), 32);  // 3 MiB a set, 96 MiB to pass
  EXPECT_EQ(operand_sets(problem, CacheState::cold, 0), 1);
}

TEST(HostGemm, WhatItCannotDoIsSaid) {
  Request request = small(Dtype::fp8_e4m3, Pass::forward, Data::normal);
  EXPECT_NE(host_unsupported(gemm_machine(), request).value().find("fp8_e4m3"), std::string::npos);
  request = small(Dtype::fp32, Pass::forward, Data::normal);
  request.algorithm = AlgorithmChoice::best;
  EXPECT_EQ(host_unsupported(gemm_machine(), request).value(),
            "host libraries offer one algorithm a problem: there are no candidates to choose from");
  request.algorithm = AlgorithmChoice::library;
  request.problem.m = std::int64_t{1} << 30;
  request.problem.n = std::int64_t{1} << 12;
  EXPECT_TRUE(host_unsupported(gemm_machine(), request).has_value());
}

TEST(HostGemm, MeasuresThroughTheOneLoopWithEfficiencyBelowOne) {
  Request request = small(Dtype::fp32, Pass::forward, Data::normal);
  request.problem.m = request.problem.n = request.problem.k = 384;
  if (const auto reason = host_unsupported(gemm_machine(), request)) GTEST_SKIP() << *reason;
  core::BenchmarkTrial<HostGemm> trial(HostGemm::settings(request, all_threads(), gemm_machine()));
  core::SteadyClock clock;
  const std::atomic<bool> interrupted = false;
  const auto measurement =
      core::measure(trial, {.max_seconds = 0.2, .max_warmup_seconds = 0.1}, clock, interrupted);
  EXPECT_EQ(measurement.verification.result, Result::right) << measurement.verification.why;
  for (const core::Metric& metric : trial.metrics(measurement)) {
    if (metric.name != "efficiency") continue;
    EXPECT_GT(metric.value, 0.01);
    EXPECT_LT(metric.value, 1.2);  // the peak is measured too: on a busy machine either may be disturbed
    EXPECT_LE(metric.lower.value(), metric.value);
  }
}

TEST(PeakLoops, OfTilesCountEveryRowWithEveryColumn) {
  constexpr double accumulators = 4, rows = 16, columns = 16;
  EXPECT_EQ(amx_bf16_loop().flops_per_round, accumulators * rows * columns * 32 * 2);
  EXPECT_EQ(amx_int8_loop().flops_per_round, accumulators * rows * columns * 64 * 2);
}

TEST(PeakLoops, OfTilesBeatTheVectorsOfTheSameProcessor) {
  const host::OpenMpSite site(host::choose_cpus(1, -1));
  machine::Cpu cpu = gemm_machine().cpu;
  if (!cpu.has("amx_bf16") || !amx_bf16_loop().allowed()) GTEST_SKIP() << "this processor has no tiles";
  std::string why_not;
  const auto tiles = host_peak(cpu, Dtype::bf16, site, why_not);
  std::erase(cpu.features, "amx_bf16");
  const auto vectors = host_peak(cpu, Dtype::bf16, site, why_not);
  ASSERT_TRUE(tiles && vectors) << why_not;
  EXPECT_EQ(tiles->source.rfind("measured: register-resident loop (tdpbf16ps", 0), 0u) << tiles->source;
  EXPECT_GT(tiles->tflops, vectors->tflops);
}

TEST(HostPeak, IsTheBestSeenAndNamesItsLoop) {
  const host::OpenMpSite site(host::choose_cpus(1, -1));
  std::string why_not;
  const auto first = host_peak(gemm_machine().cpu, Dtype::fp64, site, why_not);
  if (!first) GTEST_SKIP() << why_not;
  double best = first->tflops;
  for (int i = 0; i < 5; ++i) {
    const auto again = host_peak(gemm_machine().cpu, Dtype::fp64, site, why_not);
    EXPECT_GE(again->tflops, best);
    best = again->tflops;
  }
  EXPECT_EQ(first->source.rfind("measured: register-resident loop (vfmadd", 0), 0u) << first->source;
  EXPECT_FALSE(host_peak(gemm_machine().cpu, Dtype::fp8_e4m3, site, why_not).has_value());
  EXPECT_EQ(why_not, "not measured: no loop for fp8_e4m3 on this CPU");
}

}  // namespace
}  // namespace assay::gemm
