// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/describe/field.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace assay::core {
namespace {

struct Span {
  std::int64_t from = 0, to = 0;
  std::string about;
};
constexpr auto fields_of(Type<Span>) {
  return std::tuple(Field<"from", &Span::from>{from_zero}, Field<"to", &Span::to>{from_one.saying("its end")},
                    Field<"about", &Span::about>{any_value.where_known()});
}

static_assert(Described<Span>);
static_assert(!Described<std::string>);

TEST(Fields, AreVisitedInTheirOrderWithTheirMembers) {
  Span span;
  std::string names;
  each_row(fields_of(Type<Span>()), [&](const auto& row) {
    names += std::string(row.name.view()) + " ";
    if constexpr (std::is_same_v<decltype(value_of(row.member)), Type<std::int64_t>>) span.*(row.member) = 7;
  });
  EXPECT_EQ(names, "from to about ");
  EXPECT_EQ(span.from, 7);
  EXPECT_EQ(span.to, 7);
}

TEST(Fields, HaveNamesOfWhichFilesMustHaveSome) {
  constexpr auto rows = fields_of(Type<Span>());
  EXPECT_THAT(names_of(rows), testing::ElementsAre("from", "to", "about"));
  EXPECT_THAT(required_names_of(rows), testing::ElementsAre("from", "to"));
}

TEST(Terms, BoundNumbersAndLeaveTheUnknownOpen) {
  EXPECT_TRUE(allows(from_zero, 0.0));
  EXPECT_FALSE(allows(from_zero, -1e-9));
  EXPECT_TRUE(allows(from_zero, NAN)) << "unknown";
  EXPECT_FALSE(allows(from_one, 0.0));
  EXPECT_FALSE(allows(above_zero, 0.0));
  EXPECT_TRUE(allows(above_zero, 1e-300));
  EXPECT_TRUE(allows(share, 1.0));
  EXPECT_FALSE(allows(share, 1.5));
  EXPECT_FALSE(allows(share, NAN));
}

TEST(Terms, ChooseTextsByFormAndWords) {
  constexpr std::array<std::string_view, 2> words{"left", "right"};
  EXPECT_TRUE(allows(Terms{.words = words}, "left"));
  EXPECT_FALSE(allows(Terms{.words = words}, "up"));
  EXPECT_FALSE(allows(identity, ""));
  EXPECT_TRUE(allows(any_value, ""));
}

TEST(Terms, OfTimesAreThoseOfIso8601InUtc) {
  for (const char* text : {"2026-11-29T08:30:00Z", "2026-11-29T08:30:00.25Z"})
    EXPECT_TRUE(allows(utc_time, text)) << text;
  for (const char* text : {"", "yesterday", "2026-11-29", "2026-11-29T08:30:00", "2026-11-29T08:30:00+01:00",
                           "2026-11-29 08:30:00Z", "2026-11-29T08:30:00.Z", "2026-11-29T08:30:0xZ"})
    EXPECT_FALSE(allows(utc_time, text)) << text;
}

TEST(Words, AreListedAsAlternatives) {
  constexpr std::array<std::string_view, 4> words{"", "a", "b", "c"};
  EXPECT_EQ(alternatives(words), "a, b or c");
  EXPECT_EQ(alternatives(std::span(words).first(2)), "a");
}

}  // namespace
}  // namespace assay::core
