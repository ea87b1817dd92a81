// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A build without liburing.
#include <gtest/gtest.h>

#include "offload/cases.hpp"

namespace assay::offload {
namespace {

TEST(AbsentCheckpoint, IsListedAndSaysWhatThisBuildLacks) {
  const ModuleSettings settings;
  std::vector<core::Case> all = cases({.module = &settings});
  std::erase_if(all, [](const core::Case& one) {
    return one.name != "offload.host.save" && one.name != "offload.host.restore" &&
           one.name != "offload.host.checkpoint" && one.name != "offload.host.group_restore" &&
           one.name != "offload.storage.read" && one.name != "offload.storage.write";
  });
  ASSERT_EQ(all.size(), 6U);
  for (const core::Case& absent : all)
    EXPECT_EQ(absent.unsupported(core::sweep(absent.axes).front()), "built without liburing");
}

}  // namespace
}  // namespace assay::offload
