// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/status_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <thread>

namespace assay::cli {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

TEST(StatusLine, SaysOnATerminalHowFarItIsAndIsGoneAtTheEnd) {
  std::ostringstream out;
  {
    StatusLine line(out, true, "simulating ring", milliseconds(0), milliseconds(1));
    line.show(0, 40);
    line.show(7, 40);
    line.show(6, 40);  // a slower thread
    std::this_thread::sleep_for(milliseconds(100));
  }
  EXPECT_THAT(out.str(), AllOf(HasSubstr("\r\033[Ksimulating ring: step 8 of 40"), EndsWith("\r\033[K")));
}

TEST(StatusLine, OfWhatIsShortOrNotOnATerminalIsSilent) {
  std::ostringstream out;
  {
    StatusLine brief(out, true, "simulating ring");
    brief.show(1, 2);
    StatusLine piped(out, false, "simulating ring", milliseconds(0), milliseconds(1));
    piped.show(1, 2);
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_EQ(out.str(), "");
}

TEST(StatusLine, TheTimeLeftIsOfThePaceSoFar) {
  EXPECT_EQ(time_left_text(25, 100, 10), ", about 30 s left");
  EXPECT_EQ(time_left_text(0, 100, 10), "");
  EXPECT_EQ(time_left_text(100, 100, 10), "");
  EXPECT_EQ(time_left_text(99, 100, 10), "");
}

}  // namespace
}  // namespace assay::cli
