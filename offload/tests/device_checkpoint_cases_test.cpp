// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/cuda/device.hpp"
#include "offload/checkpoint/device_checkpoint_space.hpp"
#include "offload/tests/case_lists.hpp"

namespace assay::offload {
namespace {

using core::Point;
using core::Value;

Point small_device_point() {
  return {{"bytes", Value(std::int64_t{1} << 20)}, {"shards", Value(std::int64_t{2})},
          {"block", Value(std::int64_t{65536})},   {"depth", Value(std::int64_t{4})},
          {"direct", Value(std::int64_t{1})},      {"checksum", Value("xxh3")},
          {"snapshot", Value("blocking")},         {"gemm_n", Value(std::int64_t{256})},
          {"numa", Value(std::int64_t{-1})},       {"gpu", Value(std::int64_t{0})}};
}

std::optional<std::string> refusal(const Point& point) {
  static const ModuleSettings settings;
  return device_checkpoint_cases({.module = &settings}).front().unsupported(point);
}

std::string message(const char* axis, std::int64_t value) {
  return core::tests::message_of([&] { refusal(small_device_point().set(axis, Value(value))); });
}

TEST(DeviceCheckpoint, RefusesBadPointsWithAndWithoutAGpu) {
  EXPECT_EQ(message("bytes", 5000), "bytes=5000: expected a multiple of 4096");
  EXPECT_EQ(message("bytes", 0), "bytes=0: expected 4096 to 1125899906842624");
  EXPECT_EQ(message("block", 5000), "block=5000: expected a multiple of 4096 bytes");
  EXPECT_EQ(message("gemm_n", 100), "gemm_n=100: expected a multiple of 16");
  EXPECT_EQ(message("gemm_n", 0), "gemm_n=0: expected 16 to 65536");
  EXPECT_EQ(message("depth", 0), "depth=0: expected 1 to 4096");
  EXPECT_EQ(message("numa", -2), "numa=-2: expected -1 to 1048576");
}

TEST(DeviceCheckpoint, SaysInTheDriversWordsWhyItCannotRun) {
  if (!cuda::device_unavailable()) GTEST_SKIP() << "this machine has a GPU: the refusal cannot be seen here";
  EXPECT_EQ(refusal(small_device_point()), cuda::device_unavailable());
}

TEST(DeviceCheckpoint, SaysBeforeAnythingIsAllocatedWhichMemoryIsTooSmall) {
  const DeviceCheckpointSize size = device_checkpoint_size(small_device_point());
  // The state, three matrices of 256 x 256 in bf16 and cuBLASLt's 32 MiB.
  EXPECT_EQ(why_no_space({}, size, 1000, 0),
            "the device memory of the state and of the products next to it needs 34996224 bytes and 1000 are "
            "available");
  EXPECT_EQ(why_no_space({}, size, 1 << 30, 2'000'000),
            "the host memory of the snapshot and of its check needs 2097152 bytes and 2000000 are available");
  EXPECT_EQ(why_no_space({}, size, 1 << 30, 1 << 30), std::nullopt);
}

}  // namespace
}  // namespace assay::offload
