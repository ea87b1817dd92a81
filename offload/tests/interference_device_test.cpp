// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The matrix on a GPU: every pair at a small size, verified; blocks that fill a multiprocessor each; and that
// the checks can fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/kernels.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "offload/interference/device/device_contest.hpp"
#include "offload/interference/device/device_contest_limits.hpp"
#include "offload/interference/device/resident_blocks.hpp"
#include "offload/interference/fed_aggressor.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using enum core::Verification::Result;

class InterferenceOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
  }
};

DeviceContestSettings small(DeviceLoadKind victim, DeviceLoadKind aggressor, int blocks) {
  return {.victim = victim,
          .aggressor = aggressor,
          .blocks = blocks,
          .round_s = 2e-3,
          .loads = {.product = {.m = 256, .n = 320, .k = 128}, .bytes = 6 * core::mib, .victim_blocks = 4}};
}

/// Repeats a sample until the aggressor did something: on a simulated GPU its threads may be kept from their
/// CPU for all of one.
DeviceContestTimes run_until_it_moved(DeviceContest& contest, bool moves) {
  DeviceContestTimes times = contest.run();
  for (int more = 0; more < 200 && moves && times.times.aggressor_gb_per_s + times.aggressor_tflops <= 0;
       ++more)
    times = contest.run();
  return times;
}

void expect_a_contest(DeviceContest& contest, const DeviceContestSettings& settings) {
  const bool works = settings.aggressor != DeviceLoadKind::spin && settings.blocks > 0;
  const DeviceContestTimes times = run_until_it_moved(contest, works);
  EXPECT_GT(times.times.alone_s, 0);
  EXPECT_GT(times.times.beside_spin_s, 0);
  EXPECT_GT(times.times.beside_s, 0);
  EXPECT_GT(times.alone_mhz, 0);
  EXPECT_GT(times.beside_mhz, 0);
  const bool multiplies = settings.aggressor == DeviceLoadKind::gemm;
  EXPECT_EQ(times.times.aggressor_gb_per_s > 0, works && !multiplies);
  EXPECT_EQ(times.aggressor_tflops > 0, works && multiplies);
  const core::Verification seen = contest.verify();
  EXPECT_EQ(seen.result, right) << seen.why;
}

/// Each victim with every load.
class EveryVictim : public InterferenceOnDevice, public testing::WithParamInterface<std::string> {};

TEST_P(EveryVictim, OfEveryLoadIsRight) {
  const std::string& victim = GetParam();
  for (const std::string& aggressor : all_device_loads()) {
    SCOPED_TRACE(victim + " beside " + aggressor);
    const auto kind = device_load_from("aggressor", aggressor);
    const auto settings = small(device_load_from("victim", victim), kind, is_resident(kind) ? 4 : 1);
    auto why = cannot_meet(settings);
    if (!why) why = cannot_contest(settings, contest_limits(settings, 0));
    std::printf("%s beside %s%s%s\n", victim.c_str(), aggressor.c_str(), why ? ": " : "",
                why.value_or("").c_str());
    std::fflush(stdout);
    if (why) continue;
    DeviceContest contest(settings, 0);
    expect_a_contest(contest, settings);
  }
}

INSTANTIATE_TEST_SUITE_P(InterferenceOnDevice, EveryVictim, testing::ValuesIn(all_device_victims()),
                         [](const auto& victim) { return victim.param; });

TEST_F(InterferenceOnDevice, NobodyIsAControl) {
  const auto settings = small(DeviceLoadKind::stream, DeviceLoadKind::spin, 0);
  DeviceContest contest(settings, 0);
  expect_a_contest(contest, settings);
}

TEST_F(InterferenceOnDevice, EveryBlockFillsAMultiprocessorOfItsOwn) {
  cuda::DeviceSite site(0);
  for (const DeviceLoadKind kind :
       {DeviceLoadKind::spin, DeviceLoadKind::stream, DeviceLoadKind::sm_copy_d2h}) {
    SCOPED_TRACE(to_string(kind));
    const int blocks = std::min(site.device.sm_count - 1, 32);
    ResidentBlocks resident(kind, blocks, {.product = {}, .bytes = 6 * core::mib}, site.device);
    RunningAggressor running(resident);
    resident.mark_begin(site.stream.get());
    resident.mark_end(site.stream.get());
    cuda::wait_for(site.stream.get(), "mark", std::chrono::seconds(10));
    EXPECT_NO_THROW(running.stop()) << "throws where two blocks share a multiprocessor, or one has left";
    EXPECT_EQ(resident.wrong(), std::nullopt);
  }
}

/// Thousands of small blocks and the multiprocessors that they run on. Nothing is allocated but at first.
class SmallBlocks {
 public:
  explicit SmallBlocks(const cuda::DeviceSite& site) : site_(site), stamps_(slots * sizeof(cuda::SmStamp)) {
    run();
    cuda::check(cudaDeviceSynchronize(), "run small blocks");
    cuda::check(cudaMemset(stamps_.data(), 0, stamps_.size()), "clear the stamps");
    cuda::check(cudaDeviceSynchronize(), "clear the stamps");
  }
  void run() const {
    cuda::check(cuda::launch_stamp(stamps_.as<cuda::SmStamp>(), slots, 64 * site_.device.sm_count,
                                   site_.stream.get()),
                "run small blocks");
  }
  std::set<std::uint32_t> multiprocessors() const {
    std::vector<cuda::SmStamp> seen(slots);
    cuda::check(cudaMemcpy(seen.data(), stamps_.data(), stamps_.size(), cudaMemcpyDeviceToHost),
                "read the stamps");
    std::set<std::uint32_t> all;
    for (std::uint32_t sm = 0; sm < slots; ++sm)
      if (seen[sm].nanoseconds != 0) all.insert(sm);
    return all;
  }

 private:
  static constexpr int slots = 1024;
  const cuda::DeviceSite& site_;
  cuda::DeviceBuffer stamps_;
};

TEST_F(InterferenceOnDevice, NothingSharesAMultiprocessorWithAResidentBlock) {
  cuda::DeviceSite site(0);
  for (const DeviceLoadKind kind :
       {DeviceLoadKind::spin, DeviceLoadKind::stream, DeviceLoadKind::sm_copy_d2h}) {
    SCOPED_TRACE(to_string(kind));
    const int blocks = std::min(site.device.sm_count - 1, 32);
    ResidentBlocks resident(kind, blocks, {.product = {}, .bytes = 6 * core::mib}, site.device);
    const SmallBlocks small_blocks(site);
    RunningAggressor running(resident);
    resident.mark_begin(site.stream.get());
    small_blocks.run();
    resident.mark_end(site.stream.get());
    cuda::wait_for(site.stream.get(), "run small blocks", std::chrono::seconds(10));
    running.stop();
    const std::set<std::uint32_t> others = small_blocks.multiprocessors();
    EXPECT_FALSE(others.empty());
    for (const std::uint32_t sm : resident.multiprocessors())
      EXPECT_FALSE(others.contains(sm)) << "small blocks ran beside a resident one on multiprocessor " << sm;
  }
}

TEST_F(InterferenceOnDevice, BlocksThatLeftBeforeTheVictimEndedAreNoMeasurement) {
  cuda::DeviceSite site(0);
  ResidentBlocks resident(DeviceLoadKind::spin, 2, {}, site.device);
  resident.start();
  resident.mark_begin(site.stream.get());
  cuda::wait_for(site.stream.get(), "mark", std::chrono::seconds(10));
  resident.abandon();
  resident.mark_end(site.stream.get());
  cuda::wait_for(site.stream.get(), "mark", std::chrono::seconds(10));
  EXPECT_THROW(resident.stop(), core::Error);
}

TEST_F(InterferenceOnDevice, MoreBlocksThanMultiprocessorsAreTimedOutAndLeaveTheGpuFree) {
  cuda::DeviceSite site(0);
  if (site.device.sm_count >= most_resident_blocks) GTEST_SKIP() << "more multiprocessors than blocks";
  ResidentBlocks resident(DeviceLoadKind::spin, site.device.sm_count + 1, {}, site.device);
  EXPECT_THROW(resident.start(), core::TimedOut);
  EXPECT_NO_THROW(cuda::check(cudaDeviceSynchronize(), "wait"));
}

TEST_F(InterferenceOnDevice, ACopyKeepsBelowItsCap) {
  auto settings = small(DeviceLoadKind::stream, DeviceLoadKind::copy_h2d, 1);
  settings.cap_gb_per_s = 2;
  settings.round_s = 50e-3;
  settings.loads.bytes = 96 * core::mib;
  DeviceContest contest(settings, 0);
  const double rate = contest.run().times.aggressor_gb_per_s;
  EXPECT_GT(rate, 0);
  EXPECT_LT(rate, 3);
}

TEST_F(InterferenceOnDevice, WhatWasNotCopiedOrComputedIsWrong) {
  cuda::DeviceSite site(0);
  for (const CopyFrom from : {CopyFrom::host, CopyFrom::device}) {
    CopyBuffers copy(from, core::mib, -1);
    EXPECT_NE(copy.wrong(core::mib), std::nullopt);
    copy.enqueue(0, core::mib / 2, site.stream.get());
    cuda::wait_for(site.stream.get(), "copy", std::chrono::seconds(10));
    EXPECT_EQ(copy.wrong(core::mib / 2), std::nullopt);
    EXPECT_NE(copy.wrong(core::mib), std::nullopt);
  }
  const TriadMemory triad(3 * core::mib);
  EXPECT_NE(triad.wrong(1), std::nullopt);
}

TEST_F(InterferenceOnDevice, TheWholeCaseMeasuresAndVerifies) {
  const core::Case benchmark = device_interference_cases({}).front();
  core::Point point;
  for (const core::Axis& axis : benchmark.axes) point.set(axis.name, axis.values.front());
  point.set("victim", "stream").set("aggressor", "sm_copy_h2d").set("blocks", std::int64_t{2});
  ASSERT_EQ(benchmark.unsupported(point), std::nullopt);
  const auto trial = benchmark.prepare(point);
  trial->run(1);
  trial->sampling_begins();
  EXPECT_EQ(trial->run(3).each_s.size(), 3U);
  trial->sampling_ends();
  const core::Verification seen = trial->verify();
  EXPECT_EQ(seen.result, right) << seen.why;
  EXPECT_GT(trial->metrics({}).size(), 8U);
  EXPECT_FALSE(trial->facts().empty());
}

}  // namespace
}  // namespace assay::offload
