// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay compare`: runs on each side, exit codes, formats, margins, and one line for input that cannot be
// used.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/core/error.hpp"
#include "harness/front/answers/margin.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using tests::Said;

/// Runs a1 to a4 and b1 to b4 that are equal, slow1 to slow4 that take 20 % longer.
class CompareCommand : public testing::Test {
 protected:
  CompareCommand() {
    results::Store store(folder_ / "s.sqlite"), other(folder_ / "o.sqlite");
    for (int run = 1; run <= 4; ++run) {
      add(store, fmt::format("a{}", run), 1e-4 * (1 + 0.001 * run));
      add(store, fmt::format("b{}", run), 1e-4 * (1 + 0.0011 * run));
      add(store, fmt::format("slow{}", run), 1.2e-4 * (1 + 0.0012 * run));
      add(other, fmt::format("c{}", run), 1e-4 * (1 + 0.0013 * run));
    }
    add(store, "copy-of-a1", 1e-4 * (1 + 0.001));
  }
  Said compare(const std::string& flags) {
    return tests::assay_in(folder_.path(), "compare --store s.sqlite " + flags);
  }
  void expect_line(const std::string& flags, const std::string& line) {
    const Said said = compare(flags);
    EXPECT_EQ(said.exit_code, 2) << flags;
    EXPECT_THAT(said.text, HasSubstr(line)) << flags;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
  }

 private:
  static void add(results::Store& store, const std::string& id, double seconds) {
    results::test::RunBuilder builder(id);
    builder.begin(0, "memory");
    for (std::int64_t repetition = 0; repetition < 2; ++repetition) {
      auto record = builder.point("memory.host.copy", {{"bytes", std::int64_t{4096}}});
      record.repetition = repetition;
      builder.measured(std::move(record), seconds * (1 + 1e-5 * static_cast<double>(repetition)),
                       {"time_us", "us", [](double s) { return s * 1e6; }});
    }
    builder.end();
    store.add(builder.take());
  }

  results::test::TemporaryFolder folder_;
};

TEST_F(CompareCommand, TellsEqualSidesInEveryFormat) {
  const std::string sides = "--baseline a1 a2 a3 a4 --candidate b1 b2 b3 b4 ";
  EXPECT_EQ(compare(sides).exit_code, 0) << compare(sides).text;
  EXPECT_THAT(compare(sides + "--format junit").text,
              HasSubstr("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(compare(sides + "--format prometheus").text,
              HasSubstr("assay_verdict{command=\"compare\",origin=\"simulated\",subject=\"b1 and 3 more "
                        "against a1 and 3 more"));
  EXPECT_THAT(compare(sides + "--format csv").text,
              HasSubstr("PASS,b1 and 3 more,run,memory.host.copy/bytes=4096,"));
  EXPECT_THAT(compare(sides + "--format json").text, HasSubstr("\"command\": \"compare\""));
}

TEST_F(CompareCommand, TakesGlobsAndAllRunsOfAStore) {
  EXPECT_EQ(compare("--baseline 'a*' --candidate 'b*'").exit_code, 0);
  EXPECT_EQ(compare("--baseline 'a*' --candidate 'slow*'").exit_code, 1);
  EXPECT_EQ(compare("--baseline 'a*' --candidate all --store-of-b o.sqlite").exit_code, 0);
}

TEST_F(CompareCommand, OfTwoRunsSaysHowManyWouldDecide) {
  for (const char* runs : {"a1 b1", "a1 slow1"}) {
    const Said said = compare(runs);
    EXPECT_EQ(said.exit_code, 3) << said.text;
    EXPECT_THAT(said.text, HasSubstr("runs on each side would decide"));
  }
}

TEST_F(CompareCommand, RefusesWhatIsNoComparison) {
  expect_line("a1 a1", "run a1 is named twice");
  expect_line("a1 copy-of-a1", "have the same samples");
  expect_line("--baseline a1 a2 copy-of-a1 --candidate 'b*'", "have the same samples");
  expect_line("a1 none", "no run 'none'");
  expect_line("a1", "expected two run ids, or --baseline RUN... --candidate RUN...");
  expect_line("", "expected two run ids");
  expect_line("a1 b1 --baseline a2 --candidate b2", "expected two run ids");
  expect_line("--baseline a2", "expected two run ids");
}

TEST_F(CompareCommand, RefusesMarginsThatAreNone) {
  for (const char* margin : {"nan", "-3%", "0", "inf", "3", "100%", "1e-9", "3percent", "0x1p4"})
    expect_line(fmt::format("a1 b1 --margin='{}'", margin), "expected a margin from 0.01% to 50%");
}

TEST(MarginFlag, IsAShareOrPercents) {
  EXPECT_DOUBLE_EQ(answers::margin_from("--margin", "3%"), 0.03);
  EXPECT_DOUBLE_EQ(answers::margin_from("--margin", "0.03"), 0.03);
  EXPECT_DOUBLE_EQ(answers::margin_from("--margin", "50%"), 0.5);
  EXPECT_DOUBLE_EQ(answers::margin_from("--margin", "0.01%"), 0.0001);
  for (const char* bad : {"NaN", "-nan", "nan%", "-0.03", "0%", "51%", "infinity", "1e400", "3 %", "%", "x"})
    EXPECT_THROW(answers::margin_from("--margin", bad), core::Error) << bad;
}

}  // namespace
}  // namespace assay::cli
