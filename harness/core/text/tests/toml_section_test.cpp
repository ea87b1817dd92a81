// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/toml_section.hpp"

#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"

namespace assay::core {
namespace {

using tests::message_of;

std::string said(const std::string& text, const auto& read) {
  const TomlFile file(text, "a.toml");
  return message_of([&] { static_cast<void>(read(file.root())); });
}

TEST(TomlSection, NamesFileLineKeyAndWhatWasExpected) {
  const auto number = [](const Terms& terms) {
    return [terms](const TomlSection& root) { return root.number("a", terms); };
  };
  EXPECT_EQ(said("\na = 'x'", number(any_value)), "a.toml:2: a: expected a number");
  EXPECT_EQ(said("a = nan", number(from_zero)), "a.toml:1: a: expected a number of at least 0");
  EXPECT_EQ(said("a = 0", number(above_zero)), "a.toml:1: a: expected a number above 0, got 0");
  EXPECT_EQ(said("a = 2", number(core::share)), "a.toml:1: a: expected a number from 0 to 1, got 2");
  EXPECT_EQ(said("a = 1", number({.lowest = 0, .highest = 1, .excludes_highest = true})),
            "a.toml:1: a: expected a number of at least 0 and below 1, got 1");
  EXPECT_EQ(said("a = 9", number({.highest = 8})), "a.toml:1: a: expected a number of at most 8, got 9");
  EXPECT_EQ(said("a = -1", number(above_zero.saying("days"))),
            "a.toml:1: a: expected a number above 0, got -1: days");
  EXPECT_EQ(said("a = 1.5", [](const TomlSection& root) { return root.count("a"); }),
            "a.toml:1: a: expected a whole number from 1 to 1073741824");
  EXPECT_EQ(said("a = ''", [](const TomlSection& root) { return root.word("a"); }),
            "a.toml:1: a: expected text in quotation marks");
  EXPECT_EQ(said("a = []", [](const TomlSection& root) { return root.scalars("a"); }),
            "a.toml:1: a: the list is empty: expected text, a whole number, or a list of them");
}

TEST(TomlSection, OfATableNamesTheWholeKeyAndTheNearestOfThoseItKnows) {
  const auto allow = [](const TomlSection& root) { return root.table("b")->allow({"size", "name"}), 0; };
  EXPECT_EQ(said("[b]\nsized = 3", allow),
            "a.toml:2: b.sized: unknown key (expected size, name); did you mean size?");
}

TEST(TomlSection, OfWhatAFlagReplacedNamesTheFlagInsteadOfTheLine) {
  TomlFile file("b = { a = 0 }", "a.toml");
  file.source.replaced = {{"b.a", "--set"}};
  EXPECT_EQ(message_of([&] { file.root().table("b")->above_zero("a"); }),
            "--set b.a: expected a number above 0, got 0");
}

TEST(TomlSection, ReadsWhatIsThereAndNothingOfWhatIsNot) {
  const TomlFile file("a = 3\nb = ['x', 4]\nc = '2KiB'\n[[d]]\nat = true\n", "a.toml");
  const TomlSection root = file.root();
  EXPECT_EQ(root.number("a"), 3.0);
  EXPECT_EQ(root.whole("a"), 3);
  EXPECT_EQ(root.scalars("b"), (std::vector<std::string>{"x", "4"}));
  EXPECT_EQ(root.bytes("c"), 2048U);
  ASSERT_EQ(root.tables("d").size(), 1U);
  EXPECT_EQ(root.tables("d")[0].yes_or_no("at"), true);
  EXPECT_EQ(root.tables("d")[0].place(), "a.toml:4");
  EXPECT_FALSE(root.word("e"));
  EXPECT_TRUE(root.tables("e").empty());
}

}  // namespace
}  // namespace assay::core
