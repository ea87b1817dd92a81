// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/acceptance/acceptance.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre, testing::HasSubstr, testing::Property;

class AcceptanceOfAFleet : public testing::Test {
 protected:
  struct Host {
    std::string name;
    double factor = 1;  // of all times
    std::string failed = {};
    int points = 4;
    Origin origin = Origin::simulated;
    std::string unit = "us";
    bool unsupported = false;
  };

  /// One run of a host; the noise differs from run to run, by a few tenths of a percent.
  void measure(const Host& host) {
    const std::string id = fmt::format("{:04}-{}", ++runs_, host.name);
    test::RunBuilder builder(id);
    builder.begin(0, "memory");
    for (int point = 0; point < host.points; ++point) {
      PointRecord record = builder.point("memory.host.copy", {{"n", std::int64_t{point}}});
      if (!host.failed.empty() && point == 0) {
        builder.not_measured(std::move(record), Status::wrong, host.failed);
        continue;
      }
      if (host.unsupported) {
        builder.not_measured(std::move(record), Status::unsupported, "no such device");
        continue;
      }
      const double noise = 1 + 0.002 * std::sin(static_cast<double>(7 * runs_ + 3 * point));
      builder.measured(std::move(record), 1e-3 * host.factor * noise,
                       {"time_us", host.unit, [](double s) { return s * 1e6; }});
    }
    builder.end();
    std::vector<Record> records = builder.take();
    auto& context = std::get<ContextRecord>(records.front());
    context.host = host.name;
    context.origin = host.origin;
    context.started = fmt::format("2026-01-02T03:{:02}:05.000Z", runs_);
    store_.add(records);
  }

  void measure_sound(int hosts) {
    for (int host = 0; host < hosts; ++host) measure({.name = fmt::format("h{}", host)});
  }

  /// Three sound hosts and this one, in runs of their own; `day` is what changed for all since.
  void measure_again(Host host, double day = 1) {
    for (int partner = 0; partner < 3; ++partner)
      measure({.name = fmt::format("h{}", partner), .factor = day});
    host.factor *= day;
    measure(host);
  }

  FleetAcceptance judged(const FleetPlaces& places = {}) {
    return accept(read_fleet(store_, "", places).at(0), {});
  }

  test::TemporaryFolder folder_;
  Store store_{folder_.path() / "store.sqlite"};
  int runs_ = 0;
};

TEST_F(AcceptanceOfAFleet, OfEqualHostsIsGranted) {
  measure_sound(12);
  const FleetAcceptance all = judged();
  EXPECT_EQ(all.measured.first.units.size(), 12U);
  EXPECT_EQ(all.measured.first.metrics.size(), 4U);
  EXPECT_EQ(all.verdict(), Verdict::pass);
}

TEST_F(AcceptanceOfAFleet, WaitsForFreshMeasurementsOfASuspectAndThenRefuses) {
  measure_sound(11);
  measure({.name = "slow", .factor = 1.10});
  FleetAcceptance all = judged();
  ASSERT_FALSE(all.judged.findings.empty());
  EXPECT_EQ(all.judged.findings[0].place, "slow");
  EXPECT_EQ(all.verdict(), Verdict::inconclusive);
  EXPECT_EQ(all.judged.findings[0].kind, FindingKind::suspect);
  for (int time = 0; time < 3; ++time) measure_again({.name = "slow", .factor = 1.10});
  all = judged();
  EXPECT_EQ(all.verdict(), Verdict::fail);
  EXPECT_EQ(all.judged.findings[0].kind, FindingKind::unlike_equals);
  EXPECT_NEAR(all.judged.findings[0].loss, 1 - 1 / 1.10, 0.005);
}

TEST_F(AcceptanceOfAFleet, ClearsAUnitThatWasFarOffOnceByThreeSoundRuns) {
  measure_sound(11);
  measure({.name = "unlucky", .factor = 1.10});
  for (int time = 0; time < 2; ++time) measure_again({.name = "unlucky"});
  EXPECT_EQ(judged().verdict(), Verdict::inconclusive);
  measure_again({.name = "unlucky"});
  EXPECT_EQ(judged().verdict(), Verdict::pass);
}

TEST_F(AcceptanceOfAFleet, TakesOutWhatTheDayDidToAll) {
  measure_sound(11);
  measure({.name = "unlucky"});
  for (int time = 0; time < 3; ++time) measure_again({.name = "unlucky"}, 1.08);
  EXPECT_EQ(judged().verdict(), Verdict::pass);
}

TEST_F(AcceptanceOfAFleet, DoesNotLetAFastDayClearAFault) {
  measure_sound(11);
  measure({.name = "slow", .factor = 1.10});
  for (int time = 0; time < 3; ++time) measure_again({.name = "slow", .factor = 1.10}, 0.92);
  EXPECT_EQ(judged().verdict(), Verdict::fail);
}

TEST_F(AcceptanceOfAFleet, StaysOpenWhereASuspectWasMeasuredAgainAlone) {
  measure_sound(11);
  for (int time = 0; time < 4; ++time) measure({.name = "slow", .factor = 1.10});
  EXPECT_EQ(judged().verdict(), Verdict::inconclusive);
}

TEST_F(AcceptanceOfAFleet, MissesAHostThatThePlacesKnowAndNobodyMeasured) {
  measure_sound(8);
  FleetPlaces places{{"rack"}, {}};
  for (int host = 0; host < 9; ++host) places.of_host[fmt::format("h{}", host)] = {"r"};
  const FleetAcceptance all = judged(places);
  EXPECT_EQ(all.verdict(), Verdict::not_run);
  EXPECT_THAT(all.measured.missing, ElementsAre(Property(&FleetIssue::text, "h8: nothing was measured")));
}

TEST_F(AcceptanceOfAFleet, IsRefusedForAPointThatWasWrong) {
  measure_sound(11);
  measure({.name = "wrong", .failed = "element 7 differs"});
  const FleetAcceptance all = judged();
  EXPECT_EQ(all.verdict(), Verdict::fail);
  EXPECT_EQ(all.measured.failed.at(0).unit, "wrong");
  EXPECT_THAT(all.measured.failed.at(0).reason, HasSubstr("element 7 differs"));
}

TEST_F(AcceptanceOfAFleet, IsOpenWhereAUnitLacksAPoint) {
  measure_sound(11);
  measure({.name = "lazy", .points = 3});
  const FleetAcceptance all = judged();
  EXPECT_EQ(all.verdict(), Verdict::not_run);
  EXPECT_THAT(all.measured.missing, ElementsAre(Property(&FleetIssue::text, "lazy: 1 of 4 points")));
}

TEST_F(AcceptanceOfAFleet, IsOpenWhereThereAreTooFewEquals) {
  measure_sound(7);
  EXPECT_EQ(judged().verdict(), Verdict::inconclusive);
}

TEST_F(AcceptanceOfAFleet, TellsUnitEvidenceAndWhatItCouldSee) {
  measure_sound(11);
  measure({.name = "slow", .factor = 1.10});
  const std::string text = to_text(to_table(judged()));
  EXPECT_THAT(text, testing::AllOf(HasSubstr("suspect"), HasSubstr("slow"), HasSubstr("memory.host.copy/n="),
                                   HasSubstr("INCONCLUSIVE: "), HasSubstr("in 9 of 10 cases"),
                                   HasSubstr("would decide")));
}

TEST_F(AcceptanceOfAFleet, RefusesToMixWhatWasMeasuredWithWhatWasNot) {
  measure_sound(3);
  measure({.name = "real", .origin = Origin::measured});
  EXPECT_THROW(read_fleet(store_, "", {}), std::runtime_error);
}

TEST_F(AcceptanceOfAFleet, RefusesTwoUnitsOfOneMetricNamingBoth) {
  measure_sound(3);
  measure({.name = "other", .unit = "ms"});
  try {
    read_fleet(store_, "", {});
    FAIL() << "two units";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("memory.host.copy: time_us is in 'us' and in 'ms'"));
  }
}

TEST_F(AcceptanceOfAFleet, IsOpenWhereNothingCouldBeMeasured) {
  for (int host = 0; host < 12; ++host) measure({.name = fmt::format("h{}", host), .unsupported = true});
  EXPECT_EQ(judged().verdict(), Verdict::not_run);
  EXPECT_EQ(verdicts_of(judged()).verdict, Verdict::not_run);
}

TEST_F(AcceptanceOfAFleet, GivesARowForEachFindingAndForWhatEachLookSaw) {
  measure_sound(11);
  measure({.name = "slow", .factor = 1.10});
  Verdicts verdicts = verdicts_of(judged());
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_EQ(verdicts.rows.front().unit, "slow");
  EXPECT_EQ(verdicts.rows.front().action, Action::retest);
  EXPECT_DOUBLE_EQ(*verdicts.expected_false_flags, 0.025);
  for (int time = 0; time < 3; ++time) measure_again({.name = "slow", .factor = 1.10});
  verdicts = verdicts_of(judged());
  EXPECT_EQ(verdicts.verdict, Verdict::fail);
  const VerdictRow& row = verdicts.rows.front();
  EXPECT_EQ(row.n, 4);
  EXPECT_NEAR(row.value->value, 9.1, 0.5);
  EXPECT_LT(*row.value->lower, row.value->value);
  EXPECT_DOUBLE_EQ(*row.limit->highest, 1.5);
  EXPECT_TRUE(row.smallest_defect);
  EXPECT_GT(*row.value->lower, *row.limit->highest) << "the whole interval is beyond the margin";
  EXPECT_THAT(row.evidence.front(), HasSubstr("12 hosts: one run varies by "));
  EXPECT_EQ(verdicts.rows.back().verdict, Verdict::pass);
  EXPECT_THAT(verdicts.rows.back().because, HasSubstr("11 of 12 are shown to be less than 1.50 % slower"));
}

TEST_F(AcceptanceOfAFleet, SaysThatNothingWasMeasured) {
  measure_sound(12);
  EXPECT_THAT(verdicts_of(judged()).notes,
              testing::Contains("nothing here was measured: every value is simulated"));
}

TEST_F(AcceptanceOfAFleet, NeedsAnythingAtAll) {
  EXPECT_THROW(read_fleet(store_, "", {}), std::runtime_error);
}

TEST_F(AcceptanceOfAFleet, HoldsRacksAgainstEachOtherAndWantsThePlaceOfEveryHost) {
  measure_sound(16);
  FleetPlaces places{{"rack"}, {}};
  for (int host = 0; host < 16; ++host)
    places.of_host[fmt::format("h{}", host)] = {fmt::format("r{}", host / 2)};
  const FleetAcceptance all = judged(places);
  EXPECT_TRUE(std::ranges::any_of(
      all.judged.looks, [](const FleetLook& look) { return look.level == "rack" && look.places == 8; }));
  places.of_host.erase("h3");
  try {
    read_fleet(store_, "", places);
    FAIL() << "a host without a place";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the file of places does not know host 'h3'");
  }
}

class Places : public testing::Test {
 protected:
  std::string said_of(const std::string& text) {
    std::ofstream(file()) << text;
    try {
      read_places(file());
    } catch (const std::runtime_error& error) {
      return std::string(error.what()).substr(file().size());
    }
    return "nothing";
  }
  std::string file() { return folder_.path() / "places.csv"; }
  test::TemporaryFolder folder_;
};

TEST_F(Places, AreReadByHost) {
  std::ofstream(file()) << "host,rack,switch\r\nh1,r1,s1\r\n\nh2,r1,s2\n";
  const FleetPlaces places = read_places(file());
  EXPECT_THAT(places.levels, testing::ElementsAre("rack", "switch"));
  EXPECT_THAT(places.of_host.at("h2"), testing::ElementsAre("r1", "s2"));
}

TEST_F(Places, KnowRailsOfGpusAndPorts) {
  std::ofstream(file())
      << "host,gpu,port,switch,rail\nh1,,,s1,\nh1,0,mlx5_0,,r0\nh1,1,,,r1\nh2,0,,s2,r0\nh2,1,,s2,r1\n";
  const FleetPlaces places = read_places(file());
  EXPECT_THAT(places.levels, testing::ElementsAre("switch", "rail"));
  EXPECT_THAT(places.of("h1", "gpu0"), testing::ElementsAre("s1", "r0"));
  EXPECT_THAT(places.of("h1", "mlx5_0"), testing::ElementsAre("s1", "r0"));
  EXPECT_THAT(places.of("h1", "gpu7"), testing::ElementsAre("s1", ""));
  EXPECT_THAT(places.of("h1", ""), testing::ElementsAre("s1", ""));
  EXPECT_THAT(places.of("h2", ""), testing::ElementsAre("s2", "")) << "where all of its parts stand";
  EXPECT_EQ(said_of("host,gpu,rail\nh1,0,a\nh1,0,b\n"), ":3: 'gpu0' of host 'h1' appears twice");
}

TEST_F(Places, NameTheLineOfWhatIsWrong) {
  EXPECT_EQ(said_of("node,rack\n"), ":1: expected a header such as host,rack,switch or host,gpu,port,rail");
  EXPECT_EQ(said_of("host,rack\nh1\n"), ":2: expected 2 columns, found 1");
  EXPECT_EQ(said_of("host,rack\nh1,r1\nh1,r2\n"), ":3: host 'h1' appears twice");
  EXPECT_EQ(said_of(""), ": is empty");
  EXPECT_EQ(said_of("host,,rail\n"),
            ":1: a column without a name: expected a header such as host,rack,switch");
  EXPECT_EQ(said_of("host,switch,rail,switch\n"), ":1: 'switch' appears twice in the header");
  EXPECT_EQ(said_of("host,switch,host\n"),
            ":1: 'host' cannot be the name of a place: expected a header such as host,gpu,rack,switch");
}

TEST(PlacesFile, ThatIsNotThereIsAnError) {
  EXPECT_THROW(read_places("/nonexistent.csv"), std::runtime_error);
}

}  // namespace
}  // namespace assay::results
