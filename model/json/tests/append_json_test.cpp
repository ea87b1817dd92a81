// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/append_json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "harness/core/text/json_from.hpp"

namespace assay::model {
namespace {

std::string text_of(double value) {
  std::string text;
  append_json(text, value);
  return text;
}

std::string text_of(std::string_view value) {
  std::string text;
  append_json(text, value);
  return text;
}

TEST(AppendJson, WritesANumberSoThatItReadsBackTheSame) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const auto value =
        i % 2 == 0 ? std::bit_cast<double>(random()) : static_cast<double>(random() >> (i % 64U));
    if (!std::isfinite(value)) continue;
    const nlohmann::json read = core::json_from<nlohmann::json>(text_of(value));
    ASSERT_TRUE(read.is_number_float()) << text_of(value);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read.get<double>()), std::bit_cast<std::uint64_t>(value));
  }
}

TEST(AppendJson, WritesANumberThatIsWholeWithAPoint) {
  EXPECT_EQ(text_of(0.0), "0.0");
  EXPECT_EQ(text_of(-0.0), "-0.0");
  EXPECT_EQ(text_of(-3.0), "-3.0");
  EXPECT_EQ(text_of(9e15), "9000000000000000.0");
  EXPECT_EQ(text_of(1e16), "1e+16");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(text_of(std::nan("")), "null");
}

TEST(AppendJson, WritesTextThatEveryReaderTakes) {
  EXPECT_EQ(text_of("a\"b\\c/é"), R"("a\u0022b\u005cc/é")");
  EXPECT_EQ(text_of(std::string_view("\n\0\x7f", 3)), R"("\u000a\u0000\u007f")");
  EXPECT_EQ(text_of("\xff"), "\"\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace assay::model
