// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda/cuda_geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

namespace assay::memory {
namespace {

using core::gib;
using core::kib;
using core::mib;

TEST(ArrayBytes, AreWholeTilesWithinTheFootprint) {
  EXPECT_EQ(tile_bytes, 32 * kib);
  EXPECT_EQ(array_bytes(4 * gib, 1), 4 * gib);
  EXPECT_EQ(array_bytes(4 * mib, 2), 2 * mib);
  EXPECT_EQ(array_bytes(4 * mib, 3), 42 * tile_bytes);
  EXPECT_EQ(array_bytes(96 * kib, 3), tile_bytes);
}

TEST(ArrayBytes, RefuseAFootprintWithoutOneTileEach) {
  try {
    array_bytes(95 * kib, 3);
    FAIL() << "no error was thrown";
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("bytes=95KiB is too small for 3 arrays: at least 96KiB"));
  }
}

TEST(PassesOver, AreOneWhenColdAndFillHalfAGibibyteWhenHot) {
  EXPECT_EQ(passes_over(4 * mib, false), 1);
  EXPECT_EQ(passes_over(4 * mib, true), 128);
  EXPECT_EQ(passes_over(48 * mib, true), 11);
  EXPECT_EQ(passes_over(512 * mib, true), 1);
  EXPECT_EQ(passes_over(4 * gib, true), 1);
}

TEST(StreamBlocks, AreOneResidentWaveOrOnePerTile) {
  EXPECT_EQ(stream_blocks(100'000, 132, 4), 528);
  EXPECT_EQ(stream_blocks(42, 132, 4), 42);
  EXPECT_EQ(stream_blocks(528, 132, 4), 528);
  EXPECT_EQ(stream_blocks(1, 132, 4), 1);
}

}  // namespace
}  // namespace assay::memory
