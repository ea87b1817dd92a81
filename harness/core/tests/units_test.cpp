// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/units.hpp"

#include <gmock/gmock.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::core {
namespace {

TEST(ParseBytes, ReadsBinaryAndDecimalUnits) {
  EXPECT_EQ(parse_bytes("4096"), 4096);
  EXPECT_EQ(parse_bytes("64KiB"), 65536);
  EXPECT_EQ(parse_bytes("1.5GiB"), 1610612736);
  EXPECT_EQ(parse_bytes("2GB"), 2'000'000'000);
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
  for (const char* text :
       {"", "MiB", "12 MiB", "12Mib", "-1", "0.3B", "9223372036854775808", "1e30GiB", "nan", "inf"})
    EXPECT_THROW(parse_bytes(text), Error) << text;
}

TEST(ParseBytes, SaysWhatWasExpected) {
  EXPECT_EQ(
      tests::message_of([] { parse_bytes("7Mb"); }),
      "'7Mb' is not a size: unit 'Mb' is not one of B KiB MiB GiB TiB kB MB GB TB (expected bytes like 4096, "
      "64MiB, 1.5GiB or 2GB)");
}

TEST(FormatBytes, IsExactAndShort) {
  EXPECT_EQ(format_bytes(0), "0B");
  EXPECT_EQ(format_bytes(1000), "1000B");
  EXPECT_EQ(format_bytes(67108864), "64MiB");
  EXPECT_EQ(format_bytes(1610612736), "1536MiB");
}

TEST(FormatSeconds, ChoosesTheUnit) {
  EXPECT_EQ(format_seconds(1.25e-9), "1.25 ns");
  EXPECT_EQ(format_seconds(0.0456), "45.6 ms");
  EXPECT_EQ(format_seconds(125), "2 min 05 s");
  EXPECT_EQ(format_seconds(2190 * 60 + 52), "36 h 31 min");
  EXPECT_EQ(format_seconds(108'000), "30 h 00 min");
  EXPECT_EQ(format_seconds(1000 * 86400), "1000 days");
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(8, "node"), "8 nodes");
}

TEST(Rates, AreDecimal) {
  EXPECT_DOUBLE_EQ(gb_per_s(2e9, 0.5), 4.0);
  EXPECT_DOUBLE_EQ(tflops(3e12, 1.5), 2.0);
}

TEST(ParseDuration, TakesDaysHoursMinutesAndSeconds) {
  EXPECT_DOUBLE_EQ(parse_step_time_s("12ms", "--at-most"), 0.012);
  EXPECT_DOUBLE_EQ(parse_step_time_s("350us", "--at-most"), 350e-6);
  EXPECT_DOUBLE_EQ(parse_step_time_s("1.5s", "--at-most"), 1.5);
  for (const char* text : {"", "12", "ms", "0ms", "-1ms", "nanms", "12 ms", "1h"})
    EXPECT_THROW(parse_step_time_s(text, "--at-most"), Error) << text;
  EXPECT_EQ(parse_duration_s("12h", "--for"), 43200);
  EXPECT_EQ(parse_duration_s("20s", "--for"), 20);
  EXPECT_EQ(parse_duration_s("1h30m", "--for"), 5400);
  EXPECT_EQ(parse_duration_s("1.5d", "--for"), 129600);
}

TEST(ParseDuration, RefusesWhatIsNoTime) {
  for (const char* text : {"", "12", "h", "12 h", "-1h", "0s", "12x", "nan", "1h30"})
    EXPECT_THAT(tests::message_of([&] { parse_duration_s(text, "--for"); }),
                testing::HasSubstr("--for '" + std::string(text) + "': expected a time such as 20s"))
        << text;
}

}  // namespace
}  // namespace assay::core
