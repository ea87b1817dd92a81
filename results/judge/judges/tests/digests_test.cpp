// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Units against the digests of their equals: the odd one fails, too few are not judged.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/judge/acceptance/acceptance.hpp"
#include "results/show/show.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

template <class Text>
auto saying(const Text& text) {
  return testing::Property(&FleetIssue::text, text);
}

DigestGroup group_of(const std::vector<std::pair<std::string, std::string>>& units) {
  DigestGroup group("gemm.cuda.corruption/m=4096", "H100, cuBLASLt 13", "gpu");
  for (const auto& [unit, digest] : units) group.add({unit, digest});
  return group;
}

TEST(Digests, TheOddOneAmongFourFails) {
  const DigestGroup group = group_of({{"a/gpu0", "1"}, {"a/gpu1", "1"}, {"a/gpu2", "2"}, {"a/gpu3", "1"}});
  const DigestFindings findings = judge_digests({group}, "gpu");
  ASSERT_THAT(findings.faults, SizeIs(1));
  EXPECT_EQ(findings.faults[0].unit, "a/gpu2");
  EXPECT_EQ(findings.faults[0].metric, "gemm.cuda.corruption/m=4096");
  EXPECT_EQ(findings.faults[0].reason, "digest 2 differs from 3 agreeing equals, H100, cuBLASLt 13");
  EXPECT_THAT(findings.undecided, IsEmpty());
  EXPECT_THAT(judge_digests({group}, "host").faults, IsEmpty());
}

TEST(Digests, OfTwoThatDifferNeitherIsJudged) {
  const DigestGroup group = group_of({{"a/gpu0", "1"}, {"a/gpu1", "2"}});
  EXPECT_EQ(verdict_of(group, group.digests()[0]), DigestVerdict::not_judged);
  EXPECT_EQ(explain(group, group.digests()[0]), "not judged: 1 equals, 2 are needed");
  EXPECT_THAT(judge_digests({group}, "gpu").faults, IsEmpty());
  EXPECT_THAT(judge_digests({group}, "gpu").undecided,
              ElementsAre(saying("gemm.cuda.corruption/m=4096: no majority among the digests of 2 equals")));
}

TEST(Digests, OfOneAloneIsNotJudged) {
  const DigestGroup group = group_of({{"a/gpu0", "1"}});
  EXPECT_EQ(explain(group, group.digests()[0]), "not judged: 0 equals, 2 are needed");
}

TEST(Digests, AUnitWithoutADigestThatOthersHaveIsUndecided) {
  const DigestGroup group = group_of({{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", ""}});
  const DigestFindings findings = judge_digests({group}, "gpu");
  EXPECT_THAT(findings.faults, IsEmpty());
  EXPECT_THAT(findings.undecided,
              ElementsAre(saying("d: gemm.cuda.corruption/m=4096 has no digest, others have one")));
}

TEST(Digests, OfGpusOfOneHostApartFromAllOthersAreUndecided) {
  const DigestGroup many = group_of({{"a/gpu0", "1"}, {"b/gpu0", "1"}, {"c/gpu0", "1"}});
  DigestGroup other("gemm.cuda.corruption/m=4096", "H100, cuBLASLt 12", "gpu");
  for (const char* unit : {"d/gpu0", "d/gpu1", "d/gpu2", "d/gpu3"}) other.add({unit, "7"});
  EXPECT_THAT(judge_digests({many, other}, "gpu").undecided,
              ElementsAre(saying(
                  "d: the digests of gemm.cuda.corruption/m=4096 have no equals on another host of the "
                  "same H100, cuBLASLt 12")));
  EXPECT_THAT(judge_digests({other}, "gpu").undecided, IsEmpty());  // a fleet of one host
}

// Another version of assay puts a unit into a group of its own, in which it is never compared with anything.
TEST(Digests, AUnitWithoutEqualsBesideManyIsUndecided) {
  const DigestGroup many = group_of({{"a", "1"}, {"b", "1"}, {"c", "1"}});
  DigestGroup other("gemm.cuda.corruption/m=4096", "H100, cuBLASLt 12", "gpu");
  other.add({"d", "7"});
  const DigestFindings findings = judge_digests({many, other}, "gpu");
  EXPECT_THAT(findings.faults, IsEmpty());
  EXPECT_THAT(findings.undecided,
              ElementsAre(saying(HasSubstr("d: the digest of gemm.cuda.corruption/m=4096 has no 2 equals"))));
}

TEST(Digests, WithoutAMajorityNobodyIsBlamedAndNothingPasses) {
  const DigestGroup group = group_of({{"a", "1"}, {"b", "1"}, {"c", "2"}, {"d", "2"}});
  const DigestFindings findings = judge_digests({group}, "gpu");
  EXPECT_THAT(findings.faults, IsEmpty());
  EXPECT_THAT(findings.undecided,
              ElementsAre(saying("gemm.cuda.corruption/m=4096: no majority among the digests of 4 equals")));
}

TEST(Digests, AUnitThatDiffersFromItselfFailsWithoutEquals) {
  const DigestGroup group = group_of({{"a", "1"}, {"a", "2"}, {"a", "2"}});
  EXPECT_THAT(judge_digests({group}, "gpu").faults, SizeIs(2)) << "one for each digest";
  EXPECT_EQ(explain(group, group.digests()[0]), "differs from its own of another time");
}

TEST(Digests, AUnitIsOneVoteHoweverOftenItRan) {
  const DigestGroup group = group_of({{"a", "1"}, {"a", "1"}, {"a", "1"}, {"b", "2"}, {"c", "2"}});
  EXPECT_EQ(group.majority(), "2");
  EXPECT_THAT(judge_digests({group}, "gpu").faults, SizeIs(1));
}

class DigestsInAStore : public testing::Test {
 protected:
  void run(const std::string& host, const std::string& digest, Status status = Status::ok,
           const std::string& version = "0.1.0", const std::string& library = "oneDNN 2.6.3",
           const std::string& case_name = "gemm.host.corruption") {
    test::RunBuilder builder(fmt::format("{:03}-{}", ++runs_, host));
    builder.begin(0, "gemm");
    PointRecord record = builder.point(case_name, {{"m", std::int64_t{512}}});
    record.metrics = {{"verified_bytes", "B", 1048576, {}, {}}, {"wrong_elements", "", 0, {}, {}}};
    record.conditions = {{"library", library}, {"algorithm", "jit"}};
    record.status = status;
    record.reason = status == Status::ok ? "" : "1 of 4 elements";
    builder.measured(std::move(record), 1e-3, {"time_us", "us", [](double s) { return s * 1e6; }});
    builder.end();
    for (Record& one : builder.take()) {
      if (auto* context = std::get_if<ContextRecord>(&one)) {
        context->host = host;
        context->assay_version = version;
      }
      if (auto* point = std::get_if<PointRecord>(&one)) point->verification.digest = digest;
      store_.add(one);
    }
  }
  std::vector<DigestGroup> groups() { return digest_groups(store_, all_runs(store_), "*.corruption"); }

  test::TemporaryFolder folder_;
  Store store_{folder_.path() / "store.sqlite"};
  int runs_ = 0;
};

TEST_F(DigestsInAStore, AreGroupedByProblemHardwareLibraryAndVersion) {
  run("a", "1");
  run("b", "1");
  run("c", "2");
  run("d", "9", Status::ok, "0.2.0");
  run("e", "9", Status::ok, "0.1.0", "oneDNN 3.0");
  run("f", "");
  const auto all = groups();
  ASSERT_THAT(all, SizeIs(3));
  std::size_t largest = 0;
  for (const DigestGroup& group : all) largest = std::max(largest, group.units());
  EXPECT_EQ(largest, 3u);
  EXPECT_EQ(all[0].point, "gemm.host.corruption/m=512");
  EXPECT_THAT(all.front().hardware, HasSubstr("Example CPU 8000, oneDNN 2.6.3, jit, assay 0.1.0, simulated"));
  EXPECT_THAT(all.front().units_without(), ElementsAre("f"));
}

TEST_F(DigestsInAStore, RefuseTheFleetOfTheOddOne) {
  for (const char* host : {"a", "b", "c"}) run(host, "1");
  run("odd", "2");
  std::vector<MeasuredFleet> fleets = read_fleet(store_, "", {});
  add_digest_findings(store_, fleets);
  ASSERT_THAT(fleets, SizeIs(1));
  ASSERT_THAT(fleets[0].failed, SizeIs(1));
  EXPECT_EQ(fleets[0].failed[0].unit, "odd");
  EXPECT_EQ(accept(fleets[0], {}).verdict(), Verdict::fail);
}

TEST_F(DigestsInAStore, OfTrainingStepsAreHeldAgainstEachOtherToo) {
  const auto trained = [&](const std::string& host, const std::string& digest) {
    run(host, digest, Status::ok, "0.1.0", "oneDNN 2.6.3", "collectives.training.step");
  };
  for (const char* host : {"a", "b", "c"}) trained(host, "1");
  trained("odd", "2");
  std::vector<MeasuredFleet> fleets = read_fleet(store_, "", {});
  add_digest_findings(store_, fleets);
  ASSERT_THAT(fleets, SizeIs(1));
  ASSERT_THAT(fleets[0].failed, SizeIs(1));
  EXPECT_EQ(fleets[0].failed[0].unit, "odd");
}

TEST_F(DigestsInAStore, AreShownTheGravestFirst) {
  for (const char* host : {"a", "b", "c"}) run(host, "11112222333344445555");
  run("odd", "2");
  run("faulty", "11112222333344445555", Status::wrong);
  const Table table = make_table(store_, "corruption");
  ASSERT_THAT(table.rows, SizeIs(5));
  EXPECT_EQ(std::get<std::string>(table.rows[0][1]), "odd");
  EXPECT_EQ(std::get<std::string>(table.rows[0][6]), "differs from 4 agreeing equals");
  EXPECT_EQ(std::get<std::string>(table.rows[1][1]), "faulty");
  EXPECT_EQ(std::get<std::string>(table.rows[1][6]), "wrong: 1 of 4 elements; agrees with 3 equals");
  EXPECT_EQ(std::get<std::int64_t>(table.rows[2][3]), 1048576);
  EXPECT_EQ(std::get<std::string>(table.rows[2][5]), "1111222233334444");
}

class DetectionInAStore : public DigestsInAStore {
 protected:
  void self_test(const std::string& case_name, const std::string& dtype, const std::string& detection) {
    test::RunBuilder builder("self-test");
    builder.begin(0, "gemm");
    PointRecord record = builder.point(case_name, {{"dtype", dtype}});
    record.conditions = {{"detection", detection}};
    builder.measured(std::move(record), 1e-3, {"time_us", "us", [](double s) { return s * 1e6; }});
    builder.end();
    store_.add(builder.take());
  }
};

TEST_F(DetectionInAStore, IsARowForEachFaultAndAColumnForEachDetector) {
  self_test("gemm.host.corruption_self_test", "bf16",
            R"({"detectors":["bits","tolerance"],"faults":[["bit 0",8,8,0],["NaN",4,4,3]]})");
  const Table table = make_table(store_, "detection");
  ASSERT_THAT(table.columns, SizeIs(6));
  EXPECT_EQ(table.columns[5].name, "tolerance");
  ASSERT_THAT(table.rows, SizeIs(2));
  EXPECT_EQ(std::get<std::string>(table.rows[0][1]), "bf16");
  EXPECT_EQ(std::get<std::string>(table.rows[0][2]), "bit 0");
  EXPECT_EQ(std::get<std::int64_t>(table.rows[0][3]), 8);
  EXPECT_EQ(std::get<Number>(table.rows[0][4]).value, 100);
  EXPECT_EQ(std::get<Number>(table.rows[0][5]).value, 0);
  EXPECT_EQ(std::get<Number>(table.rows[1][5]).value, 75);
}

TEST_F(DetectionInAStore, ThatCannotBeReadNamesThePoint) {
  self_test("gemm.host.corruption_self_test", "bf16", R"({"detectors":["bits"]})");
  EXPECT_THAT([this] { make_table(store_, "detection"); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr(
                  "gemm.host.corruption_self_test/dtype=bf16: condition 'detection': expected detectors")));
}

}  // namespace
}  // namespace assay::results
