// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Without a GPU: what the probes declare and refuse. With one: sound copies pass, a flipped bit is named.
#include "memory/cuda_corruption.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "memory/cuda_cases.hpp"
#include "memory/self_test_plan.hpp"

namespace assay::memory {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(CudaCorruption, CountsWhatItCompares) {
  const core::Point point{{"gpu", 0}, {"bytes", 1 << 20}, {"path", "host"}};
  EXPECT_DOUBLE_EQ(CudaCorruption::work(point).bytes, 1 << 20);
  EXPECT_EQ(quads_of(point), 32768u);
}

TEST(CudaCorruption, OfLessThanALineIsAUsageError) {
  EXPECT_THAT([] { return quads_of({{"bytes", 100}}); },
              ThrowsMessage<core::Error>(HasSubstr("bytes=100: expected at least 128")));
}

TEST(CudaSelfTest, RefusesADoseThatIsNone) {
  for (const std::int64_t faults : {0, 1001})
    EXPECT_THROW(CudaSelfTest::work({{"gpu", 0}, {"words", 4096}, {"faults", faults}, {"seed", 1}}),
                 core::Error);
}

TEST(InWords, TurnsOffsetsIntoPositions) {
  MismatchLog log{};
  integrity::note(log, 4096, 1, 0);
  EXPECT_EQ(in_words(log).listed[0].address, 512u);
}

class OnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
  }
};

TEST_F(OnAGpu, SoundCopiesPassAndAFlippedBitIsNamed) {
  for (const char* path : {"device", "host"}) {
    cuda::DeviceSite site(0);
    CudaCorruption probe({{"gpu", 0}, {"bytes", 1 << 20}, {"path", path}}, site);
    probe.enqueue();
    EXPECT_EQ(probe.check().result, core::Verification::Result::right) << probe.check().why;
    probe.flip_in_next_copy(100, std::uint64_t{1} << 33);
    probe.enqueue();
    EXPECT_THAT(probe.check().why,
                HasSubstr("1 of 262144 words in 2 rounds are wrong: first offset 0x320: "));
  }
}

TEST_F(OnAGpu, TheSelfTestCatchesEveryFault) {
  cuda::DeviceSite site(0);
  CudaSelfTest test({{"gpu", 0}, {"words", 8192}, {"faults", 2}, {"seed", 1}}, site);
  test.enqueue();
  EXPECT_EQ(test.check().why, "all 132 planted faults were found by words");
}

}  // namespace
}  // namespace assay::memory
