// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/fit/laws/gemm_core.hpp"

namespace assay::model::fit {
namespace {

TEST(GemmDevice, KnowsOperandsOfFourAndEightBits) {
  EXPECT_EQ(device_for("nvfp4", 148)->operand_bytes, 0.5);
  EXPECT_EQ(device_for("fp8_block", 148)->operand_bytes, 1);
  EXPECT_FALSE(device_for("nvfp3", 148));
}

}  // namespace
}  // namespace assay::model::fit
