// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two simulated GPUs for the length of a test.
#pragma once

#include <gtest/gtest.h>

#include "harness/cuda/check.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::cuda::simulated {

class TwoGpus : public testing::Test {
 protected:
  void SetUp() override {
    if (context_is_lost()) GTEST_SKIP() << "another test of this process lost the simulated GPU";
    gpu().devices = 2;
  }
  void TearDown() override {
    gpu().devices = 1;
    gpu().devices_reach_each_other = true;
  }
};

}  // namespace assay::cuda::simulated
