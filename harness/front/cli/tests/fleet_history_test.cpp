// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rates and repeat offenders by `assay reliability`, from logbooks and stores.
#include "harness/front/cli/tasks/fleet_history.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "harness/core/names.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "harness/front/health/checks/check_components.hpp"
#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/logbook.hpp"
#include "results/store/store.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

using health::History;
using testing::HasSubstr;

constexpr double day_s = 86400;

std::string day(int of_november) { return fmt::format("2026-11-{:02}T10:00:00.000Z", of_november); }

/// 20 days of a node with one GPU.
History node(const std::string& host, const std::string& serial) {
  History history{.host = host,
                  .since = day(1),
                  .until = day(21),
                  .watched_s = 20 * day_s,
                  .looks = 20,
                  .read = {},
                  .stays = {},
                  .incidents = {}};
  for (const health::Check& check : health::all_checks()) history.read[std::string(check.name)] = 20;
  history.stays.push_back({.kind = "gpu",
                           .serial = serial,
                           .unit = "GPU 0 0000:18:00.0",
                           .since = day(1),
                           .until = day(21),
                           .watched_s = 20 * day_s});
  return history;
}

void fail(History& history, const std::string& check, int of_november) {
  history.incidents.push_back({.check = check,
                               .unit = "GPU 0 0000:18:00.0",
                               .kind = "gpu",
                               .serial = history.stays[0].serial,
                               .since = day(of_november),
                               .until = day(of_november)});
}

class FleetHistories : public testing::Test {
 protected:
  void put(const std::string& name, const History& history) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    health::write_logbook((folder_ / name).string(), {{}, {}, history});
  }
  tests::Said reliability(const std::string& arguments) {
    return tests::assay_in(folder_.path().string(), "reliability " + arguments);
  }
  std::string refusal_of(const std::string& arguments) {
    const tests::Said said = reliability(arguments);
    EXPECT_EQ(said.exit_code, 2) << arguments;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
    return said.text;
  }
  results::test::TemporaryFolder folder_;
};

TEST_F(FleetHistories, GiveRatesAndNameThePartThatFailsInEveryNode) {
  History first = node("n0", "bad");
  fail(first, "gpu.row_remap", 3);
  fail(first, "kernel.xid", 3);  // the same failure, seen by another check
  fail(first, "gpu.mig", 4);     // how it is set up
  put("n0/health.json", first);
  History second = node("n1", "bad");
  fail(second, "gpu.row_remap", 9);
  fail(second, "gpu.ecc_errors", 17);
  put("n1/health.json", second);
  for (int one = 2; one < 20; ++one)
    put(fmt::format("n{}/health.json", one), node(fmt::format("n{}", one), fmt::format("g{}", one)));
  const tests::Said said = reliability("--rates-from-logbooks . -o rates.toml");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("20 logbooks: nodes 20, node-days under watch 400, failures 3\n"));
  EXPECT_THAT(said.text, HasSubstr("RMA      gpu   bad                         3         40"));
  EXPECT_THAT(said.text, HasSubstr("hbm in n0, n1"));
  const auto job = core::json_from<nlohmann::json>(reliability("--rates rates.toml --gpus 64 --json").text);
  EXPECT_NEAR(job.at("rates").at("components").at("hbm").at("per_1000_node_days"), 7.5, 1e-9);
  EXPECT_EQ(job.at("rates").at("components").at("ssd").at("per_1000_node_days"), 0);
  EXPECT_FALSE(job.at("rates").at("components").contains("nic")) << "there was none to fail";
  const auto both =
      core::json_from<nlohmann::json>(reliability("--rates-from-logbooks . --gpus 64 --json").text);
  EXPECT_EQ(both.at("hours_to_failure"), job.at("hours_to_failure"));
  EXPECT_EQ(both.at("fleet").at("parts").at(0).at("serial"), "bad");
}

TEST_F(FleetHistories, NameFailuresThatAreInNoRate) {
  History history = node("n0", "g0");
  for (const int day : {3, 9}) {
    fail(history, "rdma.rate", day);
    history.incidents.back().kind = "nic";
    history.incidents.back().unit = "mlx5_0";
    history.incidents.back().serial.clear();
  }
  fail(history, "gpu.row_remap", 12);
  put("health.json", history);
  const tests::Said said = reliability("--rates-from-logbooks health.json -o rates.toml");
  EXPECT_THAT(said.text, HasSubstr("\nnote: 2 failures of link in no rate: no part was under watch"));
  EXPECT_EQ(tests::text_of((folder_ / "rates.toml").string()).find("\"link\""), std::string::npos);
}

TEST_F(FleetHistories, FitEarlyLifeFromAgesAndBurnInUsesIt) {
  constexpr std::array days{2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 13, 18};
  for (int one = 0; one < 100; ++one) {
    History history = node(fmt::format("n{}", one), fmt::format("g{}", one));
    if (one < 70) fail(history, "gpu.row_remap", days.at(static_cast<std::size_t>(one) % days.size()));
    put(fmt::format("n{}/health.json", one), history);
  }
  const tests::Said said = reliability("--rates-from-logbooks . -o rates.toml");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("early life, measured by age since the first look, 95 %: "));
  const tests::Said job = reliability("--rates rates.toml --gpus 512");
  EXPECT_EQ(job.exit_code, 0) << job.text;
  EXPECT_THAT(job.text, HasSubstr("early life: measured, 70 failures of 100 nodes by age"));
  EXPECT_THAT(job.text, HasSubstr("burn-in before"));
}

TEST_F(FleetHistories, WithoutEnoughAgesSayWhy) {
  History history = node("n0", "g0");
  fail(history, "gpu.row_remap", 3);
  put("n0/health.json", history);
  const tests::Said said = reliability("--rates-from-logbooks . -o rates.toml");
  EXPECT_THAT(said.text, HasSubstr("early life does not show: 1 failures (expected 20 at least)\n"));
  EXPECT_THAT(tests::text_of(folder_ / "rates.toml"), testing::Not(HasSubstr("[early_life]")));
}

TEST_F(FleetHistories, WithoutFailuresHaveUpperBounds) {
  History history = node("n0", "g0");
  fail(history, "gpu.row_remap", 1);
  history.incidents[0].at_first = true;
  put("health.json", history);
  const tests::Said said = reliability("--rates-from-logbooks health.json");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("failures 0 (1 more when watching began)"));
  EXPECT_THAT(said.text, HasSubstr("no failure was seen: below 184 with 97.5 %"));
}

TEST_F(FleetHistories, HaveNoRateOfWhatNoCheckCouldRead) {
  History history = node("n0", "g0");
  history.read = {{"gpu.row_remap", 20}, {"kernel.storage", 5}};
  put("health.json", history);
  const auto said =
      core::json_from<nlohmann::json>(reliability("--rates-from-logbooks health.json --json").text);
  const auto& components = said.at("rates").at("components");
  EXPECT_EQ(components.size(), 2U);
  EXPECT_NEAR(components.at("hbm").at("upper"), 1000 * 3.6889 / 20, 0.01);
  EXPECT_NEAR(components.at("ssd").at("upper"), 1000 * 3.6889 / 5, 0.04) << "seen in a quarter of the looks";
}

TEST_F(FleetHistories, CountTheSameTimeOfANodeOnce) {
  put("a/health.json", node("n0", "g0"));
  History shorter = node("n0", "g0");
  shorter.watched_s = day_s;
  put("b/health.json", shorter);
  const tests::Said said = reliability("--rates-from-logbooks a b");
  EXPECT_THAT(said.text, HasSubstr("1 logbook: nodes 1, node-days under watch 20"));
  EXPECT_THAT(said.text, HasSubstr("b/health.json: n0 over the same time as a/health.json: left out"));
}

TEST_F(FleetHistories, AreRefusedInOneLine) {
  EXPECT_THAT(refusal_of("--rates-from-logbooks nowhere"), HasSubstr("nowhere: no such logbook or folder"));
  EXPECT_THAT(refusal_of("--rates-from-logbooks ."), HasSubstr("no logbook in it"));
  results::test::write_text(folder_ / "x.json", "{}");
  EXPECT_THAT(refusal_of("--rates-from-logbooks x.json"), HasSubstr("x.json: not a logbook"));
  results::test::write_text((folder_ / "bad.json").string(), "{ \"schema\": 3, nonsense");
  const std::string bad = refusal_of("--rates-from-logbooks bad.json");
  EXPECT_THAT(
      bad, HasSubstr("bad.json: not a logbook of health checks that can be read: byte 17: expected JSON\n"));
  EXPECT_THAT(bad, testing::Not(HasSubstr("json.exception")));
  put("old.json", {});
  EXPECT_THAT(refusal_of("--rates-from-logbooks old.json"),
              HasSubstr("nothing was under watch for any time: old.json: without a history"));
  EXPECT_THAT(refusal_of("--rates-from-store none.sqlite"), HasSubstr("none.sqlite"));
  EXPECT_THAT(refusal_of("--rates-from-logbooks . --rates r.toml"), HasSubstr("excludes"));
  EXPECT_THAT(refusal_of("--mtbf 3h -o r.toml"), HasSubstr("excludes"));
  put("n0.health.json", node("n0", "g0"));
  EXPECT_THAT(refusal_of("--rates-from-logbooks n0.health.json --run-days 5"),
              HasSubstr("--run-days: expected --gpus, of the job"));
  EXPECT_THAT(refusal_of("-o r.toml"), HasSubstr("-o writes the rates of"));
}

TEST_F(FleetHistories, OfRunsThatWereNoBurnInSayWhyTheyHaveNone) {
  {
    results::Store store((folder_ / "s.sqlite").string());
    results::ContextRecord context = results::test::sample_context();
    context.origin = results::Origin::measured;
    store.add(context);
    store.add(results::test::sample_point());
  }
  EXPECT_THAT(
      refusal_of("--rates-from-store s.sqlite"),
      HasSubstr("nothing was under watch for any time: 1 run left out that no burn-in made: no check would "
                "have seen a failure"));
}

TEST_F(FleetHistories, OfABurnInAreItsTimeUnderLoadAndItsFindings) {
  results::Store store((folder_ / "s.sqlite").string());
  results::ContextRecord context = results::test::sample_context();
  context.host = "h1";
  context.origin = results::Origin::measured;
  context.environment["ASSAY_BURN_IN"] = "b1 round 1 turn";
  context.machine = core::json_from<nlohmann::ordered_json>(
      R"({"gpus": [{"index": 0, "serial": "s0", "pcie": {"address": "0000:18:00.0"}}], "hcas": []})");
  store.add(context);
  results::PointRecord point = results::test::sample_point();
  point.key = "gpu=0";
  point.conditions.clear();
  point.started = day(2);
  point.elapsed_s = 2 * day_s;
  store.add(point);
  results::PointRecord finding = results::test::unsupported_point("run-1", 1);
  finding.case_name = core::names::burn_in_health;
  finding.status = results::Status::failed;
  finding.point = {{"check", std::string("gpu.row_remap")}, {"unit", std::string("GPU 0 0000:18:00.0")}};
  finding.key = "check=gpu.row_remap";
  finding.started = day(3);
  store.add(finding);
  const tests::Said said = reliability("--rates-from-store s.sqlite");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("1 store of burn-ins: nodes 1, node-days under watch 2, failures 1"));
  EXPECT_THAT(said.text, HasSubstr("s0                          1          2"));
}

TEST(CheckComponents, AreOfEveryCheckAndKnownToTablesOfRates) {
  for (const health::Check& check : health::all_checks())
    EXPECT_LT(health::rank_of_check(check.name), health::check_components().size()) << check.name;
  EXPECT_EQ(health::check_components().size(), health::all_checks().size());
  const auto& known = model::reliability::components();
  for (const health::CheckComponent& one : health::check_components())
    EXPECT_TRUE(one.component.empty() || std::ranges::count(known, one.component) == 1) << one.component;
}

}  // namespace
}  // namespace assay::cli
