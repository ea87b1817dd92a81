// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// On a GPU: the truth computed there is the host's, right products pass, a flipped bit is found and named.
#include "gemm/device/device_corruption.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gemm/tests/case_lists.hpp"
#include "harness/core/measure/measure.hpp"

namespace assay::gemm {
namespace {

using enum core::Verification::Result;

class DeviceCorruptionTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
    if (const auto reason = CublasLt::unavailable()) GTEST_SKIP() << *reason;
  }
  static core::Point point(const std::string& dtype, const std::string& layout) {
    return {{"m", 96}, {"n", 160}, {"k", 224}, {"dtype", dtype}, {"layout", layout}, {"gpu", 0}};
  }
};

TEST_F(DeviceCorruptionTest, EveryCaseVerifiesAtASmallPoint) {
  for (const core::Case& one : device_corruption_cases({}))
    for (core::Point small : core::sweep(one.axes)) {
      small.set("m", std::int64_t{64});
      if (const auto reason = one.unsupported(small)) {
        EXPECT_NE(cuda::describe_device(0).compute_major, 9)
            << one.name << ' ' << small.key() << ": " << *reason;
        continue;
      }
      const auto trial = one.prepare(small);
      trial->run(3);
      const core::Verification verdict = trial->verify();
      EXPECT_EQ(verdict.result, right) << one.name << ' ' << small.key() << ": " << verdict.why;
    }
}

TEST_F(DeviceCorruptionTest, AFlippedBitIsNamed) {
  for (const std::string& layout : all_passes()) {
    cuda::DeviceSite site(0);
    DeviceCorruption probe(DeviceCorruption::settings(point("bf16", layout)), site);
    probe.enqueue();
    probe.flip_in_next_product(5 * 160 + 17, 4);
    probe.enqueue();
    probe.enqueue();
    const core::Verification verdict = probe.check();
    EXPECT_EQ(verdict.result, wrong) << layout;
    EXPECT_THAT(verdict.why,
                testing::HasSubstr("1 of 46080 elements of 3 products are wrong: first (5, 17): "));
    EXPECT_THAT(verdict.why, testing::HasSubstr("xor 0x4"));
  }
}

}  // namespace
}  // namespace assay::gemm
