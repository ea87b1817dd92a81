// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A build without CUDA.
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "offload/cases.hpp"

namespace assay::offload {
namespace {

using core::Value;
using core::tests::message_of;

std::vector<core::Case> device_cases() {
  static const ModuleSettings settings;
  std::vector<core::Case> all = cases({.module = &settings});
  std::erase_if(all, [](const core::Case& one) { return !one.name.starts_with("offload.cuda."); });
  return all;
}

TEST(AbsentOffloadDevice, IsWhyNoPointOfAGpuRuns) {
  for (const core::Case& absent : device_cases())
    for (const core::Point& point : core::sweep(absent.axes)) {
      ASSERT_EQ(absent.unsupported(point), "built without CUDA") << absent.name;
      ASSERT_THROW(absent.prepare(point), core::Error) << absent.name;
    }
}

TEST(AbsentOffloadDevice, LeavesPointsTheirWork) {
  for (const core::Case& absent : device_cases()) {
    const bool counts_bytes = absent.name != "offload.cuda.interference";
    for (const core::Point& point : core::sweep(absent.axes))
      ASSERT_EQ(absent.work(point).bytes > 0, counts_bytes) << absent.name;
  }
}

TEST(AbsentOffloadDevice, LeavesBadPointsToBeRefused) {
  for (const core::Case& absent : device_cases()) {
    core::Point point = core::sweep(absent.axes).front();
    if (absent.name.ends_with("copy")) {
      EXPECT_EQ(message_of([&] { absent.unsupported(point.set("bytes", Value(std::int64_t{100}))); }),
                "bytes=100: expected a multiple of 16");
    }
    if (absent.name.ends_with("interference")) {
      EXPECT_EQ(message_of([&] { absent.representative(point.set("blocks", Value(std::int64_t{257}))); }),
                "blocks=257: expected 0 to 256");
    }
  }
}

}  // namespace
}  // namespace assay::offload
