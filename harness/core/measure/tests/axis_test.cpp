// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/axis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::core {
namespace {

using testing::ElementsAre;
using tests::message_of;

const Axis threads{
    "threads", "threads", Domain::integers, {Value{std::int64_t{1}}}, {}, {{"all", std::int64_t{8}}}};
const Axis bytes{"bytes", "footprint", Domain::sizes, {Value{std::int64_t{64}}}};
const Axis store{"store", "kind of store", Domain::words, {Value{"temporal"}}, {"temporal", "nontemporal"}};

std::vector<Value> integers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

TEST(ParseValues, ReadsOneValueRangesAndAliases) {
  EXPECT_EQ(parse_values(threads, "4"), integers({4}));
  EXPECT_EQ(parse_values(threads, "all"), integers({8}));
  EXPECT_EQ(parse_values(threads, "1:9:x2"), integers({1, 2, 4, 8}));
  EXPECT_EQ(parse_values(threads, "0:6:3"), integers({0, 3, 6}));
  EXPECT_EQ(parse_values(bytes, "1KiB:4KiB:x2"), integers({1024, 2048, 4096}));
  EXPECT_EQ(parse_values(bytes, "1KiB:2KiB:512B"), integers({1024, 1536, 2048}));
}

TEST(ParseValues, ARangeAtTheEndOfTheNumbersEnds) {
  EXPECT_EQ(parse_values(threads, "4611686018427387904:9223372036854775807:x2").size(), 1U);
}

TEST(ParseValues, CountsARangeBeforeItMakesIt) {
  EXPECT_EQ(message_of([] { parse_values(bytes, "1:1000000000000:1"); }),
            "axis 'bytes': range '1:1000000000000:1' has 1e+12 values (expected at most 500000)");
  EXPECT_THAT(message_of([] { parse_values(threads, "-9223372036854775808:9223372036854775807:1"); }),
              testing::HasSubstr("has 1.84e+19 values"));
  EXPECT_EQ(parse_values(threads, "1:1000:1").size(), 1000U);
}

TEST(ParseValues, NamesTheAxisAndWhatItTakes) {
  EXPECT_EQ(message_of([] { parse_values(threads, "four"); }),
            "axis 'threads': 'four' is not a whole number (expected one like 8, or a range like 1:64:x2)");
  EXPECT_EQ(message_of([] { parse_values(store, "cached"); }),
            "axis 'store': 'cached' is not one of: temporal nontemporal");
  EXPECT_EQ(message_of([] { parse_values(threads, "8:1:1"); }),
            "axis 'threads': range '8:1:1' is empty (its end is below its start)");
  EXPECT_THAT(message_of([] { parse_values(threads, "1:8:0"); }), testing::HasSubstr("never ends"));
  EXPECT_THAT(message_of([] { parse_values(threads, "0:8:x2"); }), testing::HasSubstr("never ends"));
  EXPECT_THAT(message_of([] { parse_values(bytes, "64Mb"); }), testing::StartsWith("axis 'bytes': '64Mb'"));
}

TEST(Sweep, TakesEveryCombinationLastAxisFastest) {
  Axis one{"a", "", Domain::integers, integers({1, 2})};
  Axis two{"b", "", Domain::words, {Value{"x"}, Value{"y"}}};
  std::vector<std::string> keys;
  for (const Point& point : sweep({one, two})) keys.push_back(point.key());
  EXPECT_THAT(keys, ElementsAre("a=1,b=x", "a=1,b=y", "a=2,b=x", "a=2,b=y"));
}

TEST(Sweep, CountsItsPointsBeforeItMakesThem) {
  std::vector<Axis> axes;
  for (const char* name : {"a", "b", "c", "d"}) axes.push_back({name, "", Domain::integers, integers({1})});
  for (Axis& axis : axes) axis.values.resize(1000, Value{std::int64_t{1}});
  EXPECT_EQ(points_in_sweep(axes), 1e12);
  EXPECT_EQ(message_of([&] { sweep(axes); }), "the sweep has 1e+12 points (expected at most 500000)");
}

TEST(Sweep, AnAxisWithoutValuesIsRefused) {
  EXPECT_EQ(message_of([] { sweep({Axis{"n", "", Domain::integers, {}}}); }),
            "axis 'n' has no value: the sweep is empty");
}

TEST(Point, AsksForTheRightKind) {
  const Point point{{"n", std::int64_t{3}}, {"dtype", "bf16"}};
  EXPECT_EQ(point.integer("n"), 3);
  EXPECT_EQ(point.text("dtype"), "bf16");
  EXPECT_THROW(point.integer("dtype"), Error);
  EXPECT_THROW(point.text("m"), Error);
}

}  // namespace
}  // namespace assay::core
