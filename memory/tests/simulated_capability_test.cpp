// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points that need a newer GPU than a simulated one.
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"
#include "memory/cuda/cuda_geometry.hpp"
#include "memory/tests/cases_named.hpp"

namespace assay::memory {
namespace {

using cuda::simulated::gpu;

class OlderGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda::context_is_lost()) GTEST_SKIP() << "another test of this process lost the simulated GPU";
    gpu().compute_major = 8;
  }
  void TearDown() override { gpu().compute_major = 9; }
};

core::Point copy_by(const core::Case& copy, const char* mover) {
  core::Point point;
  for (const core::Axis& axis : copy.axes) point.set(axis.name, axis.values.front());
  return point.set("mover", mover).set("bytes", std::int64_t{2 * tile_bytes});
}

TEST_F(OlderGpu, CopiesBySmAndRefusesBulkCopies) {
  const core::Case copy = tests::cases_named("memory.cuda.copy").front();
  copy.prepare(copy_by(copy, "sm"))->run(1);
  try {
    copy.prepare(copy_by(copy, "tma"));
    FAIL();
  } catch (const core::Unsupported& refused) {
    EXPECT_STREQ(refused.what(), "mover=tma needs compute capability 9.0, this GPU has 8.0");
  }
}

}  // namespace
}  // namespace assay::memory
