// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/table/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "results/table/aligned_text.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

Table birds() {
  return {.title = "Birds",
          .notes = {"Two birds."},
          .columns = {{"name"},
                      {"size", "", Kind::bytes},
                      {"speed", "m/s", Kind::number},
                      {"n", "", Kind::count}},
          .rows = {{std::string("swift"), std::int64_t{65536}, Number{31.25, 30.0, 32.5}, std::int64_t{12}},
                   {std::string("wren, \"the\" | small"), Cell(), Number{0.5}, Cell()}}};
}

TEST(NumberText, ShowsNoMoreDigitsThanTheIntervalSupports) {
  EXPECT_EQ(number_text({21.47483648, 21.25, 21.69}), "21.47 ± 0.23");
  EXPECT_EQ(number_text({1234.567, 1200, 1270}), "1235 ± 36");
  EXPECT_EQ(number_text({21.47483648, 21.47483, 21.47484}), "21.47 ± 0.01") << "never narrower than measured";
  EXPECT_EQ(number_text({89.3, 88, 90}), "89.3 ± 1.3") << "the wider side";
  EXPECT_EQ(number_text({89.3, 88, 120}), "89.30 [88.00, 120.0]") << "a lopsided interval shows both ends";
  EXPECT_EQ(number_text({5, 5, 5}), "5.000 ± 0.000");
  EXPECT_EQ(number_text({5, 5, 5.00001}), "5.000 ± 0.001") << "lopsided, but below the last digit";
}

TEST(NumberText, WithoutAnIntervalShowsFourDigits) {
  EXPECT_EQ(number_text({1.0 / 3}), "0.3333");
  EXPECT_EQ(number_text({123456.7}), "123457");
  EXPECT_EQ(number_text({1.5e12}), "1.500e+12");
  EXPECT_EQ(number_text({2.5e-7}), "2.500e-07");
  EXPECT_EQ(number_text({0}), "0.000");
  EXPECT_EQ(number_text({NAN, 1, 2}), "-");
  EXPECT_EQ(number_text({7, NAN, 9}), "7.000");
}

TEST(BytesText, IsExact) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1000), "1000 B");
  EXPECT_EQ(bytes_text(65536), "64 KiB");
  EXPECT_EQ(bytes_text(1536LL * 1024 * 1024), "1536 MiB");
  EXPECT_EQ(bytes_text(1LL << 40), "1 TiB");
}

TEST(Render, TextIsAlignedByCharactersNotBytes) {
  EXPECT_EQ(to_text(birds()),
            "Birds\n\n"
            "name                   size  speed (m/s)   n\n"
            "-------------------  ------  -----------  --\n"
            "swift                64 KiB   31.2 ± 1.3  12\n"
            "wren, \"the\" | small       -       0.5000   -\n"
            "\nTwo birds.\n");
}

TEST(Render, TheOriginIsInTheHeadingAndTheLastColumnOfCsv) {
  Table table = birds();
  table.origin = "imported";
  EXPECT_THAT(to_text(table), testing::StartsWith("Birds (imported)\n"));
  EXPECT_THAT(to_markdown(table), testing::StartsWith("### Birds (imported)\n"));
  EXPECT_THAT(to_csv(table),
              testing::HasSubstr("speed upper,n,origin\nswift,65536,31.25,30,32.5,12,imported\n"));
  EXPECT_EQ(core::json_from<nlohmann::json>(to_json(table)).at("origin"), "imported");
  EXPECT_THAT(to_csv(birds()), testing::Not(testing::HasSubstr("origin"))) << "unknown";
}

TEST(Render, OneOriginOfAllRowsIsInTheHeadingAndSeveralStayAColumn) {
  Table table{.title = "T", .columns = {{"a"}, {"origin", "", Kind::word, true, true}}};
  table.rows = {{std::string("x"), std::string("imported")}, {std::string("y"), Cell()}};
  name_origin(table, "imported");
  EXPECT_EQ(to_text(table), "T (imported)\n\na\n-\nx\ny\n");
  EXPECT_EQ(to_csv(table), "a,origin\nx,imported\ny,imported\n");
  EXPECT_EQ(core::json_from<nlohmann::json>(to_json(table)).at("origin"), "imported");
  table.rows.back().back() = std::string("measured");
  EXPECT_THAT(to_text(table), testing::StartsWith("T\n\na  origin\n"));
}

/// As assay check and accept have them: few short columns, and a sentence.
Table findings() {
  return {.title = "Health",
          .columns = {{"status", "", Kind::word}, {"check", "", Kind::word}, {"unit"}, {"because"}},
          .rows = {{std::string("unknown"), std::string("host.memory_errors"), std::string("host"),
                    std::string("no memory controller is known to the kernel, so errors are not counted")},
                   {std::string("failed"), std::string("gpu.row_remap"), std::string("gpu3"),
                    std::string("a row waits for a reset")}}};
}

TEST(Render, AReasonIsWrappedWhereTheTerminalIsNarrow) {
  EXPECT_EQ(to_text(findings(), 72),
            "Health\n\n"
            "status   check               unit  because\n"
            "-------  ------------------  ----  -------------------------------------\n"
            "unknown  host.memory_errors  host  no memory controller is known to the\n"
            "                                   kernel, so errors are not counted\n"
            "failed   gpu.row_remap       gpu3  a row waits for a reset\n");
}

TEST(Render, WhatTakesTooManyLinesStandsBelowItsRow) {
  EXPECT_EQ(to_text(findings(), 50),
            "Health\n\n"
            "status   check               unit\n"
            "-------  ------------------  ----\n"
            "unknown  host.memory_errors  host\n"
            "    because: no memory controller is known to the\n"
            "    kernel, so errors are not counted\n"
            "failed   gpu.row_remap       gpu3\n"
            "    because: a row waits for a reset\n");
}

TEST(Render, NothingIsCutHoweverNarrowTheTerminalIs) {
  for (const int width : {1, 7, 20, 33, 80, 120}) {
    std::string text = to_text(findings(), width);
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("…"))) << width;
    std::erase_if(text, [](char byte) { return byte == ' ' || byte == '\n'; });
    EXPECT_THAT(text, testing::HasSubstr("host.memory_errors")) << width;
    EXPECT_THAT(text, testing::HasSubstr("soerrorsarenotcounted")) << width;
  }
  EXPECT_THAT(to_text(birds(), 40), testing::HasSubstr("31.2 ± 1.3"));
}

TEST(Render, RowsThatOnlyTheEndOfALongWordTellsApartCanBeToldApart) {
  const Table points{.title = "Points",
                     .columns = {{"point"}, {"time", "us", Kind::number}},
                     .rows = {{std::string("memory.host.copy/bytes=1073741824,threads=2"), Number{1}},
                              {std::string("memory.host.copy/bytes=1073741824,threads=4"), Number{2}}}};
  EXPECT_EQ(to_text(points, 36),
            "Points\n\n"
            "point                      time (us)\n"
            "-------------------------  ---------\n"
            "memory.host.copy/              1.000\n"
            "bytes=1073741824,\n"
            "threads=2\n"
            "memory.host.copy/              2.000\n"
            "bytes=1073741824,\n"
            "threads=4\n");
}

TEST(Render, ANarrowTerminalHasWhatAllRowsShareAboveThem) {
  Table table = findings();
  table.rows[1][0] = std::string("unknown");
  EXPECT_THAT(to_text(table, 72), testing::StartsWith("Health\n\nEvery row: status unknown.\n\ncheck "));
  EXPECT_THAT(to_text(table, 200), testing::StartsWith("Health\n\nstatus "));
  table.rows[0][3] = table.rows[1][3] =
      std::string("the kernel knows no memory controller: errors are not counted");
  EXPECT_THAT(to_text(table, 72),
              testing::HasSubstr(
                  "Every row: because the kernel knows no memory controller: errors are not\ncounted\n"));
}

TEST(Render, AColumnThatSaysNothingIsGone) {
  Table table = findings();
  table.columns.insert(table.columns.begin() + 1, {"limit", "GB/s", Kind::number});
  for (auto& row : table.rows) row.insert(row.begin() + 1, Cell());
  EXPECT_EQ(to_text(table), to_text(findings()));
  EXPECT_THAT(to_csv(table), testing::StartsWith("status,limit (GB/s),"));
}

TEST(Render, WideTextHasEveryColumnAndOneLineARow) {
  Table table = findings();
  table.columns[2].folds = true;
  table.rows[1][2] = std::string("host");
  table.columns.insert(table.columns.begin() + 2, {"limit", "GB/s", Kind::number});
  for (auto& row : table.rows) row.insert(row.begin() + 2, Cell());
  std::string wide;
  write_wide_text(table, [&](std::string_view piece) { wide += piece; });
  EXPECT_THAT(wide,
              testing::StartsWith("Health\n\nstatus   check               limit (GB/s)  unit  because\n"));
  EXPECT_THAT(wide, testing::HasSubstr(
                        "\nfailed   gpu.row_remap                  -  host  a row waits for a reset\n"));
}

TEST(Render, AColumnThatDoesNotVaryIsToldOnce) {
  const Table table{.title = "T",
                    .notes = {},
                    .columns = {{"a"}, {"b", "", Kind::bytes, true}, {"c", "", Kind::count, true}},
                    .rows = {{std::string("x"), std::int64_t{1024}, std::int64_t{1}},
                             {std::string("y"), std::int64_t{1024}, std::int64_t{2}}}};
  EXPECT_EQ(to_text(table), "T\n\nEvery row: b 1 KiB.\n\na  c\n-  -\nx  1\ny  2\n");
  EXPECT_THAT(to_csv(table), testing::HasSubstr("x,1024,1\n"));
}

TEST(Render, AnEmptyTableSaysNone) {
  EXPECT_EQ(to_text({.title = "T", .notes = {}, .columns = {{"a"}}, .rows = {}}), "T: none\n");
}

TEST(Render, ALineBreakInAWordDoesNotBreakTheTable) {
  const Table table{.title = "T", .notes = {}, .columns = {{"a"}}, .rows = {{std::string("x\ny")}}};
  EXPECT_EQ(to_text(table), "T\n\na\n---\nx y\n");
}

TEST(Render, CsvKeepsEveryDigitAndQuotes) {
  EXPECT_EQ(to_csv(birds()),
            "name,size,speed (m/s),speed lower,speed upper,n\n"
            "swift,65536,31.25,30,32.5,12\n"
            "\"wren, \"\"the\"\" | small\",,0.5,,,\n");
}

TEST(Render, CsvGivesASpreadsheetNoFormula) {
  const Table table{.title = "T",
                    .notes = {},
                    .columns = {{"=a"}, {"b", "", Kind::number}, {"c", "", Kind::count}},
                    .rows = {{std::string("@SUM(1,2)"), Number{-1.5}, std::int64_t{-3}},
                             {std::string("-5.0 %"), std::string("+x"), Cell()}},
                    .origin = "=imported"};
  EXPECT_EQ(
      to_csv(table),
      "'=a,b,b lower,b upper,c,origin\n\"'@SUM(1,2)\",-1.5,,,-3,'=imported\n-5.0 %,'+x,,,,'=imported\n");
}

TEST(Render, AWordInAColumnOfNumbersKeepsItsPlaceInCsv) {
  const Table table{.title = "T",
                    .notes = {},
                    .columns = {{"a", "", Kind::number}, {"b"}},
                    .rows = {{std::string("none"), std::string("x")}}};
  EXPECT_EQ(to_csv(table), "a,a lower,a upper,b\nnone,,,x\n");
}

TEST(Render, MarkdownEscapesBars) {
  EXPECT_THAT(to_markdown(birds()), testing::HasSubstr("| wren, \"the\" \\| small | - | 0.5000 | - |"));
  EXPECT_THAT(to_markdown(birds()), testing::HasSubstr("| --- | ---: | ---: | ---: |"));
}

TEST(Render, JsonIsValidAndKeepsIntervals) {
  const auto json = core::json_from<nlohmann::json>(to_json(birds()));
  EXPECT_EQ(json["rows"][0][2]["upper"], 32.5);
  EXPECT_EQ(json["rows"][0][1], 65536);
  EXPECT_TRUE(json["rows"][1][1].is_null());
  EXPECT_EQ(json["columns"][2]["unit"], "m/s");
}

TEST(Folded, AColumnThatMayLackIsToldWhereARowHasIt) {
  Table table{.title = "t", .notes = {}, .columns = {}, .rows = {}};
  table.columns = {{"a", "", Column::Kind::word},
                   {"shift", "", Column::Kind::count, true, true},
                   {"mtu", "", Column::Kind::count, true, true},
                   {"alone", "", Column::Kind::number, false, true}};
  table.rows = {{std::string("x"), std::int64_t{1}, std::int64_t{0}, {}},
                {std::string("y"), {}, std::int64_t{0}, {}}};
  const Table rest = folded(table);
  ASSERT_EQ(rest.columns.size(), 1u);
  EXPECT_THAT(rest.notes, testing::ElementsAre("Every row: mtu 0.", "Where a row has it: shift 1."));
  table.rows[1][1] = std::int64_t{2};
  EXPECT_EQ(folded(table).columns.size(), 2u);
  table.rows[1][3] = Number{5};
  EXPECT_EQ(folded(table).columns.size(), 3u) << "one that does not fold stays as soon as a row has a value";
}

TEST(Folded, AColumnThatMayLackFoldsInATableOfOneRowAndOthersDoNot) {
  Table table{.title = "t", .notes = {}, .columns = {}, .rows = {}};
  table.columns = {{"a", "", Column::Kind::word, true}, {"mtu", "", Column::Kind::count, true, true}};
  table.rows = {{std::string("x"), std::int64_t{0}}};
  ASSERT_EQ(folded(table).columns.size(), 1u);
  EXPECT_EQ(folded(table).columns[0].name, "a");
}

TEST(CellText, OfNegativeBytesIsAPlainNumber) {
  EXPECT_EQ(cell_text(std::int64_t{-1}, Column::Kind::bytes), "-1");
}

}  // namespace
}  // namespace assay::results
