// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a burn-in: lanes, tallies of journals, verdicts of timelines.
#include <gmock/gmock.h>

#include <algorithm>

#include "harness/core/names.hpp"
#include "harness/front/suite/burn_in/burn_in_log.hpp"
#include "harness/front/suite/burn_in/burn_in_round.hpp"
#include "harness/front/suite/burn_in/burn_in_tally.hpp"
#include "harness/front/suite/burn_in/burn_in_verdicts.hpp"
#include "harness/front/suite/tests/plan_run_fixture.hpp"

namespace assay::suite {
namespace {

using results::TimelineEntry;

std::vector<PlannedModule> modules(const std::vector<std::string>& names) {
  std::vector<PlannedModule> all;
  for (const std::string& name : names) all.push_back({{name, "assay-" + name}, {}});
  return all;
}

std::vector<std::vector<std::string>> names_of(const std::vector<std::vector<PlannedModule>>& lanes) {
  std::vector<std::vector<std::string>> names;
  for (const auto& lane : lanes) {
    names.emplace_back();
    for (const PlannedModule& planned : lane) names.back().push_back(planned.module.name);
  }
  return names;
}

TEST(Lanes, TogetherHaveTheFabricBesideTheNode) {
  using Names = std::vector<std::vector<std::string>>;
  const auto all = modules({"memory", "gemm", "offload", "rdma", "collectives"});
  EXPECT_EQ(names_of(lanes_of(all, true)), (Names{{"memory", "gemm", "offload"}, {"rdma", "collectives"}}));
  EXPECT_EQ(names_of(lanes_of(all, false)), (Names{{"memory", "gemm", "offload", "rdma", "collectives"}}));
  EXPECT_EQ(names_of(lanes_of(modules({"memory", "gemm", "offload"}), true)),
            (Names{{"memory", "offload"}, {"gemm"}}));
  EXPECT_EQ(names_of(lanes_of(modules({"rdma", "collectives"}), true)), (Names{{"rdma"}, {"collectives"}}));
  EXPECT_EQ(names_of(lanes_of(modules({"memory"}), true)), (Names{{"memory"}}));
}

results::PointRecord point(const std::string& name, results::Status status, double verified = 0) {
  results::PointRecord record;
  record.run_id = "r";
  record.module = "gemm";
  record.case_name = name;
  record.key = "gpu=3";
  record.point = {{"gpu", std::int64_t{3}}};
  record.units = {{"gpu", "3"}};
  record.status = status;
  record.reason = status == results::Status::ok ? "" : "why";
  record.verification.result = status == results::Status::ok ? core::Verification::Result::right
                                                             : core::Verification::Result::not_checked;
  record.started = "2026-11-21T02:30:00Z";
  if (verified > 0) record.metrics = {{"verified_bytes", "B", verified, {}, {}}};
  return record;
}

class Tally : public tests::PlanRunTest {
 protected:
  ModuleTally of(const std::vector<results::PointRecord>& points) {
    results::JournalWriter writer(folder_ / "j.jsonl");
    for (const auto& one : points) writer.write(one);
    return tally_of(folder_ / "j.jsonl", "gemm");
  }
};

TEST_F(Tally, CountsVerifiedBytesByUnitAndACorruptionOnce) {
  auto good = point("gemm.cuda.corruption", results::Status::ok, 5e9);
  auto bad = point("gemm.cuda.corruption", results::Status::wrong, 4e9);
  for (auto* one : {&good, &bad}) one->conditions = {{"gpu_pci_address", "0000:4b:00.0"}};
  const ModuleTally tally = of({good, bad, point("gemm.host.corruption", results::Status::ok, 1e6)});
  EXPECT_EQ(tally.verified.at("GPU 3 0000:4b:00.0").bytes, 9e9);
  EXPECT_EQ(tally.verified.at("GPU 3 0000:4b:00.0").corruptions, 1);
  EXPECT_EQ(tally.verified.at("host").bytes, 1e6);
  EXPECT_EQ(tally.bad, 1);
  EXPECT_EQ(tally.first_bad, "gemm.cuda.corruption/gpu=3 wrong: why");
}

TEST_F(Tally, BytesOfASelfTestProveNothingAndOneThatMissedStaysMissed) {
  const ModuleTally tally = of({point("gemm.host.corruption_self_test", results::Status::unsupported),
                                point("gemm.host.corruption_self_test", results::Status::ok, 1e6),
                                point("gemm.host.corruption_self_test", results::Status::wrong, 1e6),
                                point("gemm.host.corruption_self_test", results::Status::ok, 1e6)});
  EXPECT_TRUE(tally.verified.empty());
  EXPECT_EQ(tally.self_tests.at("gemm.host.corruption_self_test").sentence(), "wrong: why");
}

TEST_F(Tally, PassesOverOtherModulesFindingsAndWhatAnInterruptCutShort) {
  auto other = point("memory.host.copy", results::Status::failed);
  other.module = "memory";
  auto cut = point("gemm.host.matmul", results::Status::ok);
  cut.stop = "interrupted";
  const ModuleTally tally = of({other, cut, point(core::names::burn_in_health, results::Status::failed)});
  EXPECT_EQ(tally.ok + tally.bad + tally.unsupported, 0);
  EXPECT_EQ(tally_of(folder_ / "none.jsonl", "gemm").ok, 0);
}

TimelineEntry entry(const std::string& kind, const std::string& unit, results::Scalar value,
                    results::Fields more = {}) {
  return {"2026-11-21T02:30:00Z", 1, kind, unit, std::move(value), std::move(more)};
}

TEST(Verdicts, AModuleThatWasNeverReachedIsInconclusive) {
  const auto verdicts = verdicts_of({entry("session", "b", "began", {{"modules", "memory rdma "}}),
                                     entry("module", "memory", "ended", {{"ok", std::int64_t{3}}})},
                                    {}, {});
  EXPECT_EQ(verdicts.rows[0].verdict, results::Verdict::inconclusive);
  EXPECT_EQ(verdicts.rows[0].unit, "rdma");
  EXPECT_NE(verdicts.verdict, results::Verdict::pass);
}

TEST(Verdicts, ASelfTestThatMissedFailsAlthoughOthersCaught) {
  const auto verdicts = verdicts_of(
      {entry("self_test", "gemm.host.corruption_self_test", "wrong", {{"why", "bit 12 of fp32 missed"}}),
       entry("self_test", "gemm.host.corruption_self_test", "caught")},
      {}, {});
  EXPECT_EQ(verdicts.verdict, results::Verdict::fail);
  EXPECT_EQ(verdicts.rows[0].because, "wrong: bit 12 of fp32 missed");
}

TEST(Verdicts, WithoutAnyLookAtHealthAreNoPass) {
  const auto verdicts = verdicts_of({entry("module", "memory", "ended", {{"ok", std::int64_t{3}}}),
                                     entry("self_test", "memory.host.corruption_self_test", "caught")},
                                    {}, {});
  EXPECT_EQ(verdicts.verdict, results::Verdict::not_run);
}

TEST(Verdicts, WhatWasWaivedIsExcusedAndWhatIsToBeWatchedMayServe) {
  const auto finding = [](const std::string& status, const std::string& check) {
    return entry("finding", "GPU 0", status, {{"check", check}, {"evidence", "e"}, {"action", "monitor"}});
  };
  const auto verdicts =
      verdicts_of({entry("module", "memory", "ended", {{"ok", std::int64_t{3}}}),
                   entry("self_test", "m.corruption_self_test", "caught"), entry("check", "", "DEGRADED"),
                   finding("waived", "gpu.mig"), finding("noticed", "gpu.ecc_errors"),
                   entry("verified_bytes", "GPU 0", 1e9)},
                  {}, {});
  EXPECT_EQ(verdicts.verdict, results::Verdict::degraded);
  EXPECT_EQ(results::exit_code_of(verdicts.verdict), 0);
}

TEST(Verdicts, AGpuOnWhichNothingWasVerifiedIsNotProven) {
  const auto of = [](const std::string& verified) {
    return verdicts_of({entry("module", "memory", "ended", {{"ok", std::int64_t{3}}}),
                        entry("self_test", "m.corruption_self_test", "caught"), entry("check", "", "PASS"),
                        entry("finding", "GPU 3 0000:4b:00.0", "passed", {{"check", "gpu.ecc_errors"}}),
                        entry("verified_bytes", verified, 1e9)},
                       {}, {});
  };
  EXPECT_EQ(of("GPU 0 0000:4b:00.0").verdict, results::Verdict::pass) << "numbered otherwise, the same one";
  EXPECT_EQ(of("host").verdict, results::Verdict::inconclusive);
}

TEST(Verdicts, AnNvlinkOfAGpuNeedsNoWorkOfItsOwn) {
  const auto passed = [](const std::string& unit, const std::string& check) {
    return entry("finding", unit, "passed", {{"check", check}});
  };
  const auto verdicts =
      verdicts_of({entry("module", "memory", "ended", {{"ok", std::int64_t{3}}}),
                   entry("self_test", "m.corruption_self_test", "caught"), entry("check", "", "PASS"),
                   passed("GPU 3 0000:4b:00.0", "gpu.ecc_errors"),
                   passed("GPU 3 0000:4b:00.0 NVLink 4", "gpu.nvlink_errors"),
                   entry("verified_bytes", "GPU 3 0000:4b:00.0", 1e9)},
                  {}, {});
  EXPECT_EQ(verdicts.verdict, results::Verdict::pass);
}

TEST(Verdicts, AWrongResultFailsTheGpuThatGaveIt) {
  const auto verdicts =
      verdicts_of({entry("module", "gemm", "ended", {{"ok", std::int64_t{3}}, {"bad", std::int64_t{1}}}),
                   entry("verified_bytes", "GPU 3 0000:4b:00.0", 1e9, {{"corruptions", std::int64_t{1}}})},
                  {}, {});
  const auto row = std::ranges::find(verdicts.rows, "corruptions", &results::VerdictRow::metric);
  ASSERT_NE(row, verdicts.rows.end());
  EXPECT_EQ(row->unit, "GPU 3 0000:4b:00.0");
  EXPECT_EQ(row->verdict, results::Verdict::fail);
}

TEST(Verdicts, ALinkThatIdledAtTheFirstLookIsJudgedUnderLoad) {
  const auto of = [](const std::string& first, const std::string& then) {
    const auto finding = [](const std::string& status) {
      return entry("finding", "host", status, {{"check", "pcie.speed"}, {"evidence", "e"}});
    };
    return verdicts_of({entry("module", "memory", "ended", {{"ok", std::int64_t{3}}}),
                        entry("self_test", "m.corruption_self_test", "caught"), entry("check", "", "PASS"),
                        finding(first), finding(then)},
                       {}, {})
        .verdict;
  };
  EXPECT_EQ(of("unknown", "passed"), results::Verdict::pass);
  EXPECT_EQ(of("passed", "unknown"), results::Verdict::pass);
  EXPECT_EQ(of("unknown", "failed"), results::Verdict::fail);
  EXPECT_EQ(of("failed", "passed"), results::Verdict::fail);
}

/// Verdicts of one module and one self-test, these being the ends of their entries.
std::string verdict_of_lines(const std::string& module, const std::string& self_test) {
  const std::string begin = R"({"time":"t","at_s":1,"kind":")";
  const std::string status = R"(finding","unit":"GPU 0","check":"pcie.speed","evidence":"e","value":)";
  std::vector<TimelineEntry> entries;
  for (const std::string& line :
       {begin + R"(module","unit":"memory","ok":3,)" + module,
        begin + R"(self_test","unit":"m.corruption_self_test",)" + self_test,
        begin + R"(check","unit":"","value":"PASS")", begin + status + R"("passed")"})
    if (auto read = results::timeline_entry_from(line + "}")) entries.push_back(std::move(*read));
  std::string all;
  for (const results::VerdictRow& row : verdicts_of(entries, {}, {}).rows)
    if (row.kind == "module" || row.metric == "m.corruption_self_test")
      all += std::string(to_string(row.verdict)) + " " + row.because + "\n";
  return all;
}

TEST(Verdicts, OfATimelineOfAnEarlierVersionAreThoseOfToday) {
  const std::string killed =
      verdict_of_lines(R"("value":"no_answer","why":"killed")", R"("value":"wrong","why":"bit 12 missed")");
  EXPECT_EQ(killed, "FAIL wrong: bit 12 missed\nINCONCLUSIVE no answer: killed\n");
  EXPECT_EQ(verdict_of_lines(R"("value":"no answer: killed")", R"("value":"wrong: bit 12 missed")"), killed);
  const std::string unsupported =
      verdict_of_lines(R"("value":"ended")", R"("value":"unsupported","why":"no GPU")");
  EXPECT_EQ(unsupported, "PASS 3 points in 1 round\nNOT_RUN unsupported: no GPU\n");
  EXPECT_EQ(verdict_of_lines(R"("value":"ended")", R"("value":"unsupported: no GPU")"), unsupported);
  EXPECT_EQ(verdict_of_lines(R"("value":"ended")", R"("value":"whether it was caught is unknown")"),
            verdict_of_lines(R"("value":"ended")", R"("value":"not_checked")"));
}

TEST(Verdicts, OfWordsThatNoVersionWritesAreNoPass) {
  const std::string caught = R"("value":"caught")";
  EXPECT_EQ(verdict_of_lines(R"("value":"ended well")", caught),
            "INCONCLUSIVE no answer: the timeline has 'ended well'\n"
            "PASS planted corruption was caught in 1 point\n");
  EXPECT_THAT(verdict_of_lines(R"("value":7)", caught), testing::HasSubstr("INCONCLUSIVE no answer"));
  for (const char* word : {R"("value":"caught: almost")", R"("value":"unsupportedly")", R"("value":1)"})
    EXPECT_THAT(verdict_of_lines(R"("value":"ended")", word), testing::HasSubstr("FAIL")) << word;
}

TEST(SoFar, SumsWhatWasToldOfTheRoundThatGoesOn) {
  const auto module = [](const std::string& how, std::int64_t ok) {
    return entry("module", "memory", how, {{"round", std::int64_t{2}}, {"ok", ok}});
  };
  const auto round = [](std::int64_t number, const std::string& how) {
    return entry("round", "round", how, {{"round", number}});
  };
  const BurnInSoFar so_far_ =
      so_far({entry("session", "b", "began", {{"for_s", 60.0}, {"dose", "joules=5"}}), round(1, "began"),
              module("ended", 9), round(1, "ended"), round(2, "began"), module("cut", 2), round(2, "cut"),
              module("cut", 3)});
  EXPECT_EQ(so_far_.end.for_s, 60);
  EXPECT_EQ(so_far_.end.dose.at(results::DoseKind::joules), 5);
  EXPECT_EQ(so_far_.round, 2);
  EXPECT_FALSE(so_far_.round_ended);
  EXPECT_TRUE(so_far_.modules_ended.empty());
  EXPECT_EQ(so_far_.reported.at("memory").ok, 5);
}

}  // namespace
}  // namespace assay::suite
