// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/names.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/store/store.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string rates_folder = std::string(ASSAY_SOURCE_DIR) + "/model/examples/rates";

tests::Said reliability(const std::string& arguments) {
  return tests::assay_in(rates_folder, "reliability " + arguments);
}

TEST(ReliabilityCommand, AnswersFromRatesOrFromAMeanTime) {
  const tests::Said rates =
      reliability("--gpus 16384 --rates llama-3.toml --interval 10m --stall 5s --recovery 3m");
  EXPECT_EQ(rates.exit_code, 0);
  EXPECT_THAT(rates.text, StartsWith("16384 GPUs on 2048 nodes: a failure every 3.09 h (2.81 to 3.41)"));
  EXPECT_THAT(rates.text, HasSubstr("checkpoints every 10 min 00 s leave 95 %"));
  const tests::Said mean = reliability("--mtbf 3h --stall 60s --recovery 5m --interval 1h");
  EXPECT_EQ(mean.exit_code, 0);
  EXPECT_THAT(mean.text, StartsWith("the job: a failure every 3 h, 8 a day"));
  EXPECT_THAT(mean.text, HasSubstr("leave 80.4 % of the time useful (predicted)"));
  EXPECT_THAT(mean.text, HasSubstr("best interval 18 min 19 s (Young: 18 min 58 s), useful 87.37 %"));
}

TEST(ReliabilityCommand, ProposesIntervalsThatItAccepts) {
  const tests::Said no_stall = reliability("--mtbf 3h --stall 0s --write 20s --recovery 0s");
  EXPECT_EQ(no_stall.exit_code, 0);
  EXPECT_THAT(no_stall.text, HasSubstr("best interval 20 s")) << "what costs nothing is done all the time";
  EXPECT_EQ(reliability("--mtbf 3h --stall 0s --write 20s --interval 20s").exit_code, 0);
  const tests::Said hopeless = reliability("--mtbf 1s --stall 5s");
  EXPECT_EQ(hopeless.exit_code, 0);
  EXPECT_THAT(hopeless.text, HasSubstr("best interval 5 s"));
  EXPECT_EQ(reliability("--mtbf 1s --stall 5s --interval 5s").exit_code, 0);
}

TEST(ReliabilityCommand, SaysWhetherTheFrontEndCarriesCheckpointsDataAndLogs) {
  const std::string job = "--gpus 16384 --rates llama-3.toml --interval 10m --state 20GB --json ";
  const auto wide =
      core::json_from<nlohmann::json>(reliability(job + "--front-end 100 --ingest 50MB --logs 100MB").text);
  EXPECT_NEAR(wide.at("front_end").at("write_s").get<double>(), 160 / 12.0, 1e-9);
  EXPECT_TRUE(wide.at("front_end").at("carries").get<bool>());
  const auto narrow = core::json_from<nlohmann::json>(reliability(job + "--front-end 4").text);
  EXPECT_TRUE(narrow.at("front_end").at("carries").get<bool>());
  const auto starved = core::json_from<nlohmann::json>(reliability(job + "--front-end 2 --write 10s").text);
  EXPECT_FALSE(starved.at("front_end").at("carries").get<bool>());
  EXPECT_LT(narrow.at("checkpoints").at("useful_share").at("value"),
            wide.at("checkpoints").at("useful_share").at("value"));
}

TEST(ReliabilityCommand, RefusesAFrontEndThatDataFills) {
  const std::string job = "--gpus 16384 --rates llama-3.toml ";
  const tests::Said full = reliability(job + "--front-end 25 --state 20GB --ingest 500MB");
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_THAT(full.text, HasSubstr("ingest and logs take 4 GB/s of a node's 3.125"));
  const tests::Said slow = reliability(job + "--front-end 2 --state 20GB --interval 10m");
  EXPECT_EQ(slow.exit_code, 2);
  EXPECT_THAT(slow.text, HasSubstr("600 s is shorter than the write of a checkpoint, 640 s"));
  const tests::Said stateless = reliability(job + "--front-end 25");
  EXPECT_EQ(stateless.exit_code, 2);
  EXPECT_THAT(stateless.text, HasSubstr("expected --state"));
}

TEST(ReliabilityCommand, PrintsJson) {
  const tests::Said said = reliability("--gpus 2048 --rates rsc-1.toml --repair 1d --json");
  EXPECT_EQ(said.exit_code, 0);
  const auto json = core::json_from<nlohmann::json>(said.text);
  EXPECT_EQ(json.at("origin"), "predicted");
  EXPECT_NEAR(json.at("hours_to_failure").at("value"), 24 / (256 * 6.5e-3), 1e-9);
  EXPECT_GE(json.at("spares").at("nodes"), 2);
}

std::string early_rates() {
  const std::string file =
      (std::filesystem::temp_directory_path() / fmt::format("assay-early-{}.toml", getpid())).string();
  std::ofstream(file) << "name = \"new\"\nnodes = 2048\ndays = 54\n[[component]]\nname = \"gpu\"\n"
                         "failures = 419\n[early_life]\nearly = 0.05\nscale_days = 10\nshape = 0.7\n";
  return file;
}

TEST(ReliabilityCommand, SaysHowLongABurnInPaysForItself) {
  const std::string file = early_rates(), job = "--gpus 16384 --recovery 4h --rates " + file;
  const tests::Said said = reliability(job + " --service 365d"), json = reliability(job + " --json");
  std::filesystem::remove(file);
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("burn-in before 365 days of service"));
  EXPECT_THAT(said.text, HasSubstr("days pay best"));
  const auto burn_in = core::json_from<nlohmann::json>(json.text).at("burn_in");
  EXPECT_EQ(burn_in.at("service_days"), 1000);
  EXPECT_GT(burn_in.at("best_days"), 1);
}

// Two points on 10 ranks, whose means lie 0.2 % and 0.4 % of 2 x 1.53875 apart.
TEST(ReliabilityCommand, TakesTheMeasuredSpreadOfRanks) {
  const results::test::TemporaryFolder folder;
  results::Store store((folder / "s.sqlite").string());
  store.add(results::test::sample_context());
  for (const int sequence : {0, 1}) {
    results::PointRecord point = results::test::sample_point("run-1", sequence);
    point.case_name = "collectives.mpi.allreduce";
    point.point = {{"bytes", std::int64_t{sequence}}};
    point.key = fmt::format("bytes={}", sequence);
    point.conditions = {{core::names::ranks, std::int64_t{10}}};
    const double apart_us = 100 * 2 * 1.53875 * (sequence + 1) * 0.002;
    for (const auto& [name, value] : {std::pair{core::names::rank_mean_avg_us, 100.0},
                                      {core::names::rank_mean_min_us, 100 - apart_us / 2},
                                      {core::names::rank_mean_max_us, 100 + apart_us / 2}})
      point.metrics.push_back({.name = name, .unit = "us", .value = value});
    store.add(point);
  }
  const std::string file = " --rank-spread-from " + (folder / "s.sqlite").string();
  const tests::Said said = reliability("--gpus 2048 --rates rsc-1.toml --json" + file);
  ASSERT_EQ(said.exit_code, 0) << said.text;
  const auto json = core::json_from<nlohmann::json>(said.text);
  EXPECT_NEAR(json.at("rank_spread").at("relative"), 0.003, 1e-6);
  EXPECT_NEAR(json.at("step_slowdown"), 1 + 0.003 * 3.43, 1e-4) << "of 2,048 ranks";
  EXPECT_THAT(json.at("rank_spread").at("source"),
              HasSubstr("median of 2 points of collectives on up to 10 ranks in run run-1"));
  EXPECT_THAT(reliability("--gpus 2048 --rates rsc-1.toml" + file).text,
              HasSubstr("spread 0.3 % (median of"));
  results::Store bare((folder / "bare.sqlite").string());
  bare.add(results::test::sample_context());
  const tests::Said refused =
      reliability("--gpus 2048 --rates rsc-1.toml --rank-spread-from " + (folder / "bare.sqlite").string());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.text, HasSubstr("run run-1 has no times of ranks"));
}

TEST(ReliabilityCommand, DoubtsAStateFarFromWhatWasMeasured) {
  const results::test::TemporaryFolder folder;
  results::Store store((folder / "s.sqlite").string());
  store.add(results::test::sample_context());
  results::PointRecord point = results::test::sample_point();
  point.case_name = "offload.host.checkpoint";
  point.point = {{"bytes", std::int64_t{1} << 30}};
  point.key = "bytes=1073741824";
  for (const auto& [name, value] : {std::pair{core::names::lost_s_per_gb, 0.02},
                                    {core::names::save_gb_per_s, 2.0},
                                    {core::names::commit_s, 0.1}})
    point.metrics.push_back({.name = name, .unit = "", .value = value});
  store.add(point);
  const auto with_state = [&](const std::string& state) {
    return reliability("--mtbf 3h --checkpoint " + (folder / "s.sqlite").string() + " --state " + state);
  };
  EXPECT_THAT(with_state("20GB").text, HasSubstr("stall 400 ms, durable after 10.1 s"));
  EXPECT_THAT(with_state("20GB").text, testing::Not(HasSubstr("caution")));
  EXPECT_THAT(
      with_state("20").text,
      HasSubstr("caution: the checkpoint that was measured has 1GiB, --state 20B: beyond a factor of 1000"));
  const tests::Said none = with_state("0");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.text, HasSubstr("--state: expected bytes above 0"));
}

TEST(ReliabilityCommand, IsASectionOfTheReport) {
  const results::test::TemporaryFolder folder;
  const std::string store_file = (folder / "s.sqlite").string(), page = (folder / "r.html").string();
  results::Store store(store_file);
  store.add(results::test::sample_context());
  store.add(results::test::sample_point());
  const auto report = [&](const std::string& arguments) {
    return tests::assay_in(rates_folder, "report --store " + store_file + " -o " + page + " " + arguments);
  };
  EXPECT_EQ(report("--rates llama-3.toml --gpus 16384").exit_code, 0);
  const std::string html = tests::text_of(page);
  EXPECT_THAT(html, HasSubstr("16384 GPUs on 2048 nodes, rates of llama-3: a failure every 3.09 h"));
  EXPECT_THAT(html, HasSubstr("What failures would cost a job"));
  const auto refused = [&](const std::string& arguments) {
    const tests::Said said = report(arguments);
    EXPECT_EQ(said.exit_code, 2) << arguments;
    return said.text;
  };
  EXPECT_THAT(refused("--rates llama-3.toml"), HasSubstr("--rates requires --gpus"));
  EXPECT_THAT(refused("--rates llama-3.toml --gpus 12"),
              HasSubstr("--gpus: expected whole nodes of 8 GPUs, got 12"));
  EXPECT_THAT(refused("--rates llama-3.toml --gpus 16 --state 1GB"), HasSubstr("has no checkpoint"));
  EXPECT_THAT(refused("--rates llama-3.toml --gpus 16 --fleet"), HasSubstr("excludes"));
}

TEST(ReliabilityCommand, RefusesInOneLine) {
  const auto refusal_of = [](const std::string& arguments) {
    const tests::Said said = reliability(arguments);
    EXPECT_EQ(said.exit_code, 2) << arguments;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
    return said.text;
  };
  EXPECT_THAT(refusal_of(""), HasSubstr("expected --gpus and --rates, --mtbf, or --rates-from-logbooks"));
  EXPECT_THAT(refusal_of("--mtbf 3h --gpus 8"), HasSubstr("--gpus excludes --mtbf"));
  EXPECT_THAT(refusal_of("--gpus 12 --rates llama-3.toml"),
              HasSubstr("expected whole nodes of 8 GPUs, got 12"));
  EXPECT_THAT(refusal_of("--gpus 8 --rates nowhere.toml"), HasSubstr("nowhere.toml"));
  EXPECT_THAT(refusal_of("--mtbf -3h"), HasSubstr("--mtbf '-3h': expected a time"));
  EXPECT_THAT(refusal_of("--mtbf 3h --stall 0s"), HasSubstr("--stall: 0 s: expected --write above 0"));
  EXPECT_THAT(refusal_of("--mtbf 3h --write 2h --interval 1h"),
              HasSubstr("--interval: 3600 s is shorter than the write of a checkpoint, 7200 s"));
  EXPECT_THAT(refusal_of("--mtbf 3h --checkpoint s.sqlite --stall 5s"), HasSubstr("excludes"));
  EXPECT_THAT(refusal_of("--mtbf 3h --checkpoint s.sqlite"), HasSubstr("expected --state"));
  EXPECT_THAT(refusal_of("--mtbf 3h --probability 1"), HasSubstr("--probability"));
  for (const char* flag :
       {"--probability", "--slower", "--rank-spread", "--run-days", "--probe-hours", "--by-chance"})
    EXPECT_THAT(refusal_of(std::string("--mtbf 3h ") + flag + " nan"), HasSubstr("got 'nan'")) << flag;
  const results::test::TemporaryFolder folder;
  const std::string file = (folder / "r.toml").string(), asked = "--gpus 16 --rates " + file;
  results::test::write_text(file, "[[component]]\nname = \"gpu\"\nper_1000_node_days = -2\n");
  EXPECT_THAT(refusal_of(asked),
              HasSubstr("r.toml:3: component.per_1000_node_days: expected a number of at least 0"));
  results::test::write_text(file, "[[component]]\nname = \"nik\"\nper_1000_node_days = 2\n");
  EXPECT_THAT(refusal_of(asked), HasSubstr("; did you mean nic?"));
  EXPECT_THAT(refusal_of("--mtbf 3h --detect -5s"), HasSubstr("--detect '-5s': expected a time"));
  EXPECT_THAT(refusal_of("--mtbf 3h --interval 10s --stall 30s"),
              HasSubstr("--interval: 10 s is shorter than the stall of a checkpoint, 30 s"));
  for (const char* flag : {"1", "0.999999999999"})
    EXPECT_THAT(refusal_of(std::string("--gpus 8 --rates llama-3.toml --probability ") + flag),
                HasSubstr("expected a number from 0.0001 to 0.999999999, got '"));
}

TEST(ReliabilityCommand, RefusesFlagsThatWouldChangeNothing) {
  const auto refusal_of = [](const std::string& arguments) {
    const tests::Said said = reliability(arguments);
    EXPECT_EQ(said.exit_code, 2) << arguments;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
    return said.text;
  };
  const std::string job = "--gpus 8 --rates llama-3.toml ";
  for (const char* flag : {"--repair 2d", "--probability 0.9", "--service 9d", "--run-days 3",
                           "--rank-spread 2", "--rank-spread-from s.sqlite"})
    EXPECT_THAT(refusal_of(std::string("--mtbf 3h ") + flag), HasSubstr("excludes")) << flag;
  EXPECT_THAT(refusal_of(job + "--probe-hours 6"), HasSubstr("--probe-hours requires --run-days"));
  EXPECT_THAT(refusal_of(job + "--run-days 0"), HasSubstr("expected a number from 0.001"));
  EXPECT_THAT(refusal_of(job + "--run-days 3 --probe-hours 0"), HasSubstr("expected a number from 0.001"));
  EXPECT_THAT(refusal_of(job + "--state 20GB"),
              HasSubstr("--state: expected --checkpoint or --front-end with it"));
  EXPECT_THAT(refusal_of(job + "--service 9d"), HasSubstr("--service: expected [early_life]"));
  EXPECT_THAT(refusal_of(job + "--rma 2"), HasSubstr("--rma: expected --rates-from-logbooks"));
  EXPECT_THAT(refusal_of(job + "--run x"), HasSubstr("--run: expected --checkpoint"));
  EXPECT_THAT(refusal_of("--mtbf 3h --rank-spread 1 --rank-spread-from s.sqlite"), HasSubstr("excludes"));
}

}  // namespace
}  // namespace assay::cli
