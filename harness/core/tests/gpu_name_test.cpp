// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/gpu_name.hpp"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

TEST(GpuNames, AreTakenApartAsTheyWerePutTogether) {
  for (const GpuName& name : {GpuName{"3", "0000:4b:00.0"}, GpuName{"3"}, GpuName{"", "0000:4b:00.0"},
                              GpuName{"3", "0000:4b:00.0", "NVLink 4"}}) {
    const auto read = GpuName::from(name.text());
    ASSERT_TRUE(read) << name.text();
    EXPECT_EQ(read->number, name.number) << name.text();
    EXPECT_EQ(read->address, name.address) << name.text();
    EXPECT_EQ(read->part, name.part) << name.text();
  }
}

TEST(GpuNames, OfOtherUnitsAreNone) {
  for (const char* text : {"", "host", "mlx5_0/1", "GPUs 3", "GPU"})
    EXPECT_FALSE(GpuName::from(text)) << text;
}

}  // namespace
}  // namespace assay::core
