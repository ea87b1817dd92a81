// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"

namespace assay::model::reliability {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Rates& llama() {
  static const Rates rates = read_rates(ASSAY_RATES_DIR "/llama-3.toml");
  return rates;
}

JobRequest training() {
  return {.gpus = 16384,
          .interval_s = 1800,
          .stall_s = 5,
          .checkpoint_source = "assumed",
          .recovery_s = 300,
          .repair_days = 2,
          .run_days = 54,
          .probe_hours = 24};
}

TEST(Job, OfThePublishedSizeHasThePublishedFigures) {
  const JobReliability answer = reliability_of(llama(), training());
  EXPECT_EQ(answer.nodes, 2048);
  EXPECT_NEAR(answer.hours_to_failure.value, 3.09, 0.005);
  EXPECT_NEAR(answer.failures_a_day.value, 419 / 54.0, 1e-9);
  EXPECT_NEAR(answer.useful_share.value, 0.89, 0.005);
  EXPECT_LT(*answer.useful_share.worse, answer.useful_share.value);
  EXPECT_GT(*answer.useful_share.better, answer.useful_share.value);
  EXPECT_NEAR(answer.young_interval_s, 334, 0.5);
  EXPECT_GE(answer.best_share, answer.useful_share.value);
  EXPECT_EQ(answer.spares, 25);
  EXPECT_THAT(answer.cautions, IsEmpty());
}

TEST(Job, FarFromTheSizeThatTheRateIsOfHasACaution) {
  JobRequest small = training();
  small.gpus = 1024;
  EXPECT_THAT(reliability_of(llama(), small).cautions, ElementsAre(HasSubstr("do not follow 1/N")));
}

/// The rate of the whole cluster says 28.8 h for 1,024 GPUs, which ran 7.9 h.
TEST(Job, OfTheSizeThatBreaksTheLawOf1OverNHasACaution) {
  JobRequest small = training();
  small.gpus = 1024;
  const JobReliability answer = reliability_of(read_rates(ASSAY_RATES_DIR "/rsc-1.toml"), small);
  EXPECT_NEAR(answer.hours_to_failure.value, 28.8, 0.05);
  EXPECT_THAT(answer.cautions, Contains(HasSubstr("do not follow 1/N (7.9 h on 128 nodes")));
}

TEST(Job, OfRatesWithoutSilentCorruptionDoesNotCallARunClean) {
  const JobReliability answer = reliability_of(read_rates(ASSAY_RATES_DIR "/rsc-1.toml"), training());
  EXPECT_FALSE(answer.corruption);
  EXPECT_THAT(answer.cautions, Contains(HasSubstr("how long a run stays clean is unknown")));
}

TEST(Job, OfNoSilentCorruptionSeenIsTheWorstCase) {
  const Rates rates = parse_rates(
      "nodes = 100\ndays = 10\n[[component]]\nname = \"gpu\"\nfailures = 4\n"
      "[[component]]\nname = \"silent_corruption\"\nfailures = 0\n",
      "r.toml");
  JobRequest request = training();
  request.gpus = 800;
  request.run_days = 10;
  const JobReliability answer = reliability_of(rates, request);
  EXPECT_NEAR(answer.corruption->clean, 0.025, 1e-9);  // of 1,000 node-days without one: Garwood's 3.69
  EXPECT_THAT(answer.cautions, Contains(HasSubstr("no silent corruption was counted")));
}

TEST(Job, SaysThatARateWithoutCountsHasNoInterval) {
  const Rates rates = read_rates(ASSAY_RATES_DIR "/rsc-1.toml");
  JobRequest request = training();
  request.run_days = 0;
  const JobReliability answer = reliability_of(rates, request);
  EXPECT_FALSE(answer.hours_to_failure.worse);
  EXPECT_THAT(answer.cautions, ElementsAre(HasSubstr("states no counts")));
}

TEST(Job, SaysHowLongABurnInPaysWhereTheTableHasEarlyLife) {
  const Rates rates = parse_rates(
      "name = \"young\"\nnodes = 2048\ndays = 54\n[[component]]\nname = \"gpu\"\nfailures = 419\n"
      "[early_life]\nearly = 0.05\n",
      "r.toml");
  const JobReliability answer = reliability_of(rates, training());
  ASSERT_TRUE(answer.burn_in);
  // Half an interval, half a stall and the recovery, as failures are rare within them.
  EXPECT_NEAR(86400 * answer.burn_in->days_lost_each / (900 + 2.5 + 300), 1, 0.05);
  EXPECT_EQ(answer.burn_in->best_days, 0) << "interruptions this short are cheaper than days of the cluster";
  EXPECT_THAT(to_text(rates, training(), answer), HasSubstr("none pays for itself"));
  JobRequest slow = training();
  slow.recovery_s = 4 * 3600;
  const JobReliability long_one = reliability_of(rates, slow);
  EXPECT_GT(long_one.burn_in->best_days, 1);
  EXPECT_THAT(to_text(rates, slow, long_one), HasSubstr("days pay best"));
  const auto json = to_json(rates, slow, long_one).at("burn_in");
  EXPECT_EQ(json.at("best_days"), long_one.burn_in->best_days);
  EXPECT_EQ(json.at("table").size(), long_one.burn_in->points.size());
  EXPECT_FALSE(to_json(llama(), training(), reliability_of(llama(), training())).contains("burn_in"));
}

TEST(Job, WithoutAFailureHasTheUpperBoundAndSaysSo) {
  const Rates none = parse_rates(
      "nodes = 16\ndays = 100\n[[component]]\nname = \"gpu\"\nfailures = 0\n"
      "[[component]]\nname = \"nic\"\nfailures = 0\n",
      "r.toml");
  const JobReliability answer = reliability_of(none, training());
  EXPECT_NEAR(answer.failures_a_day.value, 2048 * 3.6889 / 1600, 1e-3);
  EXPECT_THAT(answer.cautions, Contains(HasSubstr("no failure was counted")));
  EXPECT_THAT(to_text(none, training(), answer), HasSubstr("no failure was seen: below 2.31 with 97.5 %"));
}

TEST(Job, HasSparesForRacksAsAWhole) {
  const std::string counts =
      "name = \"racks\"\nnodes = 2048\ndays = 54\n[[component]]\nname = \"gpu\"\nfailures = 419\n";
  const Rates alone = parse_rates(counts, "r.toml"),
              racks = parse_rates(
                  counts + "[[domain]]\nname = \"rack\"\nnodes = 16\nunits = 128\nfailures = 30\n", "r.toml");
  const JobReliability answer = reliability_of(racks, training());
  EXPECT_GT(answer.spares, reliability_of(alone, training()).spares + 16);
  ASSERT_EQ(answer.domain_spares.size(), 1U);
  EXPECT_EQ(answer.domain_spares[0].units, 128);
  EXPECT_EQ(answer.domain_spares[0].spares, 4);
  EXPECT_NEAR(answer.failures_a_day.value, (419 + 30) / 54.0, 1e-9);
  EXPECT_THAT(to_text(racks, training(), answer), HasSubstr("for rack of 16 nodes, 128 in the job"));
  EXPECT_EQ(to_json(racks, training(), answer).at("spares").at("domains").at(0).at("spares"), 4);
}

TEST(Job, LosesNoMoreOfADomainThanItHas) {
  const Rates rates = parse_rates(
      "[[component]]\nname = \"gpu\"\nper_1000_node_days = 0\n"
      "[[domain]]\nname = \"row\"\nnodes = 64\nper_1000_unit_days = 100\n",
      "r.toml");
  JobRequest small = training();
  small.gpus = 64;
  EXPECT_EQ(reliability_of(rates, small).spares, 2 * 8) << "two losses at a time, of 8 nodes each";
}

TEST(Job, CountsEveryCauseAsARepairUnlessItsTableSaysOtherwise) {
  const JobReliability usual = reliability_of(llama(), training());
  EXPECT_EQ(usual.spares, 25);
  EXPECT_THAT(usual.causes_without_damage, Contains("software"));
  EXPECT_THAT(to_text(llama(), training(), usual), HasSubstr("count as a node in repair too"));
  const std::string gpu = "nodes = 2048\ndays = 54\n[[component]]\nname = \"gpu\"\nfailures = 365\n";
  const auto with = [&](const std::string& software) {
    return reliability_of(parse_rates(gpu + software, "r.toml"), training());
  };
  const std::string software = "[[component]]\nname = \"software\"\nfailures = 54\n";
  const JobReliability none = with(software + "repair_days = 0\n");
  EXPECT_EQ(with(software).spares, 25);
  EXPECT_EQ(none.spares, with("").spares) << "software breaks no node";
  EXPECT_LT(none.spares, 25);
  EXPECT_THAT(none.causes_without_damage, IsEmpty());
  EXPECT_NEAR(none.hours_to_failure.value, usual.hours_to_failure.value, 1e-9);
}

TEST(Job, NamesFewAndManyAsPeopleDo) {
  JobRequest request = training();
  request.gpus = 8;
  EXPECT_THAT(to_text(llama(), request, reliability_of(llama(), request)), HasSubstr("8 GPUs on 1 node: "));
  request.gpus = 1e9;
  request.interval_s.reset();
  const JobReliability answer = reliability_of(llama(), request);
  const std::string text = to_text(llama(), request, answer);
  EXPECT_THAT(text, HasSubstr("1000000000 GPUs on 125000000 nodes: a failure every 0.182 s"));
  EXPECT_THAT(text, HasSubstr("leave below 1e-06 % of the time useful"));
  EXPECT_THAT(text, HasSubstr("of 2048 nodes, the job has 125000000: "));
}

TEST(Job, OfAnUnprobedRunSaysSo) {
  JobRequest request = training();
  request.probe_hours = 2000;
  const JobReliability answer = reliability_of(llama(), request);
  EXPECT_NEAR(answer.corruption->share, 0.834, 5e-4);
  EXPECT_THAT(to_text(llama(), request, answer),
              HasSubstr("no probe falls into it (every 2000 h): 83.4 % of the time has one"));
  request.run_days = 30;
  request.probe_hours = 720;
  EXPECT_THAT(
      to_text(llama(), request, reliability_of(llama(), request)),
      HasSubstr("probes of all nodes every 720 h find one after 15 days, 71.1 % of the time has one"));
}

TEST(Job, SaysWhatDetectionCosts) {
  JobRequest request = training();
  request.detect_s = 120;
  request.diagnose_s = 600;
  const JobReliability answer = reliability_of(llama(), request);
  EXPECT_EQ(answer.checkpointing.recovery_s, 1020);
  EXPECT_NEAR(answer.time.detection, 120 / (54 * 86400 / 419.0), 2e-4);
  EXPECT_NEAR(answer.time.useful, answer.useful_share.value, 1e-12);
  EXPECT_THAT(to_text(llama(), request, answer), HasSubstr("diagnosis"));
  EXPECT_EQ(to_json(llama(), request, answer).at("checkpoints").at("time").at("diagnosis"),
            answer.time.diagnosis);
  const auto undetected = to_json(llama(), training(), reliability_of(llama(), training()));
  EXPECT_EQ(undetected.at("checkpoints").at("time").at("detection").dump(), "0.0") << "not -0.0";
}

TEST(Job, ComparesBlockingWithAsynchronousCheckpoints) {
  JobRequest request = training();
  EXPECT_TRUE(reliability_of(llama(), request).schemes.empty()) << "the stall is the whole write";
  request.durable_after_s = 115;
  const JobReliability answer = reliability_of(llama(), request);
  ASSERT_EQ(answer.schemes.size(), 2U);
  EXPECT_EQ(answer.schemes[0].stall_s, 120);
  EXPECT_NEAR(answer.schemes[0].best_interval_s / daly_interval_s(120, 54 * 86400 / 419.0), 1, 0.01);
  EXPECT_GT(answer.schemes[1].best_share, answer.schemes[0].best_share);
  EXPECT_THAT(to_text(llama(), request, answer), HasSubstr("blocking       stall 2 min 00 s"));
}

TEST(Job, TextAndJsonSayTheSame) {
  const JobRequest request = training();
  const JobReliability answer = reliability_of(llama(), request);
  const std::string text = to_text(llama(), request, answer);
  EXPECT_THAT(
      text,
      HasSubstr(
          "16384 GPUs on 2048 nodes: a failure every 3.09 h (2.81 to 3.41), 7.76 (7.03 to 8.54) a day"));
  EXPECT_THAT(text, HasSubstr("gpu                        1.34   35.3 %"));
  EXPECT_THAT(text, HasSubstr("(predicted)"));
  const auto json = to_json(llama(), request, answer);
  EXPECT_EQ(json.at("origin"), "predicted");
  EXPECT_EQ(json.at("spares").at("nodes"), 25);
  EXPECT_NEAR(json.at("hours_to_failure").at("value"), 3.09, 0.005);
  EXPECT_NEAR(json.at("silent_corruption").at("clean_run"), 0.00248, 1e-5);
  EXPECT_EQ(json.at("checkpoints").at("source"), "assumed");
}

TEST(Job, RefusesWhatCannotBe) {
  const auto refusal_of = [](const Rates& rates, void (*change)(JobRequest&)) -> std::string {
    JobRequest request = training();
    change(request);
    try {
      reliability_of(rates, request);
    } catch (const core::Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(refusal_of(llama(), [](JobRequest& of) { of.gpus = 12; }),
              HasSubstr("--gpus: expected whole nodes of 8 GPUs, got 12"));
  EXPECT_THAT(refusal_of(llama(), [](JobRequest& of) { of.gpus = -8; }),
              HasSubstr("--gpus: expected whole nodes of 8 GPUs, got -8"));
  EXPECT_THAT(refusal_of(llama(), [](JobRequest& of) { of.stall_s = 0; }), HasSubstr("--stall"));
  EXPECT_THAT(refusal_of(llama(), [](JobRequest& of) { of.stall_s = 3600; }),
              HasSubstr("--interval: 1800 s is shorter than the stall of a checkpoint, 3600 s"));
  EXPECT_THAT(refusal_of(llama(), [](JobRequest& of) { of.durable_after_s = 3600; }),
              HasSubstr("--interval: 1800 s is shorter than the write of a checkpoint, 3600 s"));
  const std::string rate = "[[component]]\nname = \"gpu\"\nper_1000_node_days = 0\n";
  const Rates none = parse_rates(rate, "r.toml");
  const Rates sevens = parse_rates(
      "name = \"sevens\"\n" + rate + "[[domain]]\nname = \"rack\"\nnodes = 7\nper_1000_unit_days = 1\n",
      "r.toml");
  EXPECT_THAT(refusal_of(sevens, [](JobRequest&) {}),
              HasSubstr("sevens: domain 'rack': expected 2048 nodes to divide into domains of 7"));
  EXPECT_THAT(refusal_of(none, [](JobRequest&) {}), HasSubstr("no failures in it"));
}

}  // namespace
}  // namespace assay::model::reliability
