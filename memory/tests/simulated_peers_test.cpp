// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Loads over the link between two simulated GPUs: right both ways, and refused where they do not reach each
// other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/cuda/tests/simulated/two_gpus.hpp"
#include "memory/cuda/cuda_latency.hpp"

namespace assay::memory {
namespace {

using cuda::simulated::gpu;

class LinkOfPeers : public cuda::simulated::TwoGpus {};

TEST_F(LinkOfPeers, IsChasedBothWays) {
  for (const int from : {0, 1}) {
    cuda::DeviceSite site(from);
    CudaLinkLatency link({.nodes = 512, .of_peer = true, .peer = 1 - from}, site);
    EXPECT_EQ(link.check().result, core::Verification::Result::not_checked);
    link.enqueue(100);
    EXPECT_EQ(link.check().result, core::Verification::Result::right);
    EXPECT_GT(link.timing({}).seconds, 0);
  }
}

TEST_F(LinkOfPeers, ThatDoNotReachEachOtherIsRefused) {
  gpu().devices_reach_each_other = false;
  cuda::DeviceSite site(0);
  try {
    CudaLinkLatency({.nodes = 512, .of_peer = true, .peer = 1}, site);
    FAIL();
  } catch (const core::Unsupported& refused) {
    EXPECT_STREQ(refused.what(), "GPU 0 does not reach the memory of GPU 1");
  }
}

}  // namespace
}  // namespace assay::memory
