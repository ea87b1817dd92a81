// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A run whose times are made of known coefficients: they come back, and so does a speed of 1.
#include "model/fabric/measured/expectation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/measured/calibration.hpp"
#include "model/fabric/measured/tests/made_run.hpp"
#include "model/fabric/simulate/times.hpp"

namespace assay::model::fabric::measured {
namespace {

using core::tests::message_of;
using testing::HasSubstr;

/// The made run on a fabric, calibrated by it.
struct Calibrated {
  explicit Calibrated(const std::string& toml, const test::KnownPorts& ports = {},
                      OtherLineRate other = OtherLineRate::refused)
      : plain(parse_fabric(toml, "f.toml")), topology(topology_of(plain)), names(topology) {
    const std::string path = folder / "store.db";
    test::make_store(path, ports);
    store.emplace(path, results::StoreMode::existing);
    run.emplace(*store);
    hosts.emplace(topology, names);
    coefficients = run_coefficients(*run, "store.db", *hosts);
    const std::vector<TierCoefficients> all = {{"", coefficients}};
    fabric = parse_fabric(toml, "f.toml", calibration_keys(all, plain, topology, other));
  }

  std::vector<ExpectedOperation> expected(const SimulationOptions& options = {}) const {
    return expected_operations(fabric, run_operations(*run, *hosts, plain.server.gpus), options);
  }

  results::test::TemporaryFolder folder;
  FabricFile plain;
  Topology topology;
  locate::NodeNames names;
  std::optional<results::Store> store;
  std::optional<results::RunPoints> run;
  std::optional<RankHosts> hosts;
  PortCoefficients coefficients;
  FabricFile fabric;
};

TEST(RunCoefficients, AreThoseThatTheRunWasMadeOf) {
  const Calibrated made(test::one_switch);
  const test::KnownPorts known;
  EXPECT_NEAR(made.coefficients.goodput_gb_per_s->value, known.goodput_gb_per_s, 0.5);
  EXPECT_LE(*made.coefficients.goodput_gb_per_s->lower, known.goodput_gb_per_s * 1.005);
  EXPECT_NEAR(*made.coefficients.overhead_us, known.overhead_us, 1e-12);
  EXPECT_NEAR(*made.coefficients.gap_us, known.gap_us, 0.02 * known.gap_us);
  ASSERT_EQ(made.fabric.measured.size(), 1U);
  EXPECT_NEAR(*made.fabric.measured.front().hop_latency_us, known.hop_us, 0.03);
  EXPECT_NEAR(made.fabric.measured.front().goodput_share * LinkSpeed{}.goodput(), 47000, 500);
  EXPECT_NEAR(made.fabric.server.message_gap_us, known.gap_us, 0.02 * known.gap_us);
  EXPECT_THAT(made.fabric.measured.front().source, HasSubstr("run r1 of store.db (simulated)"));
}

TEST(RunCoefficients, LatencyIsOfTheLinksBetweenTheRanksOfTheRun) {
  const Calibrated near("preset = 'ai-zone'\nleaves = 2\ngpus_per_leaf = 8\n");
  EXPECT_EQ(near.coefficients.one_way.at(0).links, 2U);
  EXPECT_NEAR(*near.fabric.measured.front().hop_latency_us, 0.6, 0.03);
  const Calibrated far("preset = 'ai-zone'\nleaves = 8\ngpus_per_leaf = 1\n");
  EXPECT_EQ(far.coefficients.one_way.at(0).links, 4U);
  EXPECT_NEAR(*far.fabric.measured.front().hop_latency_us, 0.3, 0.02);
}

TEST(RunCoefficients, SayThatBandwidthHasNotReachedAPlateau) {
  const Calibrated made(test::one_switch, {.gap_us = 10}, OtherLineRate::taken);
  EXPECT_THAT(made.coefficients.unused,
              testing::ElementsAre(HasSubstr("messages above 1 MiB: 256 KiB reach 16.")));
  EXPECT_THAT(Calibrated(test::one_switch).coefficients.unused, testing::IsEmpty());
}

TEST(RunCoefficients, OfAnotherLineRateAreRefusedUnlessForced) {
  const std::string slow = std::string(test::one_switch) + "link = { gbit_per_s = 200 }\n";
  EXPECT_THAT(message_of([&] { const Calibrated made(slow); }),
              testing::AllOf(HasSubstr("is of another line rate"), HasSubstr("run r1 of store.db"),
                             HasSubstr("--force")));
  const Calibrated forced(slow, {}, OtherLineRate::taken);
  EXPECT_NEAR(topology_of(forced.fabric).capacity(0), 47000, 500);
}

TEST(Expectation, OfARunMadeOfItsCoefficientsIsMet) {
  const std::vector<ExpectedOperation> operations = Calibrated(test::one_switch).expected();
  ASSERT_EQ(operations.size(), 9U);  // three collectives at two sizes, three patterns
  for (const ExpectedOperation& one : operations) {
    EXPECT_NEAR(one.speed.value, 1, 0.02) << one.measured.case_name << " " << one.measured.point;
    EXPECT_LE(*one.speed.lower, 1) << one.measured.case_name;
    EXPECT_GE(*one.speed.upper, 1) << one.measured.case_name;
  }
}

TEST(Expectation, ShowsTheOneCollectiveThatIsSlow) {
  for (const ExpectedOperation& one : Calibrated(test::one_switch, {.slow_all_gather = 1.25}).expected()) {
    const bool slow = one.measured.case_name == "collectives.assay.all_gather";
    EXPECT_NEAR(one.speed.value, slow ? 0.8 : 1, 0.02) << one.measured.case_name;
    EXPECT_EQ(*one.speed.upper < 0.9, slow) << one.measured.case_name;
  }
}

TEST(Expectation, DoesNotDependOnThreads) {
  const Calibrated made("preset = 'ai-zone'\nleaves = 2\ngpus_per_leaf = 4\nspines = 4\n");
  const auto one = made.expected({.seeds = 5, .threads = 1}),
             four = made.expected({.seeds = 5, .threads = 4});
  for (std::size_t at = 0; at < one.size(); ++at) {
    EXPECT_EQ(one[at].simulated_us.value, four[at].simulated_us.value);
    EXPECT_EQ(one[at].simulated_us.upper, four[at].simulated_us.upper);
  }
}

TEST(Expectation, SaysWhatWasLeftOut) {
  const Calibrated made(test::one_switch);
  const RunOperations operations = run_operations(*made.run, *made.hosts, made.plain.server.gpus);
  EXPECT_THAT(
      operations.left_out,
      testing::ElementsAre(testing::Pair("all_reduce: its algorithm is not known, or not simulated", 1),
                           testing::Pair("groups other than the first ranks", 1)));
  const Answer answer = expectation_answer(made.fabric, "run r1", made.expected(), operations.left_out, {});
  EXPECT_THAT(answer.notes, testing::Contains(HasSubstr("Left out: 1 point (all_reduce: its algorithm")));
  EXPECT_THAT(answer.tables.front().title, HasSubstr("unexplained"));
  EXPECT_THAT(
      message_of([&] { expectation_answer(made.fabric, "run r1", {}, operations.left_out, {}); }),
      HasSubstr("run r1: expected collectives, or rdma patterns, that can be simulated; left out: 1 point"));
}

TEST(Expectation, OfRanksThatTheFabricLacksIsRefused) {
  EXPECT_THAT(message_of([] { static_cast<void>(Calibrated("preset = 'star'\nhosts = 4\n").expected()); }),
              HasSubstr("rank 4: the fabric has 4 hosts"));
}

constexpr const char* gather_and_reduce =
    "ranks = 8\n[[stream]]\n[[stream.op]]\ncollective = 'all_gather'\nbytes = '1MiB'\n"
    "[[stream.op]]\ncollective = 'broadcast'\nbytes = '1MiB'\n";

TEST(ScaleToMeasured, MakesWhatWasMeasuredAsMuchLonger) {
  const Calibrated made(test::one_switch, {.slow_all_gather = 1.25});
  const Scenario scenario(made.fabric, parse_workload(gather_and_reduce, "w.toml"));
  Simulation simulation = simulate_connected(scenario, {});
  const double gather_us = simulation.operations[0].time_us[0],
               broadcast_us = simulation.operations[1].time_us[0];
  scale_to_measured(made.expected(), "run r1", simulation);
  EXPECT_NEAR(simulation.operations[0].time_us[0] / gather_us, 1.25, 0.03);
  EXPECT_EQ(simulation.operations[1].time_us[0], broadcast_us);
  EXPECT_NEAR(simulation.time_us[0], simulation.operations[0].time_us[0] + broadcast_us, 1e-9);
  const Answer answer = simulation_answer(scenario, simulation, {}, std::vector<Change>());
  EXPECT_THAT(answer.sentence, testing::StartsWith("Scaled to run r1: "));
  EXPECT_THAT(answer.notes, testing::Each(testing::StartsWith("Scaled to run r1: ")));
  for (const results::Table& table : answer.tables)
    EXPECT_THAT(table.title, testing::StartsWith("Scaled to run r1: "));
}

TEST(ScaleToMeasured, OfNothingThatWasMeasuredIsRefused) {
  const Calibrated made(test::one_switch);
  const Scenario scenario(made.fabric, parse_workload("ranks = 8\n[[stream]]\n[[stream.op]]\ncollective = "
                                                      "'broadcast'\nbytes = '1MiB'\n",
                                                      "w.toml"));
  Simulation simulation = simulate_connected(scenario, {});
  EXPECT_THAT(message_of([&] { scale_to_measured(made.expected(), "run r1", simulation); }),
              HasSubstr("run r1 measured no operation of the workload"));
}

}  // namespace
}  // namespace assay::model::fabric::measured
