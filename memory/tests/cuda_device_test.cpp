// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA cases on a GPU: every case at its smallest point, verified; and that the checks can fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "harness/integrity/mismatch.hpp"
#include "memory/cuda/cuda_geometry.hpp"
#include "memory/cuda/cuda_latency.hpp"
#include "memory/cuda/cuda_stream_kernels.hpp"
#include "memory/cuda/cuda_vector.hpp"
#include "memory/cuda_pattern/cuda_corruption.hpp"
#include "memory/cuda_pattern/cuda_pattern.hpp"
#include "memory/tests/cases_named.hpp"

namespace assay::memory {
namespace {

using core::mib;
using enum core::Verification::Result;

class MemoryOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
    site_ = std::make_unique<cuda::DeviceSite>(0);
  }
  cudaStream_t stream() const { return site_->stream.get(); }
  std::unique_ptr<cuda::DeviceSite> site_;
};

core::Point smallest_point(const core::Case& benchmark, const char* cache_state) {
  core::Point point;
  for (const core::Axis& axis : benchmark.axes) {
    if (axis.name == "cache_state")
      point.set(axis.name, cache_state);
    else if (axis.name == "fraction_percent")
      point.set(axis.name, std::int64_t{2});
    else
      point.set(axis.name, axis.values.front());
  }
  return point;
}

void run_and_verify(const core::Case& benchmark, const core::Point& point) {
  SCOPED_TRACE(benchmark.name + " " + point.key());
  const auto trial = benchmark.prepare(point);
  trial->run(1);
  trial->sampling_begins();
  const core::Timing timing = trial->run(5);
  trial->sampling_ends();
  EXPECT_GT(timing.seconds, 0);
  EXPECT_LT(timing.seconds, 30);
  EXPECT_GT(timing.sm_cycles, 0);
  const core::Verification verification = trial->verify();
  EXPECT_EQ(verification.result, right) << verification.why;
  EXPECT_FALSE(trial->facts().empty());
}

TEST_F(MemoryOnDevice, EveryCaseRunsItsSmallestPointAndIsRight) {
  for (const core::Case& benchmark : tests::cases_named("memory.cuda."))
    for (const char* cache_state : {"hot", "cold"})
      run_and_verify(benchmark, smallest_point(benchmark, cache_state));
}

TEST_F(MemoryOnDevice, ALoadOverALinkIsRightBothWaysBetweenPeers) {
  if (cuda::device_count() < 2) GTEST_SKIP() << "one GPU has no peer";
  const core::Case link = tests::cases_named("memory.cuda.link_latency").front();
  for (const std::int64_t gpu : {0, 1}) {
    core::Point point = smallest_point(link, "hot");
    point.set("gpu", gpu).set("memory", "peer").set("peer", 1 - gpu);
    run_and_verify(link, point);
  }
}

TEST_F(MemoryOnDevice, ALinkToNoPeerIsRefused) {
  const core::Case link = tests::cases_named("memory.cuda.link_latency").front();
  core::Point point = smallest_point(link, "hot");
  point.set("memory", "peer").set("peer", std::int64_t{cuda::device_count()});
  EXPECT_THAT(link.unsupported(point).value_or(""), testing::HasSubstr("the first is 0"));
  EXPECT_THAT(link.unsupported(point.set("peer", std::int64_t{0})).value_or(""),
              testing::HasSubstr("a GPU is not a peer of itself"));
}

TEST_F(MemoryOnDevice, BothMoversOfACopyAreRightOnFootprintsOfAnySize) {
  const core::Case copy = tests::cases_named("memory.cuda.copy").front();
  for (const char* mover : {"sm", "tma"})
    for (const char* cache_state : {"hot", "cold"})
      for (const std::int64_t bytes : {2 * tile_bytes, 6 * tile_bytes, std::int64_t{5'000'000}, 64 * mib}) {
        core::Point point = smallest_point(copy, cache_state);
        run_and_verify(copy, point.set("mover", mover).set("bytes", bytes));
      }
}

TEST_F(MemoryOnDevice, AFootprintThatIsNoWholeTileIsRightToo) {
  for (const core::Case& benchmark : tests::cases_named("memory.cuda.")) {
    core::Point point = smallest_point(benchmark, "cold");
    if (!point.has("bytes")) continue;
    point.set("bytes", std::int64_t{5'000'000});
    run_and_verify(benchmark, point);
  }
}

/// Rows for fewer blocks than an SM holds, in all turns of a thread: 528 and 4112 are no whole turn.
TEST_F(MemoryOnDevice, EveryVectorKernelIsWithinTheBoundOfItsFormula) {
  const core::Case vector = tests::cases_named("memory.cuda.vector").front();
  for (const std::string_view kernel : core::vector_kernel_names)
    for (const char* dtype : {"fp32", "bf16", "fp16"})
      for (const std::int64_t columns : {16, 528, 4112}) {
        core::Point point = smallest_point(vector, "hot");
        point.set("kernel", std::string(kernel)).set("dtype", dtype);
        run_and_verify(vector, point.set("columns", columns).set("elements", 12 * columns));
      }
}

TEST_F(MemoryOnDevice, AVectorKernelsResultWithOneFlippedBitOrANanIsWrong) {
  for (std::size_t kind = 0; kind < core::vector_kernel_names.size(); ++kind) {
    const VectorProblem problem{.kernel = static_cast<VectorKernel>(kind), .rows = 5, .columns = 64};
    const std::string_view kernel = problem.name();
    ASSERT_TRUE(is_kept(300));
    CudaVector vector({.problem = problem}, *site_);
    EXPECT_EQ(vector.check().result, not_checked) << kernel;
    vector.enqueue();
    EXPECT_EQ(vector.check().result, right) << kernel << ": " << vector.check().why;
    float* const one = static_cast<float*>(vector.results()) + 300;
    float kept = 0;
    cuda::check(cudaMemcpy(&kept, one, sizeof kept, cudaMemcpyDeviceToHost), "fetch");
    for (const float bad : {std::bit_cast<float>(std::bit_cast<std::uint32_t>(kept) ^ 1U << 28), NAN}) {
      cuda::check(cudaMemcpy(one, &bad, sizeof bad, cudaMemcpyHostToDevice), "damage");
      EXPECT_THAT(vector.check().why, testing::HasSubstr(" 300 is ")) << kernel << " " << bad;
    }
    cuda::check(cudaMemcpy(one, &kept, sizeof kept, cudaMemcpyHostToDevice), "mend");
    EXPECT_EQ(vector.check().result, right) << kernel;
  }
}

TEST_F(MemoryOnDevice, ACheckedArrayWithOneFlippedBitIsWrong) {
  constexpr std::uint64_t count = 4096;
  const cuda::DeviceBuffer data(count * sizeof(Quad));
  DeviceMismatches mismatches(stream());
  cuda::check(launch_fill(data.as<Quad>(), count, seed_a, 8, stream()), "fill");
  cuda::check(launch_pattern_fault(data.as<std::uint64_t>() + 1001, 1ULL << 40, stream()), "flip a bit");
  cuda::check(launch_check_quads(data.as<Quad>(), 0, count, seed_a, mismatches.log(), 8, stream()), "check");
  const MismatchLog log = mismatches.read();
  ASSERT_EQ(log.count, 1U);
  EXPECT_EQ(log.listed[0].address, 8U * 1001U);
  EXPECT_THAT(integrity::flipped_bits(log.listed[0].expected, log.listed[0].read), testing::ElementsAre(40));
}

TEST_F(MemoryOnDevice, TheFormulaIsTheSameOnHostAndDevice) {
  constexpr std::uint64_t count = 10'000;
  const cuda::DeviceBuffer data(count * sizeof(Quad));
  cuda::check(launch_fill(data.as<Quad>(), count, seed_b, 8, stream()), "fill");
  wait_for_check(stream(), "fill");
  std::vector<Quad> got(count);
  cuda::check(cudaMemcpy(got.data(), data.data(), data.size(), cudaMemcpyDeviceToHost), "fetch");
  Quad sum{};
  for (std::uint64_t i = 0; i < count; ++i) {
    const Quad q = quad_at(i, seed_b);
    ASSERT_EQ(got[i], q) << i;
    sum = {sum.x + q.x, sum.y + q.y, sum.z + q.z, sum.w + q.w};
  }
  const cuda::DeviceBuffer summed(sizeof(Quad));
  cuda::check(cudaMemsetAsync(summed.data(), 0, sizeof(Quad), stream()), "clear");
  cuda::check(launch_expected_sum(summed.as<Quad>(), 0, count, seed_b, 8, stream()), "sum");
  wait_for_check(stream(), "sum");
  Quad by_device{};
  cuda::check(cudaMemcpy(&by_device, summed.data(), sizeof(Quad), cudaMemcpyDeviceToHost), "fetch the sum");
  EXPECT_EQ(by_device, sum);
}

TEST_F(MemoryOnDevice, APlantedFaultIsFoundWithItsAddressAndBits) {
  CudaPattern pattern({.fraction_percent = 1}, *site_);
  pattern.enqueue();
  const PlantedFault fault = pattern.plant_in_next_round(1ULL << 5);
  pattern.enqueue();
  const core::Verification verification = pattern.check();
  EXPECT_EQ(verification.result, wrong);
  EXPECT_THAT(verification.why, testing::HasSubstr("1 word differs"));
  EXPECT_THAT(verification.why, testing::HasSubstr("flipped bits 5"));
  bool listed = false;
  for (const auto& [name, value] : pattern.facts()) {
    if (name != "mismatch_1") continue;
    listed = true;
    const Mismatch expected{fault.address, pattern_word(fault.address, 0), 0};
    EXPECT_THAT(std::get<std::string>(value),
                testing::StartsWith(describe(expected).substr(0, describe(expected).find(' '))));
  }
  EXPECT_TRUE(listed);
}

TEST_F(MemoryOnDevice, AnUndamagedPatternIsRightAndItsTestProven) {
  CudaPattern pattern({.fraction_percent = 1}, *site_);
  pattern.enqueue();
  const core::Verification verification = pattern.check();
  EXPECT_EQ(verification.result, right) << verification.why;
}

TEST_F(MemoryOnDevice, SoundCopiesPassAndAFlippedBitIsNamed) {
  for (const char* path : {"device", "host"}) {
    CudaCorruption probe(CudaCorruption::settings({{"gpu", 0}, {"bytes", 1 << 20}, {"path", path}}), *site_);
    probe.enqueue();
    EXPECT_EQ(probe.check().result, right) << probe.check().why;
    probe.flip_in_next_copy(100, std::uint64_t{1} << 33);
    probe.enqueue();
    EXPECT_THAT(probe.check().why,
                testing::HasSubstr("1 of 262144 words in 2 rounds are wrong: first offset 0x320: "));
  }
}

TEST_F(MemoryOnDevice, TheSelfTestCatchesEveryFault) {
  CudaSelfTest test({.words = 8192, .plan = {.seed = 1, .each = 2}}, *site_);
  test.enqueue();
  EXPECT_EQ(test.check().why, "all 132 planted faults were found by words");
}

TEST_F(MemoryOnDevice, TheL2AnswersSoonerThanHbm) {
  const auto latency_ns = [](std::int64_t bytes) {
    core::BenchmarkTrial<CudaLatency> trial({.nodes = chase_nodes(bytes)});
    trial.run(1);
    trial.run(200'000);  // three laps of the small one, and time for an idle GPU's clock to rise
    return 1e9 * trial.run(20'000).seconds / 20'000;
  };
  const double near = latency_ns(8 * mib), far = latency_ns(1024 * mib);
  EXPECT_GT(near, 20);
  EXPECT_LT(near, far);
  EXPECT_LT(far, 5'000);
}

}  // namespace
}  // namespace assay::memory
