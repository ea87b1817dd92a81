// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/stop_request.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::core {
namespace {

class StopRequest : public testing::Test {
 protected:
  ~StopRequest() override { withdraw_stop_request(); }
};

TEST_F(StopRequest, EndsAWaitOnceItsGraceIsOver) {
  EXPECT_NO_THROW(end_wait_if_stopped("a block"));
  request_stop(0);
  EXPECT_THROW(end_wait_if_stopped("a block"), Interrupted);
  EXPECT_EQ(tests::message_of([] { end_wait_if_stopped("a block"); }),
            "asked to stop while it waited for a block");
}

TEST_F(StopRequest, LeavesASampleTheTimeToEnd) {
  request_stop(1000);
  EXPECT_FALSE(is_stop_overdue());
  request_stop(0);
  EXPECT_FALSE(is_stop_overdue()) << "the first request counts";
}

}  // namespace
}  // namespace assay::core
