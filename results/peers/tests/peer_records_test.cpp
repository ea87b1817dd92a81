// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/peer_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "results/peers/peer_time.hpp"
#include "results/peers/tests/read_text.hpp"

namespace assay::results::peers {
namespace {

using testing::ElementsAre;

const std::string health = "gx61 | Healthy\ngx62 | ERROR: nhc: Health check failed: check_x: y\n";

RecordSettings settings_at(const std::string& now) { return {.zone = {}, .now = now, .assay_version = "0"}; }

std::vector<PeerRun> runs_of(const std::string& text, const std::string& path,
                             const PeerChoice& choice = {}) {
  std::vector<Refusal> refusals;
  return records_of(read_peer_text(text, plain_facts(path), choice), settings_at("2026-12-01T00:00:00.000Z"),
                    refusals);
}

TEST(PeerRecords, AreARunOfEachHostThatIsTheSameUnderAnotherNameOfTheFile) {
  const auto runs = runs_of(health, "a.log"), again = runs_of(health, "b.log");
  ASSERT_EQ(runs.size(), 2);
  EXPECT_EQ(runs[0].run_id, again[0].run_id);
  EXPECT_NE(runs[0].run_id, runs[1].run_id);
  EXPECT_NE(runs[0].run_id, runs_of(health + "gx63 | Healthy\n", "a.log")[0].run_id);
}

TEST(PeerRecords, AreImportedWithTheirPlace) {
  const auto runs = runs_of(health, "a.log");
  const auto& context = std::get<ContextRecord>(runs[1].records.front());
  EXPECT_EQ(context.origin, Origin::imported);
  EXPECT_EQ(context.host, "gx62");
  const auto& point = std::get<PointRecord>(runs[1].records[1]);
  EXPECT_EQ(point.status, Status::failed);
  EXPECT_EQ(number_in(point.conditions, "source_line"), 2);
  EXPECT_EQ(std::get<EndRecord>(runs[1].records.back()).points, 1);
  for (const Record& record : runs[1].records) EXPECT_NO_THROW(from_line(to_line(record)));
}

TEST(PeerRecords, StateTheWorstDoubtByWhichALogIsNotBelievable) {
  PeerFile file = read_peer_text(health, plain_facts("a.log"), {});
  Doubts& doubts = file.blocks.at(0).findings.points.at(0).doubts;
  add_doubt(doubts, {DoubtKind::samples_differ, "50 us printed"});
  add_doubt(doubts, {DoubtKind::same_log, "gx1, a; b.log"});
  std::vector<Refusal> refusals;
  const auto runs = records_of(file, settings_at("2026-12-01T00:00:00.000Z"), refusals);
  const auto text_in = [&](std::size_t run) {
    const Scalar* const text = find(std::get<PointRecord>(runs[run].records[1]).conditions, "not_believable");
    return text ? word_or_empty(*text) : "none";
  };
  EXPECT_EQ(text_in(0), "same_log: another host has the same numbers: gx1, a; b.log");
  EXPECT_EQ(text_in(1), "none");
}

TEST(PeerRecords, HaveNoIntervalOfOneMean) {
  const std::string osu =
      "# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n1024  10.00\n";
  EXPECT_TRUE(runs_of(osu, "a.txt").empty());
  const auto runs = runs_of(osu, "a.txt", {.kind = "auto", .host = "gx1"});
  ASSERT_EQ(runs.size(), 1);
  const auto& time = std::get<PointRecord>(runs[0].records[1]).time;
  ASSERT_TRUE(time.has_value());
  EXPECT_DOUBLE_EQ(time->value_s, 10e-6);
  EXPECT_EQ(time->n, 0);
  EXPECT_FALSE(time->bounded);
  EXPECT_TRUE(std::isnan(time->lower_s));
}

TEST(PeerRecords, OfUnknownHostsAreRefused) {
  const std::string osu =
      "# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n1024  10.00\n";
  std::vector<Refusal> refusals;
  records_of(read_peer_text(osu, plain_facts("a.txt"), {}), settings_at("2026-12-01T00:00:00.000Z"),
             refusals);
  ASSERT_EQ(refusals.size(), 1);
  EXPECT_EQ(refusals[0].what, "the host is unknown: pass --host NAME, or --path with {host}");
}

TEST(PeerTime, TakesZonesAndAssumesUtcWithoutOne) {
  const auto at = [](const char* text, const char* zone) { return peer_time(text, zone_from(zone)); };
  EXPECT_EQ(at("2026-02-04T01:00:00Z", "+02:00")->utc, at("2026-02-04 03:00:00 local time", "+02:00")->utc);
  EXPECT_TRUE(at("2026-02-04 03:00:00", "")->zone_assumed);
  EXPECT_FALSE(at("2026-13-04 03:00:00", "").has_value());
  EXPECT_FALSE(zone_from("CET").has_value());
}

TEST(PathPattern, StatesHostsRoundsAndRanks) {
  const PathPattern pattern("{host}/{round}.log");
  const PathFacts facts = pattern.facts_of("logs/gx13-gx14/3.log", "gx13-gx14/3.log", true);
  EXPECT_THAT((std::vector{facts.host, facts.other_host, facts.round}), ElementsAre("gx13", "gx14", "3"));
  EXPECT_EQ(pattern.facts_of("/a/b/gpu-node-01/2.log", "", false).host, "gpu-node-01");
  EXPECT_EQ(pattern.facts_of("logs/x/gx1/3.log", "x/gx1/3.log", true).host, "");
  EXPECT_EQ(pattern.facts_of("16ranks/3.log", "16ranks/3.log", true).ranks, 16);
  EXPECT_THROW(PathPattern("{node}/x"), std::runtime_error);
  EXPECT_THROW(PathPattern("{host}{round}"), std::runtime_error);
}

}  // namespace
}  // namespace assay::results::peers
