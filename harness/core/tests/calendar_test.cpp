// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/calendar.hpp"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

using namespace std::chrono_literals;

TEST(IsoTime, IsRoundedDownOnBothSidesOf1970) {
  const std::chrono::system_clock::time_point epoch;
  EXPECT_EQ(iso_time(epoch), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(epoch + 1999999us), "1970-01-01T00:00:01.999Z");
  EXPECT_EQ(iso_time(epoch - 1ms), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(iso_time(epoch - 407ms - 204107267s), "1963-07-14T15:32:12.593Z");
}

}  // namespace
}  // namespace assay::core
