// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parser against nlohmann's on all that RFC 8259 allows, what it refuses, and that neither depth nor size
// nor equal keys cost more than they should.
#include "model/json/json_document.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/text/json_from.hpp"

namespace assay::model {
namespace {

using core::tests::message_of;
using nlohmann::json;
using testing::HasSubstr;

/// Texts that are JSON, and texts that nearly are.
constexpr auto texts = std::to_array<const char*>({"0",
                                                   "-0",
                                                   "-0.0",
                                                   "1",
                                                   "-1",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "9223372036854775808",
                                                   "18446744073709551615",
                                                   "18446744073709551616",
                                                   "-9223372036854775809",
                                                   "1e5",
                                                   "1E+5",
                                                   "1e-5",
                                                   "0.1",
                                                   "123456789012345678",
                                                   "1234567890123456789",
                                                   "0.30000000000000004",
                                                   "1.7976931348623157e308",
                                                   "5e-324",
                                                   "2.2250738585072011e-308",
                                                   "1e-400",
                                                   "9007199254740993.0",
                                                   "123456789.123456789e-22",
                                                   "1e22",
                                                   "1e23",
                                                   "8.5e-23",
                                                   "0e999999999999",
                                                   "00",
                                                   "01",
                                                   "-",
                                                   "+1",
                                                   "1.",
                                                   ".5",
                                                   "1e",
                                                   "1e+",
                                                   "0x10",
                                                   "1_0",
                                                   "NaN",
                                                   "Infinity",
                                                   "-Infinity",
                                                   "nul",
                                                   "truefalse",
                                                   "\"\"",
                                                   "\"a\"",
                                                   "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                                                   "\"\\u0041\\u00e9\\u20ac\"",
                                                   "\"\\uD83D\\uDE00\"",
                                                   "\"\\ud83d\"",
                                                   "\"\\ude00\"",
                                                   "\"\\ud83d\\u0041\"",
                                                   "\"\\ud83dx\"",
                                                   "\"\\u12\"",
                                                   "\"\\x\"",
                                                   "\"\n\"",
                                                   "\"\t\"",
                                                   "\"\x7f\"",
                                                   "\"é€😀\"",
                                                   "\"\xff\"",
                                                   "\"\xc0\xaf\"",
                                                   "\"\xed\xa0\x80\"",
                                                   "\"abcdefg\xc3\"",
                                                   "\"",
                                                   "\"abc",
                                                   "[",
                                                   "]",
                                                   "[]",
                                                   "[1,]",
                                                   "[,1]",
                                                   "[1 2]",
                                                   "{}",
                                                   "{\"a\"}",
                                                   "{\"a\":}",
                                                   "{\"a\":1,}",
                                                   "{a:1}",
                                                   "{1:1}",
                                                   "{\"a\":1 \"b\":2}",
                                                   "{\"a\":{\"b\":[{},[],\"\"]}}",
                                                   " \t\r\n[ 1 , 2 ]\r\n",
                                                   "",
                                                   " ",
                                                   "1 1",
                                                   "[1]x",
                                                   "\xEF\xBB\xBF[1]",
                                                   "/**/1",
                                                   "'a'",
                                                   "{\"\\u0061\":1}"});

std::string said_of(const std::string& text) {
  return message_of([&] { const JsonDocument document("f: ", text); });
}

/// The value as nlohmann's tree.
json tree_of_value(const JsonValue& value) {
  json tree;
  if (value.is_object()) {
    tree = json::object();
    for (const JsonValue member : value) tree[std::string(member.key())] = tree_of_value(member);
  } else if (value.is_array()) {
    tree = json::array();
    for (const JsonValue element : value) tree.push_back(tree_of_value(element));
  } else if (value.is_string()) {
    tree = value.get<std::string>();
  } else if (value.is_boolean()) {
    tree = value.get<bool>();
  } else if (value.is_number_unsigned()) {
    tree = value.get<std::uint64_t>();
  } else if (value.is_number_integer()) {
    tree = value.get<std::int64_t>();
  } else if (value.is_number()) {
    tree = value.get<double>();
  }
  return tree;
}

void expect_same(const std::string& text) {
  const json expected = core::json_or_discarded<json>(text);
  if (expected.is_discarded()) {
    EXPECT_THAT(said_of(text), HasSubstr("f: not JSON: ")) << text;
    return;
  }
  const JsonDocument document("f: ", text);
  const json found = tree_of_value(document.root());
  EXPECT_EQ(found.dump(), expected.dump()) << text;
  EXPECT_EQ(found, expected) << text;
}

TEST(JsonDocument, ReadsWhatTheUsualLibraryReadsAndRefusesWhatItRefuses) {
  for (const char* text : texts) expect_same(text);
  EXPECT_EQ(said_of(std::string("[1]\0", 4)), "f: not JSON: line 1, column 4: expected the end, got '\\x00'");
  expect_same(std::string("\"a\0b\"", 5));
  EXPECT_THAT(said_of("1e999"), HasSubstr("f: not JSON: line 1, column 1: the number is larger than"));
}

TEST(JsonDocument, ReadsMadeUpNumbersAndStringsToTheLastBit) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const auto bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) expect_same(json(value).dump());
    const int digits = static_cast<int>(random() % 19) + 1, exponent = static_cast<int>(random() % 60) - 30;
    expect_same(
        fmt::format("{}.{}e{}", random() % 1000, std::to_string(random()).substr(0, digits), exponent));
    std::string text(random() % 24, '\0');
    for (char& letter : text) letter = "ab\"\\\n\x01 é/"[random() % 9];
    expect_same(json(text).dump(-1, ' ', i % 2 == 0, json::error_handler_t::replace));
  }
}

TEST(JsonDocument, SaysWhereAFaultIs) {
  EXPECT_EQ(said_of("{\n \"a\": [1,\n  2 3]}"),
            "f: not JSON: line 3, column 5: expected ',' or ']', got '3'");
  EXPECT_EQ(said_of("[1"), "f: not JSON: line 1, column 3: expected ',' or ']', got the end");
  EXPECT_EQ(said_of("[\x1b]"), "f: not JSON: line 1, column 2: expected a value, got '\\x1b'");
}

TEST(JsonDocument, FindsMembersOfSmallAndOfLargeObjects) {
  std::string text = "{\"outer\": {";
  for (int i = 0; i < 500; ++i) text += fmt::format("\"key{}\": {}, ", i * 7919 % 500, i);
  const JsonDocument document("f: ", text + "\"last\": -1}, \"b\": 2}");
  const JsonValue outer = document.root().find("outer");
  for (int i = 0; i < 500; ++i)
    EXPECT_EQ(outer.find(fmt::format("key{}", i * 7919 % 500)).get<std::int64_t>(), i);
  EXPECT_EQ(outer.find("last").get<std::int64_t>(), -1);
  EXPECT_FALSE(outer.find("key").found());
  EXPECT_EQ(document.root().find("b").get<std::int64_t>(), 2);
  EXPECT_EQ(document.place_of(outer.find("key3").place()), "f: outer.key3");
}

TEST(JsonDocument, RefusesAKeyThatStandsTwiceWhateverTheObjectsSize) {
  for (const int members : {3, 60, 70, 5000}) {
    std::string text = "{";
    for (int i = 0; i < members; ++i) text += fmt::format("\"k{}\": {{\"k1\": 0}}, ", i);
    EXPECT_EQ(said_of(text + "\"k1\": 0}"), "f: k1: this key is there twice, keep one") << members;
    EXPECT_EQ(said_of(text + "\"k\\u0031\": 0}"), "f: k1: this key is there twice, keep one") << members;
  }
}

TEST(JsonDocument, RefusesWhatIsNestedTooDeepHoweverDeep) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(said_of(nested(64)), "nothing was thrown");
  for (const std::size_t levels : {65U, 100'000U, 10'000'000U})
    EXPECT_EQ(said_of(nested(levels)),
              "f: not JSON: line 1, column 65: expected at most 64 levels of lists and objects, got '['");
}

/// Of this thread, the least of three times.
double cpu_s_to_read(const std::string& text) {
  const auto now_s = [] {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
  };
  double least_s = 1e9;
  for (int time = 0; time < 3; ++time) {
    const double began_s = now_s();
    EXPECT_EQ(said_of(text), "nothing was thrown");
    least_s = std::min(least_s, now_s() - began_s);
  }
  return least_s;
}

/// Small objects in a list, an object of many keys, and a long string of escapes.
TEST(JsonDocument, TakesTimeThatGrowsWithTheText) {
  const auto text_of = [](int shape, std::size_t bytes) {
    std::string text = shape == 0 ? "[" : shape == 1 ? "{" : "\"";
    for (int i = 0; text.size() < bytes; ++i)
      text += shape == 0   ? fmt::format("{{\"a\":{}}},", i)
              : shape == 1 ? fmt::format("\"a{}\":1,", i)
                           : "\\n\\u00e9";
    return text + (shape == 0 ? "1]" : shape == 1 ? "\"b\":1}" : "\"");
  };
  for (const int shape : {0, 1, 2}) {
    const double small_s = cpu_s_to_read(text_of(shape, 250'000));
    // 8 times the text: 64 times as long where the time grows with its square.
    EXPECT_LT(cpu_s_to_read(text_of(shape, 2'000'000)), 24 * small_s) << "shape " << shape;
  }
}

TEST(Shown, IsCompactAndBounded) {
  const auto text = [](const std::string& of) { return shown(JsonDocument("f: ", of).root()); };
  EXPECT_EQ(text(R"({"a": [1, -2, 0.5, true, null], "b": "x\ny"})"),
            R"({"a":[1,-2,0.5,true,null],"b":"x\ny"})");
  const std::string long_text = text("[\"" + std::string(100'000, 'x') + "\", 2]");
  EXPECT_EQ(long_text.size(), 60U);
  EXPECT_TRUE(long_text.ends_with("xxx...")) << long_text;
  const std::string many = text("[" + std::string(R"({"key": [12345]}, )") + R"({"key": [12345]}, )" +
                                R"({"key": [12345]}, {"key": [12345]}, {"key": [12345]}])");
  EXPECT_EQ(many.size(), 60U);
  EXPECT_TRUE(many.ends_with("...")) << many;
}

}  // namespace
}  // namespace assay::model
