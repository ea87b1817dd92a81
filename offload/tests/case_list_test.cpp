// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Built whichever components are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/cuda/device_place.hpp"
#include "offload/cases.hpp"
#include "offload/tests/points_of.hpp"

namespace assay::offload {
namespace {

TEST(OffloadCaseList, HasTheSameCasesAndPointsInEveryBuild) {
  if (cuda::device_count() > 0) GTEST_SKIP() << "each GPU of this machine adds points";
  const ModuleSettings settings;
  std::vector<std::pair<std::string, std::size_t>> seen;
  for (const core::Case& one : cases({.module = &settings}))
    seen.emplace_back(one.name, points_of(one).size());
  EXPECT_THAT(seen, testing::ElementsAreArray(std::vector<std::pair<std::string, std::size_t>>{
                        {"offload.storage.read", 8},
                        {"offload.storage.write", 8},
                        {"offload.host.save", 1},
                        {"offload.host.restore", 1},
                        {"offload.host.checkpoint", 2},
                        {"offload.host.group_restore", 2},
                        {"offload.host.pipeline", 18},
                        {"offload.host.interference", 24},
                        {"offload.host.workload", 4},
                        {"offload.cuda.checkpoint", 2},
                        {"offload.cuda.copy", 30},
                        {"offload.cuda.peer_copy", 20},
                        {"offload.cuda.node_copy", 30},
                        {"offload.cuda.pipeline", 30},
                        {"offload.cuda.workload", 4},
                        {"offload.cuda.interference", 231}}));
}

}  // namespace
}  // namespace assay::offload
