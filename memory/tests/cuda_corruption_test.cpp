// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Without a GPU: what the probes declare and refuse.
#include "memory/cuda_pattern/cuda_corruption.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "memory/copy_probe.hpp"

namespace assay::memory {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(CudaCorruption, CountsWhatItCompares) {
  const core::Point point{{"gpu", 0}, {"bytes", 1 << 20}, {"path", "host"}};
  EXPECT_DOUBLE_EQ(CudaCorruption::work(CudaCorruption::settings(point)).bytes, 1 << 20);
  EXPECT_EQ(quads_of(point), 32768u);
}

TEST(CudaCorruption, OfLessThanALineIsAUsageError) {
  EXPECT_THAT([] { return quads_of({{"bytes", 100}}); },
              ThrowsMessage<core::Error>(HasSubstr("bytes=100: expected at least 128")));
}

TEST(CudaSelfTest, RefusesADoseThatIsNone) {
  for (const std::int64_t faults : {0, 1001})
    EXPECT_THROW(CudaSelfTest::settings({{"gpu", 0}, {"words", 4096}, {"faults", faults}, {"seed", 1}}),
                 core::Error);
}

TEST(InWords, TurnsOffsetsIntoPositions) {
  MismatchLog log{};
  integrity::note(log, 4096, 1, 0);
  EXPECT_EQ(in_words(log).listed[0].address, 512u);
}

}  // namespace
}  // namespace assay::memory
