// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Packed rows are read as they were added.
#include "results/judge/verdict/verdict_rows.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "results/judge/tests/sample_verdicts.hpp"
#include "results/judge/verdict/shared_texts.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;

std::string json_of_row(const VerdictRow& row) { return to_json({.rows = {row}}); }

std::vector<std::string> units_of(const VerdictRows& rows) {
  std::vector<std::string> units;
  for (const VerdictRow& row : rows) units.push_back(row.unit);
  return units;
}

/// Every number there or not, each text, and no two rows alike.
std::vector<VerdictRow> rows_with_everything() {
  std::vector<VerdictRow> rows = test::sample_verdicts().rows.unpacked();
  for (unsigned there = 0; there < 128; ++there) {
    const auto number = [&](unsigned bit) {
      return (there >> bit & 1U) != 0 ? std::optional(there + bit / 8.0) : std::nullopt;
    };
    VerdictRow row{.unit = fmt::format("h{}", there % 3), .kind = "gpu", .metric = "m"};
    if (number(0)) row.value = Number{*number(0), number(1), number(2)};
    if (number(3)) row.limit = VerdictLimit{number(4), number(5)};
    row.smallest_defect = number(6);
    row.evidence.assign(there % 4, fmt::format("line {}\nof it", there));
    if (there % 2 == 1) row.evidence.emplace_back();
    if (there % 3 == 1) row.action = static_cast<Action>(there % 10);
    row.because = std::string(there % 50 == 1 ? 70000 : there, 'b');
    row.verdict = static_cast<Verdict>(there % 4);
    row.excused = row.verdict == Verdict::not_run;
    row.n = there * 100000000000;
    rows.push_back(row);
  }
  return rows;
}

TEST(VerdictRows, AreReadAsTheyWereAdded) {
  const std::vector<VerdictRow> rows = rows_with_everything();
  const VerdictRows packed = rows;
  ASSERT_EQ(packed.size(), rows.size());
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const VerdictRow row = packed[at];
    EXPECT_EQ(json_of_row(row), json_of_row(rows[at])) << at;
    EXPECT_EQ(row.evidence, rows[at].evidence) << at;
    EXPECT_EQ(row.limit.has_value(), rows[at].limit.has_value()) << at;
    EXPECT_EQ(packed.unit(at), rows[at].unit);
    EXPECT_EQ(word_of(packed.mark(at)), word_of(rows[at]));
  }
  EXPECT_THROW(packed.at(rows.size()), std::out_of_range);
}

TEST(VerdictRows, ThatWereCopiedGrowOnTheirOwn) {
  VerdictRows one{{.unit = "a"}};
  VerdictRows other = one;
  one.push_back({.unit = "b"});
  other.push_back({.unit = "c"});
  EXPECT_THAT(units_of(one), ElementsAre("a", "b"));
  EXPECT_THAT(units_of(other), ElementsAre("a", "c"));
  one.append(other);
  one.append(one);
  EXPECT_THAT(units_of(one), ElementsAre("a", "b", "a", "c", "a", "b", "a", "c"));
}

TEST(VerdictRows, AreOfTheOriginThatWasNamedAfterThem) {
  VerdictRows rows{{.unit = "a"}, {.unit = "b", .origin = "measured"}};
  const VerdictRows before = rows;
  rows.name_origin("imported");
  rows.push_back({.unit = "c"});
  EXPECT_EQ(rows[0].origin, "imported");
  EXPECT_EQ(rows[1].origin, "measured");
  EXPECT_EQ(rows[2].origin, "");
  EXPECT_EQ(before[0].origin, "");
  EXPECT_THAT(rows.origins(), ElementsAre("imported", "measured"));
}

TEST(VerdictRows, AreSortedByGravityAndElseStay) {
  VerdictRows rows{{.unit = "a", .verdict = Verdict::pass},
                   {.unit = "b", .excused = true},
                   {.unit = "c", .verdict = Verdict::fail},
                   {.unit = "d", .verdict = Verdict::pass},
                   {.unit = "e", .verdict = Verdict::fail}};
  rows.sort_by_gravity();
  EXPECT_THAT(units_of(rows), ElementsAre("c", "e", "a", "d", "b"));
}

TEST(SharedTexts, HaveTheNumberThatTheyHadAtFirst) {
  SharedTexts texts;
  for (const bool again : {false, true})
    for (std::uint32_t i = 0; i < 500; ++i) {
      const std::string text = std::string(i % 50 == 0 ? 70000 : 3, 'x') + std::to_string(i);
      EXPECT_EQ(texts.number_of(text), i) << again;
      EXPECT_EQ(texts[i], text);
    }
  EXPECT_EQ(texts.size(), 500U);
}

TEST(SharedTexts, RankByTheirBytes) {
  SharedTexts texts;
  for (const char* text : {"b", "", "a\xff", "a", "B"}) texts.number_of(text);
  EXPECT_THAT(texts.ranks(), ElementsAre(4, 0, 3, 2, 1));
}

}  // namespace
}  // namespace assay::results
