// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/check_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "harness/core/error.hpp"
#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/health/logbook.hpp"
#include "harness/front/health/tests/planted_fault.hpp"

namespace assay::health {
namespace {

toml::table one_xid() {
  return toml::parse("log = ['NVRM: Xid (PCI:0000:43:00): 79, GPU has fallen off the bus.']");
}

std::vector<std::string> failed_checks(const std::vector<Finding>& findings) {
  std::vector<std::string> names;
  for (const Finding& finding : findings)
    if (finding.status == Status::failed) names.push_back(finding.check);
  return names;
}

TEST(CheckNode, AFailureOfAPassingMomentStaysUntilItIsCleared) {
  Patient patient("hgx_ib");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.plant(one_xid());
  EXPECT_THAT(failed_checks(patient.check()), testing::ElementsAre("kernel.xid"));
  const auto later = patient.check();
  ASSERT_THAT(failed_checks(later), testing::ElementsAre("kernel.xid"));
  EXPECT_THAT(later.back().evidence, testing::HasSubstr("since 2026-11-21T12:00:00.000Z, not cleared"));
  Logbook logbook = *read_logbook(patient.logbook());
  clear(logbook, "kernel.xid", "", "board replaced", "2026-11-22T08:00:00.000Z");
  write_logbook(patient.logbook(), logbook);
  EXPECT_EQ(verdict_word(patient.check()), "PASS");
  ASSERT_EQ(read_logbook(patient.logbook())->latched.size(), 1U);
  EXPECT_EQ(read_logbook(patient.logbook())->latched[0].reason, "board replaced");
}

TEST(CheckNode, AFlapInServiceStaysThoughTheLinkIsBack) {
  Patient patient("hgx_ib");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.node().write("/sys/class/infiniband/mlx5_4/ports/1/counters/link_downed", "1\n");
  EXPECT_EQ(verdict_word(patient.check()), "FAIL");
  EXPECT_EQ(verdict_word(patient.check()), "FAIL");
}

TEST(CheckNode, ComparesNothingAcrossAStartOfTheNode) {
  Patient patient("hgx_ib");
  patient.gpus()["gpus"][2]["ecc_corrected"] = 40;
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.gpus()["gpus"][2]["ecc_corrected"] = 0;
  patient.node().write("/proc/sys/kernel/random/boot_id", "6a6c1d1e-0000-4000-8000-000000000002\n");
  EXPECT_EQ(verdict_word(patient.check()), "PASS");
}

TEST(CheckNode, ALogThatCouldNotBeReadIsReadFromWhereItWasLeft) {
  Patient patient("hgx_ib");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.plant(one_xid());
  const std::string log = patient.node().root() + "/dev/kmsg";
  ASSERT_EQ(std::rename(log.c_str(), (log + ".away").c_str()), 0);
  EXPECT_EQ(verdict_word(patient.check()), "INCONCLUSIVE");
  ASSERT_EQ(std::rename((log + ".away").c_str(), log.c_str()), 0);
  EXPECT_THAT(failed_checks(patient.check()), testing::ElementsAre("kernel.xid"));
}

TEST(CheckNode, ALinkLostInServiceFailsThoughItIsBack) {
  Patient patient("hgx_ib");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.plant(toml::parse(
      "log = ['mlx5_core 0000:45:00.0 eth3: Link down', 'mlx5_core 0000:45:00.0 eth3: Link up']"));
  EXPECT_THAT(failed_checks(patient.check()), testing::ElementsAre("kernel.mlx5"));
}

TEST(CheckNode, AWindowThatCouldNotBeJudgedIsJudgedByTheNextCheck) {
  Patient patient("hgx_ib");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.plant(one_xid());
  std::ifstream whole(patient.node().root() + "/dev/kmsg");
  const std::string log((std::istreambuf_iterator<char>(whole)), {});
  patient.node().write("/dev/kmsg", log.substr(0, log.rfind("3,3,")) + "no record\n");
  EXPECT_EQ(verdict_word(patient.check()), "INCONCLUSIVE");
  patient.node().write("/dev/kmsg", log);
  EXPECT_THAT(failed_checks(patient.check()), testing::ElementsAre("kernel.xid"));
}

TEST(CheckNode, AFailureInADamagedLogFails) {
  Patient patient("hgx_ib");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.plant(one_xid());
  std::ofstream(patient.node().root() + "/dev/kmsg", std::ios::app) << "no record\n";
  EXPECT_THAT(failed_checks(patient.check()), testing::ElementsAre("kernel.xid"));
}

TEST(CheckNode, ALineOfGravePriorityThatNobodyKnowsStaysUntilItIsCleared) {
  Patient patient("host");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  std::ofstream(patient.node().root() + "/dev/kmsg", std::ios::app) << "1,3,6000000,-;fan 3 stopped\n";
  EXPECT_EQ(verdict_word(patient.check()), "INCONCLUSIVE");
  EXPECT_EQ(verdict_word(patient.check()), "INCONCLUSIVE");
  Logbook logbook = *read_logbook(patient.logbook());
  clear(logbook, "kernel.unknown", "", "fan replaced", "2026-11-22T08:00:00.000Z");
  write_logbook(patient.logbook(), logbook);
  EXPECT_EQ(verdict_word(patient.check()), "PASS");
}

TEST(CheckNode, AGapInTheLogStaysUntilItIsCleared) {
  Patient patient("host");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.node().write("/dev/kmsg", "6,9,9000000,-;later\n");
  EXPECT_EQ(verdict_word(patient.check()), "INCONCLUSIVE");
  EXPECT_EQ(verdict_word(patient.check()), "INCONCLUSIVE");
  Logbook logbook = *read_logbook(patient.logbook());
  clear(logbook, "kernel.log", "", "read elsewhere", "2026-11-22T08:00:00.000Z");
  write_logbook(patient.logbook(), logbook);
  EXPECT_EQ(verdict_word(patient.check()), "PASS");
}

TEST(CheckNode, NvlinksOfWhichNoneIsActiveNeedAnExpectation) {
  Patient patient("hgx_ib");
  for (auto& gpu : patient.gpus()["gpus"])
    for (auto& link : gpu["nvlinks"]) link["active"] = false;
  patient.expect("nvlinks = 0");
  EXPECT_EQ(verdict_word(patient.check()), "PASS");
}

TEST(Logbook, OfAFileThatIsNotThereIsNone) { EXPECT_FALSE(read_logbook("/nonexistent/health.json")); }

TEST(Logbook, ThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(write_logbook("/nonexistent/health.json", Logbook{}), core::Error);
}

TEST(Logbook, HasNothingToClearWhereNothingStands) {
  Logbook logbook;
  EXPECT_THROW(clear(logbook, "kernel.xid", "", "why", "now"), core::Error);
}

TEST(Judge, SaysWhatWasWaived) {
  const Snapshot nothing;
  for (const Finding& finding : judge({nothing, nothing, {}}, {"host.memory_errors"}))
    EXPECT_EQ(finding.status == Status::waived, finding.check == "host.memory_errors") << finding.check;
}

TEST(Judge, RefusesToWaiveWhatIsNoCheck) {
  const Snapshot nothing;
  EXPECT_THROW(judge({nothing, nothing, {}}, {"gpu.everything"}), core::Error);
}

TEST(Judge, OfAMachineThatTellsNothingIsInconclusive) {
  const Snapshot nothing;
  EXPECT_EQ(verdict_word(judge({nothing, nothing, {}})), "INCONCLUSIVE");
}

TEST(Verdict, OfNothingIsThatNothingWasRun) { EXPECT_EQ(verdict_word({}), "NOT_RUN"); }

TEST(Verdict, NeverPassesWhatWasNotTold) {
  const std::vector<Finding> findings{
      {.status = Status::passed}, {.status = Status::unknown}, {.status = Status::noticed}};
  EXPECT_EQ(verdict_word(findings), "INCONCLUSIVE");
}

TEST(Verdict, FailsWhereAnythingFailed) {
  const std::vector<Finding> findings{{.status = Status::failed}, {.status = Status::unknown}};
  EXPECT_EQ(verdict_word(findings), "FAIL");
}

}  // namespace
}  // namespace assay::health
