// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The texts that json_from() accepts, and at which depth and width it stops.
#include "harness/core/text/json_from.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/core/parse_limits.hpp"

namespace assay::core {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

std::string nested(std::size_t levels, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  text += "1";
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}

std::string object_of(std::size_t keys) {
  std::string text = "{";
  for (std::size_t i = 0; i < keys; ++i)
    text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":" + std::to_string(i);
  return text + "}";
}

TEST(JsonFrom, TakesTextAtItsLimitsAndRefusesTextBeyondThem) {
  for (const auto& [open, close] : {std::pair{"[", "]"}, std::pair{"{\"a\":", "}"}}) {
    EXPECT_NO_THROW(json_from<Json>(nested(ParseLimits::levels, open, close)));
    EXPECT_NO_THROW(json_from<Ordered>(nested(ParseLimits::levels, open, close)));
    for (const std::size_t levels : {ParseLimits::levels + 1, std::size_t{2100}, std::size_t{3'000'000}}) {
      const std::string deep = nested(levels, open, close);
      EXPECT_THROW(json_from<Json>(deep), Json::parse_error);
      EXPECT_THROW(json_from<Ordered>(deep), Json::parse_error);
      EXPECT_TRUE(json_or_discarded<Json>(deep).is_discarded());
      EXPECT_TRUE(json_or_discarded<Ordered>(deep).is_discarded());
      EXPECT_EQ(json_beyond_limits(deep), "more than 64 levels of lists and objects");
    }
  }
  EXPECT_EQ(json_from<Ordered>(object_of(ParseLimits::keys)).size(), ParseLimits::keys);
  for (const std::size_t keys : {ParseLimits::keys + 1, std::size_t{100'000}}) {
    EXPECT_THROW(json_from<Json>(object_of(keys)), Json::parse_error);
    EXPECT_TRUE(json_or_discarded<Ordered>(object_of(keys)).is_discarded());
    EXPECT_EQ(json_beyond_limits(object_of(keys)), "an object has more than 4096 keys");
  }
}

TEST(JsonFrom, CountsNothingWithinTexts) {
  std::string braces = "\"";
  for (int i = 0; i < 10'000; ++i) braces += "[{:\\\"";
  EXPECT_EQ(json_beyond_limits("[" + braces + "\"]"), "");
  EXPECT_TRUE(json_from<Ordered>("[" + braces + "\"]")[0].is_string());
  EXPECT_EQ(json_beyond_limits("\"\\"), "");
}

TEST(JsonFrom, KeepsTheOrderOfKeysAndTheLastOfEqualOnes) {
  EXPECT_EQ(json_from<Ordered>(R"({"b":1,"a":[{"z":2}],"b":3})").dump(), R"({"b":3,"a":[{"z":2}]})");
  const Ordered large =
      json_from<Ordered>(object_of(1000).substr(0, object_of(1000).size() - 1) + R"(,"17":"x"})");
  EXPECT_EQ(large.size(), 1000U);
  EXPECT_EQ(large["17"], "x");
  EXPECT_EQ(large.begin().key(), "0");
  EXPECT_EQ(large["999"], 999);
}

TEST(JsonFrom, AgreesWithNlohmannsOwnParser) {
  for (const char* text : {"1", "-0.5e3", "\"a\\u00e9\"", "[]", "{}", "null", "[true,false,null]",
                           R"({"a":{"b":{"c":[1,2,{"d":"e"}]}},"f":18446744073709551615})"})
    EXPECT_EQ(json_from<Ordered>(text), Ordered::parse(text)) << text;
  for (const char* text : {"", "{", "[1,]", "{\"a\"}", "nul", "1 2", "\"\x01\"", "[\"\xff\"]"}) {
    EXPECT_THROW(json_from<Ordered>(text), Json::parse_error) << text;
    EXPECT_TRUE(json_or_discarded<Ordered>(text).is_discarded()) << text;
  }
}

TEST(JsonFrom, RefusesANumberBeyondADoubleAsItRefusesOtherText) {
  for (const char* text : {"1e999", "[-1e999]", "{\"a\":1e400}"}) {
    EXPECT_THROW(json_from<Ordered>(text), Json::parse_error) << text;
    EXPECT_THROW(json_from<Json>(text), Json::parse_error) << text;
    EXPECT_TRUE(json_or_discarded<Ordered>(text).is_discarded()) << text;
    EXPECT_TRUE(json_or_discarded<Json>(text).is_discarded()) << text;
  }
}

}  // namespace
}  // namespace assay::core
