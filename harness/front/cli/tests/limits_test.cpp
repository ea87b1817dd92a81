// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay limits`: a file from a fleet, which `assay accept` reads.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/store/store.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;

class LimitsCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = std::make_unique<core::tests::TemporaryFolder>();
    results::test::put_small_fleet(made_->place("fleet.sqlite"), 1.5);
  }
  static void TearDownTestSuite() { made_.reset(); }
  LimitsCommand() { std::filesystem::remove(made_->place("l.toml")); }
  static tests::Said said(const std::string& arguments) {
    return tests::assay_in(made_->path().string(), arguments);
  }
  static std::unique_ptr<core::tests::TemporaryFolder> made_;
};

std::unique_ptr<core::tests::TemporaryFolder> LimitsCommand::made_;

TEST_F(LimitsCommand, MakesAFileThatAcceptReadsAndRefusesOnceItWasChanged) {
  const tests::Said made =
      said("limits --from-store fleet.sqlite -o l.toml --signed-by 'Ada Lovelace' --coverage 0.7");
  EXPECT_EQ(made.exit_code, 0) << made.text;
  EXPECT_THAT(made.text, HasSubstr("left out as far out: h3"));
  const tests::Said judged = said("accept --store fleet.sqlite --limits l.toml");
  EXPECT_EQ(judged.exit_code, 1) << judged.text;
  EXPECT_THAT(judged.text, HasSubstr("signed by Ada Lovelace on 20"));
  const std::string text = tests::text_of(made_->place("l.toml"));
  std::ofstream(made_->place("l.toml")) << text << "# looser\n";
  const tests::Said changed = said("accept --store fleet.sqlite --limits l.toml");
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_THAT(changed.text,
              HasSubstr("l.toml:8: signed.digest: this file was changed after Ada Lovelace signed"));
}

TEST_F(LimitsCommand, MakesATemplateOfFewNodesThatAcceptJudgesBy) {
  const tests::Said made = said("limits --from-store fleet.sqlite -o l.toml --template --below 20%");
  EXPECT_EQ(made.exit_code, 0) << made.text;
  const std::string text = tests::text_of(made_->place("l.toml"));
  EXPECT_THAT(text, testing::AllOf(HasSubstr("loose limits, unsigned: 20 % worse than what 10 nodes of"),
                                   HasSubstr("assay limits --template, loose: 20 % worse than the median")));
  EXPECT_THAT(text, testing::Not(HasSubstr("[signed]")));
  const tests::Said judged = said("accept --store fleet.sqlite --limits l.toml --only limits --format line");
  EXPECT_EQ(judged.exit_code, 1) << judged.text;
  EXPECT_THAT(judged.text, testing::StartsWith("FAIL: (simulated) h3 "));
}

TEST_F(LimitsCommand, TakesATemplateOrAName) {
  EXPECT_THAT(said("limits --from-store fleet.sqlite -o l.toml").text,
              HasSubstr("--signed-by: expected a person's name, or --template"));
  EXPECT_THAT(said("limits --from-store fleet.sqlite -o l.toml --template --signed-by Ada").text,
              HasSubstr("excludes"));
  EXPECT_THAT(said("limits --from-store fleet.sqlite -o l.toml --template --below lots").text,
              HasSubstr("--below lots: expected a margin"));
}

TEST_F(LimitsCommand, SaysHowManyNodesLackAndWritesNothing) {
  const tests::Said few = said("limits --from-store fleet.sqlite -o l.toml --signed-by Ada");
  EXPECT_EQ(few.exit_code, 3);
  EXPECT_THAT(few.text, HasSubstr("none: 9 nodes, and 59 for 95 % of them with 95 % confidence: 50 lack"));
  EXPECT_THAT(few.text, HasSubstr("no point has a limit: l.toml is not written"));
  EXPECT_EQ(tests::text_of(made_->place("l.toml")), "");
}

TEST_F(LimitsCommand, RefusesBadInput) {
  const std::string most = "limits --from-store fleet.sqlite -o l.toml ";
  EXPECT_THAT(said(most + "--signed-by ' '").text, HasSubstr("--signed-by: expected a person's name"));
  for (const char* share : {"0", "-0.5", "nan", "1", "x"})
    EXPECT_EQ(said(most + "--signed-by Ada --coverage " + share).exit_code, 2) << share;
  EXPECT_EQ(said(most + "--signed-by Ada --machine none").exit_code, 2);
  EXPECT_EQ(said("limits --from-store none -o l.toml --signed-by Ada").exit_code, 2);
  EXPECT_EQ(said(most).exit_code, 2);
}

}  // namespace
}  // namespace assay::cli
