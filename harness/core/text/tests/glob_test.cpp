// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/glob.hpp"

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace assay::core {
namespace {

TEST(Glob, MatchesTheWholeText) {
  EXPECT_TRUE(glob_matches("memory.*.c?py", "memory.host.copy"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("memory.*", "gemm.memory.x"));
  EXPECT_FALSE(glob_matches("memory.host", "memory.host.copy"));
  EXPECT_TRUE(glob_matches("*copy*threads=2*", "memory.host.copy/bytes=1,threads=2"));
  EXPECT_TRUE(glob_matches("n[1-46]", "n6"));
  EXPECT_FALSE(glob_matches("n[!1-4]", "n3"));
  EXPECT_TRUE(glob_matches("a[b", "a[b"));
  EXPECT_TRUE(glob_matches(R"(a\*)", "a*"));
  EXPECT_FALSE(glob_matches(R"(a\*)", "ab"));
}

TEST(Glob, MayMatchWhatBeginsSo) {
  EXPECT_TRUE(glob_may_match("a.b/c=1", "a.b/"));
  EXPECT_TRUE(glob_may_match("a*=1", "a.b/"));
  EXPECT_TRUE(glob_may_match("*", "a.b/"));
  EXPECT_TRUE(glob_may_match("a.[bc]/*", "a.b/"));
  EXPECT_FALSE(glob_may_match("a.b", "a.b/"));
  EXPECT_FALSE(glob_may_match("a.c/*", "a.b/"));
}

/// Without ranges like "[b-]" and classes like "[:alpha:]", on which C libraries differ.
TEST(Glob, AgreesWithTheCLibrary) {
  const std::vector<std::string> parts = {"a",    "b",     "c",     "]",     "*",     "*",
                                          "?",    R"(\a)", R"(\*)", R"(\[)", "[a-b]", "[!a]",
                                          "[]a]", "[!]b]", "[^ab]", "[abc]"};
  const std::string letters = "abc]*?[";
  std::mt19937 random(7);
  int matched = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string pattern, text;
    for (auto part = random() % 6; part > 0; --part) pattern += parts[random() % parts.size()];
    for (auto length = random() % 6; length > 0; --length) text += letters[random() % letters.size()];
    const bool expected = fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
    ASSERT_EQ(glob_matches(pattern, text), expected) << pattern << " " << text;
    matched += expected ? 1 : 0;
  }
  EXPECT_GT(matched, 5'000);
}

TEST(Glob, OfManyStarsEnds) {
  std::string pattern;
  for (int i = 0; i < 2'000; ++i) pattern += "*a";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(20'000, 'a')));
}

}  // namespace
}  // namespace assay::core
