// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "harness/core/error.hpp"
#include "harness/workload/transformer.hpp"

namespace assay::workload {
namespace {

const std::string good = R"(name = "tiny"
hidden = 64
feed_forward = 256
heads = 8
kv_heads = 2
head_size = 8
gated = true
layers = 3
)";

std::string complaint(const std::string& text) {
  try {
    parse_model(text, "tiny.toml");
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = good;
  return text.replace(text.find(from), from.size(), to);
}

TEST(ModelFile, IsReadWhole) {
  const Transformer model = parse_model(good, "tiny.toml");
  EXPECT_EQ(model.name, "tiny");
  EXPECT_EQ(model.hidden, 64);
  EXPECT_EQ(model.feed_forward, 256);
  EXPECT_EQ(model.heads, 8);
  EXPECT_EQ(model.kv_heads, 2);
  EXPECT_EQ(model.head_size, 8);
  EXPECT_TRUE(model.gated);
  EXPECT_EQ(model.layers, 3);
}

TEST(ModelFile, UnknownKeyIsNamedWithItsLine) {
  EXPECT_EQ(
      complaint(good + "width = 3\n"),
      "tiny.toml:9: width: unknown key (expected name, hidden, feed_forward, heads, kv_heads, head_size, "
      "gated, layers)");
}

TEST(ModelFile, WrongTypeIsNamedWithItsLine) {
  EXPECT_EQ(complaint(with("hidden = 64", "hidden = \"64\"")),
            "tiny.toml:2: hidden: expected a whole number from 1 to 1073741824");
  EXPECT_EQ(complaint(with("hidden = 64", "hidden = 64.0")),
            "tiny.toml:2: hidden: expected a whole number from 1 to 1073741824");
  EXPECT_EQ(complaint(with("heads = 8", "heads = 0")),
            "tiny.toml:4: heads: expected a whole number from 1 to 1073741824, got 0");
  EXPECT_EQ(complaint(with("gated = true", "gated = 1")), "tiny.toml:7: gated: expected true or false");
  EXPECT_EQ(complaint(with("\"tiny\"", "\"\"")), "tiny.toml:1: name: expected text in quotation marks");
}

TEST(ModelFile, MissingKeyIsNamed) {
  EXPECT_EQ(complaint(with("layers = 3\n", "")), "tiny.toml:1: layers: missing: expected a whole number");
}

TEST(ModelFile, HeadsThatCannotBeGroupedAreRefused) {
  EXPECT_EQ(complaint(with("kv_heads = 2", "kv_heads = 3")),
            "tiny.toml:1: 8 heads cannot be grouped over 3 kv heads");
}

TEST(ModelFile, SyntaxErrorNamesItsLine) {
  EXPECT_EQ(complaint(with("heads = 8", "heads = = 8")).rfind("tiny.toml:4: ", 0), 0u);
}

TEST(ModelFile, AbsentFileIsNamed) {
  try {
    find_model("/nonexistent/tiny.toml");
    FAIL() << "an absent file was accepted";
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "/nonexistent/tiny.toml: cannot be read; expected a model in TOML");
  }
}

}  // namespace
}  // namespace assay::workload
