// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/cuda/device.hpp"
#include "offload/pipeline/device/device_pipeline.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;
using core::tests::message_of;

core::Case pipeline() { return device_pipeline_cases({}).front(); }

Point gpt3() {
  return {{"model", Value("gpt3-175b")},
          {"shrink", Value(std::int64_t{1})},
          {"tp", Value(std::int64_t{8})},
          {"tokens", Value(std::int64_t{2048})},
          {"dtype", Value("bf16")},
          {"pass", Value("forward")},
          {"blocks", Value(std::int64_t{8})},
          {"resident", Value(std::int64_t{2})},
          {"cap_gb_per_s", Value("unlimited")},
          {"far", Value(std::int64_t{-1})},
          {"gpu", Value(std::int64_t{0})}};
}

Point with(const char* axis, const Value& value) { return gpt3().set(axis, value); }

// Sizes at one rank of 8: 12 h^2 / 8 weights with h = 12288, and t (3 h / 8 + h + 4 h / 8 + h) activations.
constexpr std::int64_t weights = 2 * 226492416, activations = 2 * std::int64_t{2048} * 35328,
                       inputs = 2 * std::int64_t{2048} * (12288 + 1536 + 12288 + 6144), workspace = 32 << 20;

TEST(DevicePipelineCase, CountsTheMemoryOfItsSlots) {
  const DevicePipelineSettings settings = device_pipeline_settings(gpt3());
  EXPECT_EQ(settings.block.fetched_bytes, weights);
  EXPECT_EQ(settings.block.written_bytes, activations);
  EXPECT_EQ(device_bytes(settings), 4 * (weights + activations) + inputs + workspace);
  EXPECT_EQ(pipeline().work(gpt3()).bytes, 8.0 * (weights + activations));
}

TEST(DevicePipelineCase, SaysBeforeAnythingIsAllocatedThatItsBlocksDoNotFit) {
  const DevicePipelineSettings settings = device_pipeline_settings(gpt3());
  const std::int64_t plenty = std::int64_t{1} << 40;
  EXPECT_EQ(why_no_space({}, settings, 1'000'000'000, plenty),
            "the device memory of 2 resident blocks needs 2556428288 bytes and 1000000000 are available");
  EXPECT_EQ(why_no_space({}, settings, plenty, 1'000'000'000),
            "the pinned memory of all blocks needs 4781506560 bytes and 1000000000 are available");
  EXPECT_EQ(why_no_space({}, settings, plenty, plenty), std::nullopt);
}

TEST(DevicePipelineCase, NamesANumaNodeThatIsNotThere) {
  machine::Machine machine;
  machine.numa.resize(1);
  EXPECT_EQ(why_no_space(machine, device_pipeline_settings(with("far", Value(std::int64_t{3}))), 0, 0),
            "this machine has no NUMA node 3");
}

TEST(DevicePipelineCase, RefusesBadPointsWithAndWithoutAGpu) {
  const auto message = [](const Point& point) { return message_of([&] { pipeline().unsupported(point); }); };
  EXPECT_EQ(message(with("cap_gb_per_s", Value("0"))), "cap_gb_per_s=0: expected unlimited, or GB/s above 0");
  EXPECT_EQ(message(with("resident", Value(std::int64_t{1}))), "resident=1: expected 2 to 64");
  EXPECT_EQ(message(with("tp", Value(std::int64_t{7}))),
            "gpt3-175b has 96 attention heads, which 7 ranks cannot share evenly");
  EXPECT_EQ(message(with("far", Value(std::int64_t{-2}))), "far=-2: expected -1 to 1048576");
  EXPECT_THAT(message(with("model", Value("gpt-5"))), testing::StartsWith("model 'gpt-5': expected "));
}

TEST(DevicePipelineCase, SaysInTheDriversWordsWhyItCannotRun) {
  if (!cuda::device_unavailable()) GTEST_SKIP() << "this machine has a GPU: the refusal cannot be seen here";
  EXPECT_EQ(pipeline().unsupported(gpt3()), cuda::device_unavailable());
}

TEST(DevicePipelineCase, SweepsTheLargeModelsAtTensorParallelEight) {
  for (const Point& point : core::sweep(pipeline().axes)) EXPECT_GT(pipeline().work(point).bytes, 0);
}

}  // namespace
}  // namespace assay::offload
