// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/long_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>

#include "harness/core/error.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::core {
namespace {

/// Lines that differ, of so many bytes at least.
std::string numbered_lines(std::size_t bytes) {
  std::string lines;
  for (std::size_t i = 0; lines.size() < bytes; ++i) lines += std::to_string(i) + "\n";
  return lines;
}

TEST(LongText, IsWhatWasWrittenWhereverItIsHeld) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, LongText::most_held, LongText::most_held + 9,
                                 4 * LongText::most_held}) {
    const std::string lines = numbered_lines(size);
    const LongText text = LongText::of([&](const ByteSink& sink) {
      for (std::size_t at = 0; at < lines.size(); at += 1000) sink(std::string_view(lines).substr(at, 1000));
    });
    EXPECT_EQ(text.size(), lines.size());
    EXPECT_EQ(text.empty(), size == 0);
    EXPECT_EQ(text.digest(), sha256(lines));
    EXPECT_TRUE(text.text() == lines) << size;
    EXPECT_TRUE(text == LongText(lines)) << size;
    EXPECT_FALSE(text == LongText(lines + "x")) << size;
  }
}

TEST(LongText, IsReadByManyFromTheFirstByte) {
  const std::string lines = numbered_lines(2 * LongText::most_held);
  const LongText text(lines), copy = text;
  const ByteSource one = text.source(), other = copy.source();
  std::string of_one(700'000, '\0'), of_other(10, '\0');
  EXPECT_EQ(one(of_one.data(), of_one.size()), of_one.size());
  EXPECT_EQ(other(of_other.data(), of_other.size()), of_other.size());
  EXPECT_TRUE(lines.starts_with(of_one));
  EXPECT_EQ(of_other, lines.substr(0, 10));
  EXPECT_EQ(one(of_one.data(), 5), 5U);
  EXPECT_EQ(of_one.substr(0, 5), lines.substr(700'000, 5));
}

TEST(LongText, IsWrittenOnInSmallPieces) {
  const LongText text(numbered_lines(3 * LongText::most_held));
  std::size_t largest = 0, all = 0;
  text.write_to([&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    all += piece.size();
  });
  EXPECT_LE(largest, std::size_t{1} << 16);
  EXPECT_EQ(all, text.size());
}

TEST(LongText, ThatFindsNoRoomSaysWhichVariableNamesAnotherFolder) {
  struct rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handled = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small{.rlim_cur = 4096, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said = tests::message_of([] { LongText(std::string(2 * LongText::most_held, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handled);
  EXPECT_EQ(said, "a temporary file cannot be written: File too large (TMPDIR names another folder)");
}

}  // namespace
}  // namespace assay::core
