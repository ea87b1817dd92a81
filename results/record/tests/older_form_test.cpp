// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/older_form.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/record/journal.hpp"
#include "results/record/json/point_line.hpp"
#include "results/record/json/record_json.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PointRecord read(const Fields& conditions, std::vector<Metric> metrics = {}) {
  PointRecord point;
  point.conditions = conditions;
  point.metrics = std::move(metrics);
  read_older_form(point);
  return point;
}

std::vector<UnitReport> units_of(const std::string& case_name, const Fields& axes) {
  PointRecord point;
  point.case_name = case_name;
  point.point = axes;
  read_older_units(point);
  return point.units;
}

TEST(OlderForm, OfAxesThatNamedAUnitBecomesAList) {
  const Fields both{{"device", "mlx5_0:1"}, {"gpu", std::int64_t{3}}};
  EXPECT_THAT(units_of("memory.cuda.copy", both), ElementsAre(UnitReport{"gpu", "3"}));
  EXPECT_THAT(units_of("rdma.verbs.bandwidth", both), ElementsAre(UnitReport{"port", "mlx5_0:1"}));
  EXPECT_THAT(units_of("rdma.verbs.bandwidth", {{"device", "auto"}}), IsEmpty());
  EXPECT_THAT(units_of("memory.host.copy", {{"threads", std::int64_t{2}}}), IsEmpty());
}

TEST(OlderForm, OfOtherRanksConditionsBecomesAList) {
  const PointRecord point = read({{"host", "node-a"},
                                  {"ranks", std::int64_t{3}},
                                  {"rank1_host", "node-b"},
                                  {"rank12_host", "node-c"},
                                  {"rank1_cpu", std::int64_t{7}},
                                  {"rankx_host", "node-d"}});
  EXPECT_THAT(point.conditions,
              ElementsAre(core::Fact{"host", "node-a"}, core::Fact{"ranks", std::int64_t{3}},
                          core::Fact{"rankx_host", "node-d"}));
  ASSERT_EQ(point.ranks.size(), 2U);
  EXPECT_EQ(point.ranks[0].rank, 1);
  EXPECT_THAT(point.ranks[0].facts,
              ElementsAre(core::Fact{"host", "node-b"}, core::Fact{"cpu", std::int64_t{7}}));
  EXPECT_EQ(point.ranks[1].rank, 12);
}

TEST(OlderForm, OfALinkKeepsItsClassAndItsSentence) {
  const PointRecord point = read({{"link_class", "clean"},
                                  {"link_class_why", "clean: 43 counters watched"},
                                  {"rank1_link_class", "lossy"},
                                  {"rank1_link_class_why", "lossy: rxe0 a +1 (x; y); rxe0 b was full"},
                                  {"rank2_link_class", "splendid"},
                                  {"rank3_link_class", std::int64_t{7}},
                                  {"link_ceiling", "none: a software device"}});
  EXPECT_THAT(point.conditions, ElementsAre(core::Fact{"link_ceiling", "none: a software device"}));
  EXPECT_THAT(point.ranks, IsEmpty());
  ASSERT_EQ(point.links.size(), 4U);
  EXPECT_EQ(describe(point.links[0]), "clean: 43 counters watched");
  EXPECT_EQ(point.links[1].rank, 1);
  EXPECT_EQ(describe(point.links[1]), "lossy: rxe0 a +1 (x; y); rxe0 b was full");
  EXPECT_EQ(point.links[2].link_class, LinkClass::unknown);
  EXPECT_EQ(point.links[3].link_class, LinkClass::unknown);
}

std::vector<core::CounterReport> counters_of(const char* link_class, const std::string& sentence,
                                             const std::string& also_moved = "") {
  return read({{"link_class", link_class},
               {"link_class_why", sentence},
               {"link_counters_also_moved", also_moved}})
      .links.at(0)
      .counters;
}

using Deed = core::CounterReport::Outcome;

TEST(OlderForm, OfCountersThatMovedHasHowMuchAndWhatItMeans) {
  const auto counters = counters_of(
      "lossy",
      "lossy: mlx5_0 rnr_nak_retry_err +12 (receiver not ready: it had no receive posted; software (rxe)); "
      "mlx5_0/2 symbol_error +65535 at least (symbol errors)");
  ASSERT_EQ(counters.size(), 2U);
  EXPECT_EQ(counters[0].counter, "mlx5_0 rnr_nak_retry_err");
  EXPECT_EQ(counters[0].outcome, Deed::moved);
  EXPECT_EQ(counters[0].moved, 12U);
  EXPECT_EQ(counters[0].speaks_for, LinkClass::lossy);
  EXPECT_EQ(counters[0].about, "receiver not ready: it had no receive posted; software (rxe)");
  EXPECT_EQ(counters[1].counter, "mlx5_0/2 symbol_error");
  EXPECT_EQ(counters[1].outcome, Deed::moved_at_least);
  EXPECT_EQ(counters[1].about, "symbol errors");
}

TEST(OlderForm, OfCountersThatCouldNotBeFollowedHasWhy) {
  const auto counters = counters_of(
      "unknown",
      "unknown: mlx5_0 symbol_error was full from the start (65535): clear it (perfquery -R) to see it move; "
      "mlx5_1 link_downed was reset in between (9 to 1); eth0 rx_discards_phy could not be read again; "
      "mlx5_2 tells no counter; splendid; no counter of trouble could be read");
  ASSERT_EQ(counters.size(), 5U);
  EXPECT_EQ(counters[0].outcome, Deed::was_full);
  EXPECT_EQ(counters[0].counter, "mlx5_0 symbol_error");
  EXPECT_EQ(counters[1].outcome, Deed::was_reset);
  EXPECT_EQ(counters[2].outcome, Deed::not_read);
  EXPECT_EQ(counters[2].counter, "eth0 rx_discards_phy");
  EXPECT_EQ(counters[3].counter, "mlx5_2");
  EXPECT_EQ(counters[4].counter, "");
  EXPECT_EQ(counters[4].about, "splendid");
}

TEST(OlderForm, OfCountersBesideTheClassIsReadFromEitherList) {
  for (const char* list :
       {"mlx5_0 rx_atomic +8, mlx5_0 lifespan +1", "mlx5_0 rx_atomic +8; mlx5_0 lifespan +1"}) {
    const auto counters = counters_of("clean", "clean: 43 counters watched", list);
    ASSERT_EQ(counters.size(), 2U);
    EXPECT_EQ(counters[0].moved, 8U);
    EXPECT_EQ(counters[0].speaks_for, LinkClass::clean);
  }
}

TEST(OlderForm, OfASentenceWithoutAClassIsNoLink) {
  EXPECT_THAT(read({{"link_class_why", "clean"}}).links, IsEmpty());
}

TEST(OlderForm, OfFlowsBecomesAListAndLeavesOtherMetrics) {
  const PointRecord point = read({}, {{"flow_10_to_2_gb_per_s", "GB/s", 3},
                                      {"flow_0_to_1_gb_per_s", "GB/s", 5},
                                      {"alone_10_to_2_gb_per_s", "GB/s", 4},
                                      {"alone_7_to_8_gb_per_s", "GB/s", 2},
                                      {"flow_jain_index", "", 0.9},
                                      {"flow_x_to_2_gb_per_s", "GB/s", 1},
                                      {"flow_1_to_2", "", 1},
                                      {"median_flow_gb_per_s", "GB/s", 4}});
  EXPECT_EQ(point.metrics.size(), 4U);
  ASSERT_EQ(point.flows.size(), 3U);
  EXPECT_EQ(point.flows[0].gb_per_s, 5);
  EXPECT_EQ(point.flows[1].from, 7);
  EXPECT_EQ(point.flows[1].gb_per_s, std::nullopt);
  EXPECT_EQ(point.flows[2].gb_per_s, 3);
  EXPECT_EQ(point.flows[2].alone_gb_per_s, 4);
}

TEST(OlderForm, IsReadFromALineOfTheSameSchema) {
  PointRecord written = test::sample_point();
  written.conditions = {{"link_class", "faulty"}, {"rank1_host", "node-b"}};
  const auto read = std::get<PointRecord>(from_line(to_line(written)));
  EXPECT_THAT(read.conditions, IsEmpty());
  ASSERT_EQ(read.links.size(), 1U);
  EXPECT_EQ(read.links[0].link_class, LinkClass::faulty);
  EXPECT_EQ(read.ranks.at(0).rank, 1);
  EXPECT_EQ(to_line(read), to_line(from_line_of_any_form(to_line(written))));
}

TEST(OlderForm, IsSeenByItsNamesOnly) {
  EXPECT_TRUE(is_of_older_form(R"({"pages":"4KiB","link_class":"clean"})"));
  EXPECT_TRUE(is_of_older_form(R"({"ranks":2,"rank1_host":"node-b"})"));
  EXPECT_FALSE(is_of_older_form(R"({"ranks":2,"rank_order":"tp","link_ceiling":"none"})"));
  EXPECT_TRUE(is_of_older_form(R"({"link_counters":"1 counters watched"})"));
  EXPECT_TRUE(is_of_older_form(R"({"link_also_moved":"a +1"})"));
  EXPECT_FALSE(is_of_older_form("{}"));
  EXPECT_TRUE(is_older_metric("flow_0_to_1_gb_per_s") && is_older_metric("alone_0_to_1_gb_per_s"));
  EXPECT_FALSE(is_older_metric("alone_worst_gb_per_s") || is_older_metric("flow_jain_index") ||
               is_older_metric("flow_-0_to_1_gb_per_s"));
}

TEST(OlderForm, OfMetricsIsLeftToTheReaderOfRecords) {
  PointRecord point = test::sample_point();
  point.metrics.push_back({"flow_0_to_1_gb_per_s", "GB/s", 3.5});
  std::string line = to_line(point);
  const Record read = from_line(line);
  EXPECT_EQ(std::get<PointRecord>(read).flows.size(), 1U);
  EXPECT_EQ(to_line(read), to_line(from_line_of_any_form(line)));
  std::pmr::monotonic_buffer_resource memory;
  EXPECT_FALSE(point_row(line.data(), line.size(), &memory));
}

TEST(OlderForm, OfTypesOfCollectivesGetsTheWordsOfToday) {
  PointRecord point;
  point.point = {{"bytes", std::int64_t{8}}, {"dtype", "float32"}, {"note", "float32"}};
  point.key = "bytes=8,dtype=float32,note=float32";
  read_older_types(point);
  EXPECT_EQ(word_or_empty(point.point[1].second), "fp32");
  EXPECT_EQ(word_or_empty(point.point[2].second), "float32") << "another axis";
  EXPECT_EQ(point.key, "bytes=8,dtype=fp32,note=float32");
  point.point = {{"dtype", "float64"}};
  point.key = "dtype=float64";
  read_older_types(point);
  EXPECT_EQ(point.key, "dtype=fp64");
  EXPECT_TRUE(has_older_types(R"({"bytes":8,"dtype":"float32"})"));
  EXPECT_FALSE(has_older_types(R"({"bytes":8,"dtype":"fp32","note":"float32"})"));
}

TEST(OlderForm, OfTypesIsReadFromALineByEitherReader) {
  PointRecord point = test::sample_point();
  point.point = {{"dtype", "float32"}};
  point.key = "dtype=float32";
  std::string line = to_line(point);
  std::pmr::monotonic_buffer_resource memory;
  EXPECT_FALSE(point_row(line.data(), line.size(), &memory)) << "left to from_line()";
  const auto read_back = std::get<PointRecord>(from_line(to_line(point)));
  EXPECT_EQ(read_back.key, "dtype=fp32");
}

}  // namespace
}  // namespace assay::results
