// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/point_doubts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "results/store/sqlite/database.hpp"
#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

LinkReport clean_link(int rank) { return {.rank = rank, .link_class = LinkClass::clean, .watched = 43}; }

PointEvidence sound() {
  return {.n = 60,
          .time_s = 1e-4,
          .lower_s = 0.99e-4,
          .upper_s = 1.01e-4,
          .stop = "interval",
          .metric = "bandwidth_gb_per_s",
          .unit = "GB/s",
          .value = {100, 99, 101},
          .verification = "right",
          .verification_why = {},
          .conditions = R"({"pages": "4KiB"})",
          .links = {clean_link(0), {.rank = 1, .link_class = LinkClass::congested}}};
}

/// The doubt about a point that is sound but for this.
std::string doubt_after(const std::function<void(PointEvidence&)>& change) {
  PointEvidence point = sound();
  change(point);
  const auto doubt = doubt_about(point);
  return doubt ? doubt->why : "none";
}

TEST(PointDoubts, AreNoneOfASoundPoint) {
  EXPECT_EQ(doubt_after([](PointEvidence&) {}), "none");
  EXPECT_EQ(doubt_after([](PointEvidence& point) { point.conditions = ""; }), "none");
  EXPECT_EQ(doubt_after([](PointEvidence& point) { point.lower_s = point.upper_s = point.time_s; }), "none");
}

/// Another tool's result: one number for a run.
void make_aggregate(PointEvidence& point) {
  point.n = 0;
  point.lower_s = point.upper_s = std::numeric_limits<double>::quiet_NaN();
  point.value = {100};
  point.imported = true;
  point.verification_why = "imported: nccl-tests 2.17.6";
  point.conditions = R"({"tool":"nccl-tests","statistic":"mean over iterations","executions":20})";
}

TEST(PointDoubts, AreNoneOfAnImportedNumberWithoutSamplesThatNamesItsStatistic) {
  EXPECT_EQ(doubt_after(make_aggregate), "none");
  const std::string no_samples = "status ok, and 0 samples";
  EXPECT_EQ(doubt_after([](PointEvidence& point) { make_aggregate(point), point.imported = false; }),
            no_samples);
  EXPECT_EQ(doubt_after([](PointEvidence& point) { make_aggregate(point), point.conditions = "{}"; }),
            no_samples);
  EXPECT_EQ(doubt_after([](PointEvidence& point) { make_aggregate(point), point.lower_s = 0.9e-4; }),
            no_samples);
  EXPECT_THAT(doubt_after([](PointEvidence& point) { make_aggregate(point), point.time_s = 0; }),
              HasSubstr("an impossible time"));
}

TEST(PointDoubts, HaveNoCountersOfLinksThatAnotherToolUsed) {
  const auto of_link = [](PointEvidence& point) {
    point.case_name = "rdma.verbs.bandwidth", point.links = {};
  };
  EXPECT_THAT(doubt_after(of_link), HasSubstr("names no link_class"));
  EXPECT_EQ(doubt_after([&](PointEvidence& point) { make_aggregate(point), of_link(point); }), "none");
}

TEST(PointDoubts, OfAPointThatIsNotOkAreLeftToItsStatus) {
  EXPECT_EQ(doubt_after([](PointEvidence& point) { point.status = Status::failed, point.n = 0; }), "none");
}

TEST(PointDoubts, NameTheStampThatItIsNoPerformanceMeasurement) {
  const std::string stamp = "not_a_performance_measurement",
                    expected = "not a performance measurement: ranks share a GPU";
  EXPECT_EQ(doubt_after([&](PointEvidence& point) {
              point.conditions = R"({")" + stamp + R"(": "ranks share a GPU"})";
            }),
            expected);
  EXPECT_EQ(doubt_after([&](PointEvidence& point) { point.ranks = {{3, {{stamp, "ranks share a GPU"}}}}; }),
            expected);
  EXPECT_THAT(
      doubt_after([](PointEvidence& point) { point.conditions = R"({"not_a_performance_measurement": 1})"; }),
      HasSubstr("not a performance measurement"));
}

TEST(PointDoubts, NameALinkThatWasNotSoundOnAnyRank) {
  const auto of_links = [](const std::vector<LinkReport>& links) {
    return doubt_after([&](PointEvidence& point) { point.links = links; });
  };
  EXPECT_THAT(of_links({{.link_class = LinkClass::lossy,
                         .counters = {{.counter = "out_of_sequence",
                                       .outcome = core::CounterReport::Outcome::moved,
                                       .moved = 12,
                                       .speaks_for = LinkClass::lossy}}}}),
              HasSubstr("its link was not sound: lossy: out_of_sequence +12"));
  EXPECT_THAT(of_links({clean_link(0), {.rank = 7, .link_class = LinkClass::faulty}}), HasSubstr("faulty"));
  EXPECT_THAT(of_links({{.link_class = LinkClass::unknown}}),
              HasSubstr("its link's counters could not be followed"));
  EXPECT_EQ(of_links({{.link_class = LinkClass::congested}}), "none");
}

TEST(PointDoubts, NameAnRdmaPointWithoutAClassOfItsLink) {
  const auto of_rdma = [](const std::vector<LinkReport>& links) {
    return doubt_after(
        [&](PointEvidence& point) { point.case_name = "rdma.verbs.bandwidth", point.links = links; });
  };
  EXPECT_THAT(of_rdma({}), HasSubstr("names no link_class"));
  EXPECT_EQ(of_rdma({clean_link(0)}), "none");
}

TEST(PointDoubts, NameLinksThatCannotBeThoseOfThePoint) {
  const auto of_links = [](const std::vector<LinkReport>& links) {
    return doubt_after([&](PointEvidence& point) {
      point.conditions = R"({"host": "a", "ranks":2})";
      point.links = links;
    });
  };
  EXPECT_EQ(of_links({clean_link(0), clean_link(1)}), "none");
  EXPECT_EQ(of_links({clean_link(0)}), "its record has no link of rank 1");
  EXPECT_EQ(of_links({clean_link(0), clean_link(0)}), "its record has two links of rank 0");
  EXPECT_EQ(of_links({clean_link(0), clean_link(1), clean_link(2)}),
            "its record has a link of rank 2, and 2 ranks ran");
  LinkReport unread = clean_link(1);
  unread.watched = 0;
  EXPECT_EQ(of_links({clean_link(0), unread}),
            "its record calls the link of rank 1 clean, and no counter of it was read");
  LinkReport too_good = clean_link(1);
  too_good.counters = {{.counter = "symbol_error",
                        .outcome = core::CounterReport::Outcome::moved,
                        .moved = 3,
                        .speaks_for = LinkClass::faulty}};
  EXPECT_EQ(of_links({clean_link(0), too_good}),
            "its record calls the link of rank 1 clean, and its counters say faulty");
}

TEST(PointDoubts, OfAWrongVerificationFail) {
  PointEvidence point = sound();
  point.verification = "wrong";
  point.verification_why = "element 7";
  const auto doubt = doubt_about(point);
  ASSERT_TRUE(doubt);
  EXPECT_TRUE(doubt->is_wrong);
  EXPECT_THAT(doubt->why, HasSubstr("element 7"));
}

TEST(PointDoubts, NameNumbersThatNoMeasurementGives) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(doubt_after([](PointEvidence& point) { point.n = 0; }), HasSubstr("0 samples"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) { point.n = -3; }), HasSubstr("-3 samples"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) { point.time_s = nan; }), HasSubstr("no time"));
  for (const double time_s : {0.0, -1e-4, 1e-15, 1e300, std::numeric_limits<double>::infinity()})
    EXPECT_THAT(doubt_after([&](PointEvidence& point) { point.time_s = time_s; }),
                HasSubstr("impossible time"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) { std::swap(point.lower_s, point.upper_s); }),
              HasSubstr("not within its interval"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) { point.lower_s = -1e-4; }),
              HasSubstr("not within its interval"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) { point.value = {100, 101, 99}; }),
              HasSubstr("upside down"));
  for (const double outside : {98.0, 102.0})
    EXPECT_THAT(doubt_after([&](PointEvidence& point) { point.value = {outside, 99, 101}; }),
                HasSubstr("outside its interval"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) {
                point.metric = "latency_us", point.unit = "us", point.value = {0, 0, 0};
              }),
              HasSubstr("is 0 us"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) { point.value = {-5, -6, -4}; }), HasSubstr("impossible"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) { point.value = {1e9, 1e9, 1e9}; }),
              HasSubstr("impossible"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) { point.value.value = nan; }), HasSubstr("not a number"));
  EXPECT_THAT(doubt_after([](PointEvidence& point) { point.stop = "interrupted"; }), HasSubstr("interrupt"));
}

TEST(PointDoubts, LetAMetricBeNegativeThatMayBe) {
  EXPECT_FALSE(doubt_about_value("slowdown_percent", "%", {-2, -3, -1}));
  EXPECT_FALSE(doubt_about_value("clock_offset_us", "us", {-2, -3, -1}));
  EXPECT_TRUE(doubt_about_value("latency_ns", "ns", {-5}));
}

TEST(PointDoubts, NameATimeThatItsSamplesDoNotSay) {
  const PointEvidence point = sound();
  EXPECT_FALSE(doubt_about(point, std::vector{0.9e-4, 1e-4, 1.1e-4, 1.2e-4, 1.3e-4}));
  EXPECT_FALSE(doubt_about(point, std::vector{0.5e-4, 0.5e-4, 1.5e-4, 1.5e-4}));  // two states
  EXPECT_THAT(doubt_about(point, std::vector{2e-4, 2e-4, 2e-4})->why, HasSubstr("its samples"));
  EXPECT_TRUE(doubt_about(point, std::vector{1e-4, -1e-4, 1e-4}));
  EXPECT_TRUE(doubt_about(point, std::vector{1e-4, std::nan(""), 1e-4}));
}

TEST(PointDoubts, OfSamplesAreThoseOfTheirOrder) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> times(0.2e-4, 3e-4);
  int doubted = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    PointEvidence point = sound();
    point.quantile = std::array{0.0, 0.05, 0.5, 0.95, 1.0}.at(static_cast<std::size_t>(trial % 5));
    std::vector<double> samples(1 + random() % 12);
    std::ranges::generate(samples, [&] { return times(random); });
    std::vector<double> sorted = samples;
    std::ranges::sort(sorted);
    const double last = static_cast<double>(sorted.size() - 1), rank = point.quantile * last;
    const double low = sorted[static_cast<std::size_t>(std::max(0.0, std::floor(rank) - 1))],
                 high = sorted[static_cast<std::size_t>(std::min(last, std::ceil(rank) + 1))];
    const bool expected = point.time_s < low * 0.75 || point.time_s > high * 1.25;
    EXPECT_EQ(doubt_about(point, samples).has_value(), expected) << trial;
    doubted += expected ? 1 : 0;
  }
  EXPECT_GT(doubted, 100);
  EXPECT_LT(doubted, 1900);
}

/// The evidence that a store gives for a point of the memory module after `change`.
PointEvidence stored_after(const std::function<void(PointRecord&)>& change) {
  test::TemporaryFolder folder;
  Store store(folder / "store.sqlite");
  test::RunBuilder builder("r");
  builder.begin(0, "memory");
  PointRecord record = builder.point("memory.host.copy", {{"n", std::int64_t{1}}});
  change(record);
  builder.measured(std::move(record), 1e-4, {"time_us", "us", [](double s) { return s * 1e6; }});
  builder.end();
  store.add(builder.take());
  Statement row =
      store.database().prepare(std::string("SELECT ") + point_evidence_columns + ", p.id FROM points p");
  EXPECT_TRUE(row.step());
  EXPECT_EQ(row.integer(point_evidence_column_count), 1);
  return evidence_from(row, 0);
}

TEST(PointDoubts, AreReadFromTheStore) {
  const PointEvidence point =
      stored_after([](PointRecord& record) { record.links = {{.link_class = LinkClass::lossy}}; });
  EXPECT_EQ(point.n, 60);
  EXPECT_EQ(point.quantile, 0.5);
  EXPECT_EQ(point.verification, "right");
  EXPECT_THAT(doubt_about(point)->why, HasSubstr("lossy"));
}

TEST(PointDoubts, AreOfWhatTheImportFoundAboutTheLog) {
  const auto after = [](const std::string& more) {
    return doubt_after([&](PointEvidence& point) {
      make_aggregate(point);
      point.conditions = R"({"tool":"nccl-tests","statistic":"mean over iterations")" + more + "}";
    });
  };
  EXPECT_EQ(after(R"(,"doubts":"prefixed: line prefixes removed; no_warmup: first operations count")"),
            "none");
  EXPECT_EQ(after(R"(,"doubts":"cut: no line after cut; same_log: of the tool's own words")"), "none");
  EXPECT_EQ(after(R"(,"not_believable":"same_log: another host has the same numbers: gx1; gx2/a.log")"),
            "its log is not believable: same_log: another host has the same numbers: gx1; gx2/a.log");
}

/// Words in a verification make no record an imported one.
TEST(PointDoubts, TakeAnImportByTheOriginOfItsProcess) {
  const PointEvidence own = stored_after([](PointRecord& record) {
    record.verification.why = "imported: nccl-tests";
    record.conditions.emplace_back("statistic", std::string("mean over iterations"));
  });
  EXPECT_FALSE(own.is_imported());
}

TEST(PointDoubts, AreReadFromUnitsInEitherForm) {
  for (const Fields& form : {Fields{}, Fields{{"link_class", "congested"}}})
    for (const std::string id : {"1", "6"}) {
      const auto change = [&](PointRecord& one) { one.conditions = form, one.units = {{"gpu", id}}; };
      EXPECT_EQ(stored_after(change).contradiction.empty(), id == "1");
    }
}

TEST(PointDoubts, AreReadFromAnEfficiencyInEitherForm) {
  for (const Fields& form : {Fields{}, Fields{{"link_class", "congested"}}})
    for (const double efficiency : {0.9, 30.0}) {
      const auto change = [&](PointRecord& one) {
        one.conditions = form, one.work_flops = 1e9;
        one.metrics = {{.name = "efficiency", .unit = "", .value = efficiency}};
      };
      EXPECT_EQ(stored_after(change).contradiction.empty(), efficiency < 1);
    }
}

TEST(PointDoubts, AreReadFromTheOlderFormOfALink) {
  const auto doubt_of = [](const Fields& conditions) {
    const auto doubt =
        doubt_about(stored_after([&](PointRecord& record) { record.conditions = conditions; }));
    return doubt ? doubt->why : "none";
  };
  EXPECT_THAT(doubt_of({{"link_class", "lossy"}, {"link_class_why", "lossy: out_of_sequence +12"}}),
              HasSubstr("its link was not sound: lossy: out_of_sequence +12"));
  EXPECT_THAT(doubt_of({{"link_class", "clean"}, {"rank7_link_class", "faulty"}}), HasSubstr("faulty"));
  EXPECT_THAT(doubt_of({{"link_class", "splendid"}}), HasSubstr("its link's counters could not be followed"));
  EXPECT_EQ(doubt_of({{"link_class", "congested"}}), "none");
  EXPECT_THAT(doubt_of({{"rank3_not_a_performance_measurement", "ranks share a GPU"}}),
              HasSubstr("ranks share a GPU"));
}

}  // namespace
}  // namespace assay::results
