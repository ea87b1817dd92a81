// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/device.hpp"
#include "harness/workload/cublaslt.hpp"
#include "offload/interference/device/device_contest_limits.hpp"
#include "offload/interference/device/device_contest_metrics.hpp"
#include "offload/interference/device/tail_wave.hpp"
#include "offload/interference/nccl_load.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using core::tests::message_of;
using testing::Optional;

Point point(const char* victim, const char* aggressor, std::int64_t blocks = 1) {
  return {{"gpu", Value(std::int64_t{0})},
          {"victim", Value(victim)},
          {"aggressor", Value(aggressor)},
          {"blocks", Value(blocks)},
          {"cap_gb_per_s", Value("unlimited")},
          {"bytes", Value(3 * core::mib)},
          {"m", Value(std::int64_t{1536})},
          {"n", Value(std::int64_t{2816})},
          {"k", Value(std::int64_t{0})},
          {"numa", Value(std::int64_t{-1})},
          {"victim_blocks", Value(std::int64_t{8})},
          {"round_ms", Value(std::int64_t{20})}};
}

ContestLimits ample() {
  return {.sm_count = 132,
          .compute_capability = 90,
          .l2_bytes = 50 * core::mib,
          .free_device_bytes = 80 * core::gib,
          .available_host_bytes = 500 * core::gib};
}

core::Case interference() { return device_interference_cases({}).front(); }

std::optional<std::string> refusal(const Point& at, const ContestLimits& limits) {
  const DeviceContestSettings settings = device_contest_settings(at);
  if (auto why = cannot_meet(settings)) return why;
  return cannot_contest(settings, limits);
}

std::map<std::string, double> values_of(const std::vector<core::Metric>& metrics) {
  std::map<std::string, double> values;
  for (const core::Metric& metric : metrics) values[metric.name] = metric.value;
  return values;
}

TEST(DeviceInterferenceCase, SweepsEveryVictimAgainstEveryAggressorUpTo32Multiprocessors) {
  std::map<std::string, std::vector<Value>> values;
  const core::Case benchmark = interference();
  for (const core::Axis& axis : benchmark.axes) values[axis.name] = axis.values;
  EXPECT_EQ(values["victim"].size(), 7U);
  EXPECT_EQ(values["aggressor"].size(), 8U);
  EXPECT_EQ(values["blocks"].front(), Value(std::int64_t{0}));
  EXPECT_EQ(values["blocks"].back(), Value(std::int64_t{32}));
}

TEST(DeviceInterferenceCase, TakesAProductThatIsNotSquare) {
  const workload::Problem product = device_contest_settings(point("gemm", "spin")).loads.product;
  EXPECT_EQ(product.m, 1536);
  EXPECT_EQ(product.n, 2816);
  EXPECT_EQ(product.k, 1536) << "0 is as m";
}

TEST(DeviceInterferenceCase, NamesWhatItCannotUse) {
  const auto message = [](const Point& at) { return message_of([&] { device_contest_settings(at); }); };
  EXPECT_EQ(
      message(point("spin", "gemm")),
      "victim 'spin': expected one of gemm, stream, copy_h2d, copy_d2h, sm_copy_h2d, sm_copy_d2h, nccl");
  EXPECT_EQ(
      message(point("gemm", "mpi")),
      "aggressor 'mpi': expected one of gemm, stream, copy_h2d, copy_d2h, sm_copy_h2d, sm_copy_d2h, nccl, "
      "spin");
  EXPECT_EQ(message(point("gemm", "spin", -1)), "blocks=-1: expected 0 to 256");
  EXPECT_EQ(message(point("gemm", "spin", 257)), "blocks=257: expected 0 to 256");
  EXPECT_EQ(message(point("gemm", "copy_h2d").set("cap_gb_per_s", Value("0"))),
            "cap_gb_per_s=0: expected unlimited, or GB/s above 0");
  EXPECT_EQ(message(point("gemm", "copy_h2d").set("bytes", Value(core::mib + 16))),
            "bytes=1048592: expected a multiple of 65536");
  EXPECT_EQ(message(point("gemm", "copy_h2d").set("bytes", Value(std::int64_t{8}))),
            "bytes=8: expected 1048576 to 1125899906842624");
  EXPECT_EQ(message(point("gemm", "spin").set("m", Value(std::int64_t{0}))), "m=0: expected 1 to 32768");
  EXPECT_EQ(message(point("gemm", "spin").set("k", Value(std::int64_t{32769}))),
            "k=32769: expected 0 to 32768");
  EXPECT_EQ(message(point("gemm", "spin").set("round_ms", Value(std::int64_t{0}))),
            "round_ms=0: expected 1 to 5000");
  EXPECT_EQ(message(point("gemm", "spin").set("victim_blocks", Value(std::int64_t{0}))),
            "victim_blocks=0: expected 1 to 4096");
  EXPECT_EQ(message_of([] { interference().work(point("spin", "gemm")); }), message(point("spin", "gemm")));
}

TEST(DeviceInterferenceCase, LeavesTheVictimAMultiprocessor) {
  ContestLimits small = ample();
  small.sm_count = 16;
  EXPECT_EQ(refusal(point("stream", "spin", 16), small),
            "blocks=16: this GPU has 16 multiprocessors, and the victim needs one");
  EXPECT_EQ(refusal(point("stream", "spin", 15), small), std::nullopt);
}

TEST(DeviceInterferenceCase, RefusesCapsWhereTheyMeanNothing) {
  EXPECT_EQ(refusal(point("stream", "sm_copy_h2d", 2).set("cap_gb_per_s", Value("5")), ample()),
            "cap_gb_per_s=5: only a copy by engine can be held back, not sm_copy_h2d");
  EXPECT_THAT(interference().unsupported(point("stream", "gemm").set("cap_gb_per_s", Value("5"))),
              Optional(testing::HasSubstr("only a copy by engine")))
      << "with and without a GPU";
  EXPECT_EQ(refusal(point("stream", "copy_h2d").set("cap_gb_per_s", Value("5")), ample()), std::nullopt);
  EXPECT_EQ(refusal(point("stream", "copy_h2d", 0), ample()), std::nullopt);
}

TEST(DeviceInterferenceCase, IsMeasuredOnceWhereNumbersOfBlocksMeanNothing) {
  const auto stands_for = [](const Point& one, const Point& at) {
    return interference().representative(at).key() == one.key();
  };
  EXPECT_TRUE(stands_for(point("stream", "copy_h2d", 1), point("stream", "copy_h2d", 8)));
  EXPECT_TRUE(stands_for(point("stream", "copy_h2d", 1), point("stream", "copy_h2d", 1)));
  EXPECT_TRUE(stands_for(point("stream", "sm_copy_h2d", 8), point("stream", "sm_copy_h2d", 8)));
  EXPECT_TRUE(
      stands_for(point("stream", "spin", 0), point("stream", "copy_h2d", 0).set("cap_gb_per_s", Value("5"))));
}

// On an H100 (driver 580) 18 copies of a victim, 2 ms alone, ended only after all 63 that a load had queued:
// 9 ms.
TEST(DeviceInterferenceCase, RefusesTwoCopiesOfOneDirectionByAnEngine) {
  for (const char* way : {"copy_h2d", "copy_d2h"})
    EXPECT_THAT(refusal(point(way, way), ample()), Optional(testing::HasSubstr("in one direction"))) << way;
  EXPECT_EQ(refusal(point("copy_h2d", "copy_d2h"), ample()), std::nullopt);
}

TEST(DeviceInterferenceCase, RefusesTwoCollectivesAtOnceAndOneWithoutAPeer) {
  EXPECT_EQ(refusal(point("nccl", "nccl"), ample()),
            "two collectives at once of the same GPUs may wait for each other for ever");
  EXPECT_EQ(refusal(point("stream", "nccl", 0), ample()), std::nullopt) << "nobody";
  if (const auto why = nccl_unavailable(2)) GTEST_SKIP() << *why;
  EXPECT_EQ(refusal(point("stream", "nccl"), ample()),
            "nccl reduces with a second GPU, and this process sees 1");
  EXPECT_EQ(refusal(point("nccl", "spin"), ample()), refusal(point("stream", "nccl"), ample()));
}

TEST(DeviceInterferenceCase, RefusesWhatDoesNotFitWithTheBytes) {
  ContestLimits full = ample();
  full.free_device_bytes = 1000;
  EXPECT_EQ(refusal(point("stream", "copy_h2d"), full),
            "the device memory of the victim and its aggressor needs 6291456 bytes and 1000 are available");
  EXPECT_EQ(refusal(point("stream", "copy_h2d", 0), full),
            "the device memory of the victim and its aggressor needs 3145728 bytes and 1000 are available")
      << "nobody needs no memory";
  ContestLimits pinned = ample();
  pinned.available_host_bytes = 4'000'000;
  EXPECT_EQ(refusal(point("copy_d2h", "sm_copy_h2d"), pinned),
            "the host memory of the victim and its aggressor, and of their check needs 12582912 bytes and "
            "4000000 are available")
      << "page-locked, and ordinary to compare with";
  EXPECT_EQ(refusal(point("stream", "spin"), pinned), std::nullopt);
}

TEST(DeviceInterferenceCase, CountsTheOperandSetsOfAProduct) {
  if (const auto why = workload::CublasLt::unavailable()) GTEST_SKIP() << *why;
  // A set is 4718592 + 8650752 + 8650752 bytes; 8 of them exceed three times 50 MiB; a workspace of 32 MiB.
  ContestLimits full = ample();
  full.free_device_bytes = 1;
  EXPECT_EQ(refusal(point("gemm", "spin"), full),
            "the device memory of the victim and its aggressor needs 209715200 bytes and 1 are available");
  ContestLimits old = ample();
  old.compute_capability = 75;
  EXPECT_EQ(refusal(point("gemm", "spin"), old), "a product of bf16 needs compute capability 8.0");
}

TEST(DeviceInterferenceCase, SaysInTheDriversWordsWhyItCannotRun) {
  if (!cuda::device_unavailable()) GTEST_SKIP() << "this machine has a GPU: the refusal cannot be seen here";
  const core::Case benchmark = interference();
  EXPECT_EQ(benchmark.unsupported(point("gemm", "spin")), cuda::device_unavailable());
  EXPECT_THROW(benchmark.prepare(point("stream", "spin")), core::Error);
}

class Recorded final : public Aggressor {
 public:
  void start() override { calls += "start "; }
  void mark_begin(cudaStream_t) override {}
  void mark_end(cudaStream_t) override {}
  Meanwhile stop() override {
    calls += "stop ";
    if (fails) throw core::Error(core::ErrorKind::cuda, "the GPU is lost");
    return {.quanta_per_s = 2};
  }
  void abandon() noexcept override { calls += "abandon "; }

  std::string calls;
  bool fails = false;
};

TEST(RunningAggressor, IsStoppedOrAbandonedWhateverHappens) {
  Recorded stopped, left, lost;
  {
    RunningAggressor running(stopped);
    EXPECT_EQ(running.stop().quanta_per_s, 2);
  }
  EXPECT_EQ(stopped.calls, "start stop ");
  {
    const RunningAggressor running(left);
  }
  EXPECT_EQ(left.calls, "start abandon ") << "the victim threw";
  lost.fails = true;
  EXPECT_EQ(message_of([&] {
              RunningAggressor running(lost);
              running.stop();
            }),
            "the GPU is lost");
  EXPECT_EQ(lost.calls, "start stop abandon ");
}

TEST(DeviceContestMetrics, AreRatiosWithinASample) {
  // The machine slows down by half between the samples; the ratios do not see it.
  const std::vector<DeviceContestTimes> times = {
      {{.alone_s = 1, .beside_spin_s = 1.25, .beside_s = 2.5, .aggressor_gb_per_s = 8}, 1000, 990, 800, 0},
      {{.alone_s = 2, .beside_spin_s = 2.5, .beside_s = 5, .aggressor_gb_per_s = 4}, 500, 495, 400, 0}};
  const auto values = values_of(device_contest_metrics(
      times, {.quantum_flops = 3e12, .blocks_of_work = 132, .sm_count = 132, .taken = 24}));
  EXPECT_DOUBLE_EQ(values.at("slowdown"), 2.5);
  EXPECT_DOUBLE_EQ(values.at("slowdown_of_spinning"), 1.25);
  EXPECT_DOUBLE_EQ(values.at("slowdown_beyond_spinning"), 2);
  EXPECT_DOUBLE_EQ(values.at("sm_clock_ratio"), 0.8);
  EXPECT_DOUBLE_EQ(values.at("sm_clock_ratio_of_spinning"), 0.99);
  EXPECT_DOUBLE_EQ(values.at("slowdown_at_equal_clock"), 2);
  EXPECT_DOUBLE_EQ(values.at("processor_usage"), 0.6);
  EXPECT_DOUBLE_EQ(values.at("multiprocessors_taken_share"), 24.0 / 132);
  EXPECT_DOUBLE_EQ(values.at("predicted_tail_wave_slowdown"), 2);
  EXPECT_DOUBLE_EQ(values.at("predicted_persistent_slowdown"), 2);
  EXPECT_DOUBLE_EQ(values.at("victim_alone_tflops"), 2.25);
  EXPECT_DOUBLE_EQ(values.at("victim_beside_tflops"), 0.9);
  EXPECT_FALSE(values.contains("victim_alone_gb_per_s"));
  EXPECT_FALSE(values.contains("aggressor_tflops"));
}

TEST(TailWave, IsThatOfABlockATileOrOfABlockAMultiprocessor) {
  EXPECT_EQ(tail_wave_slowdown(132, 132, 1), 2);
  EXPECT_EQ(tail_wave_slowdown(108, 132, 24), 1) << "as many as are left";
  EXPECT_EQ(tail_wave_slowdown(1056, 132, 24), 1.25) << "ten waves for eight";
  EXPECT_EQ(persistent_slowdown(1056, 132, 24), 2) << "24 of 132 blocks begin when others have ended";
  EXPECT_EQ(persistent_slowdown(1056, 132, 0), 1);
  EXPECT_EQ(persistent_slowdown(100, 132, 24), 1);
}

TEST(DeviceContestMetrics, OfAnAggressorThatTellsNobodyItsBlocksPredictNothing) {
  const std::vector<DeviceContestTimes> times = {{{.alone_s = 1, .beside_spin_s = 1, .beside_s = 1.25}}};
  const auto values = values_of(device_contest_metrics(
      times, {.quantum_flops = 1, .blocks_of_work = 132, .sm_count = 132, .taken = std::nullopt}));
  EXPECT_DOUBLE_EQ(values.at("processor_usage"), 0.2);
  EXPECT_FALSE(values.contains("multiprocessors_taken_share"));
  EXPECT_FALSE(values.contains("predicted_tail_wave_slowdown"));
  const DeviceContestSettings nccl{.aggressor = DeviceLoadKind::nccl, .blocks = 1};
  EXPECT_FALSE(nccl.is_taking_known());
  EXPECT_EQ(nccl.taken(), 0) << "no blocks of ours";
}

TEST(DeviceContestMetrics, LeaveOutWhatIsNotKnownOrMeansNothing) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const std::vector<DeviceContestTimes> times = {
      {{.alone_s = 1, .beside_spin_s = 1, .beside_s = 2}, 1000, unknown, 800, 3}};
  const auto values = values_of(device_contest_metrics(times, {.quantum_bytes = 4e9, .sm_count = 132}));
  EXPECT_FALSE(values.contains("sm_clock_ratio")) << "the clock beside spinning was not read";
  EXPECT_FALSE(values.contains("processor_usage")) << "a copy takes no processor";
  EXPECT_DOUBLE_EQ(values.at("victim_alone_gb_per_s"), 4);
  EXPECT_DOUBLE_EQ(values.at("victim_beside_gb_per_s"), 2);
  EXPECT_DOUBLE_EQ(values.at("aggressor_tflops"), 3);
  EXPECT_TRUE(device_contest_metrics({}, {}).empty());
}

TEST(DeviceLoads, AreResidentQueuedOrByEngine) {
  for (const std::string& word : all_device_loads())
    EXPECT_EQ(to_string(device_load_from("aggressor", word)), word);
  EXPECT_TRUE(is_resident(DeviceLoadKind::spin));
  EXPECT_TRUE(is_resident(DeviceLoadKind::stream));
  EXPECT_TRUE(is_resident(DeviceLoadKind::sm_copy_d2h));
  EXPECT_FALSE(is_resident(DeviceLoadKind::gemm));
  EXPECT_FALSE(is_resident(DeviceLoadKind::copy_h2d));
  EXPECT_FALSE(is_resident(DeviceLoadKind::nccl));
  EXPECT_TRUE(is_by_engine(DeviceLoadKind::copy_d2h));
  const DeviceContestSettings by_engine{.aggressor = DeviceLoadKind::copy_h2d, .blocks = 1};
  EXPECT_EQ(by_engine.taken(), 0) << "a copy engine takes no multiprocessor";
}

}  // namespace
}  // namespace assay::offload
