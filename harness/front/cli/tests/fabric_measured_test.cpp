// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric with what a run measured: by its store, and by the coefficients that assay fit makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "model/fabric/measured/tests/made_run.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using tests::Said;
namespace made = model::fabric::measured::test;

class FabricMeasured : public testing::Test {
 protected:
  FabricMeasured() {
    made::make_store(folder_.place("store.db"), {.slow_all_gather = 1.25});
    folder_.file("star.toml", made::one_switch);
    folder_.file("slow.toml", std::string(made::one_switch) + "link = { gbit_per_s = 200 }\n");
    folder_.file("work.toml",
                 "ranks = 8\n[[stream]]\n[[stream.op]]\ncollective = 'all_gather'\nbytes = '64MiB'\n");
  }
  Said assay(const std::string& arguments) const {
    return tests::assay_in(folder_.path().string(), arguments);
  }
  std::string refused(const std::string& arguments) const {
    const Said said = assay("fabric " + arguments);
    EXPECT_EQ(said.exit_code, 2) << said.text;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
    return said.text;
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(FabricMeasured, ExpectShowsWhichOperationIsSlow) {
  const Said said = assay("fabric expect star.toml --store store.db");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, testing::StartsWith("run r1 of store.db (simulated): 9 operations reach 0.79"));
  EXPECT_THAT(said.text, HasSubstr("what is between them is unexplained"));
  const auto json =
      core::json_from<nlohmann::json>(assay("fabric expect star.toml --store store.db --run r1 --json").text);
  EXPECT_EQ(json["origin"], "simulated");
  for (const nlohmann::json& one : json["operations"])
    EXPECT_EQ(one["unexplained_speed"]["upper"].get<double>() < 0.9,
              one["case"] == "collectives.assay.all_gather")
        << one;
}

TEST_F(FabricMeasured, EveryQuestionTakesARunOrItsCoefficients) {
  EXPECT_EQ(assay("fit loggp --store store.db --run r1 -o ports.json").exit_code, 0);
  for (const char* question :
       {"describe star.toml", "simulate star.toml work.toml", "place star.toml work.toml",
        "compare star.toml work.toml --vary queue_pairs=1,4", "size star.toml work.toml --at-most 1s"})
    for (const char* source :
         {"--store store.db", "--coefficients ports.json", "--coefficients leaf=ports.json"}) {
      const Said said = assay(std::string("fabric ") + question + " " + source);
      EXPECT_EQ(said.exit_code, 0) << said.text;
      EXPECT_THAT(said.text, HasSubstr("Coefficients: goodput 4")) << question;
      EXPECT_THAT(said.text, HasSubstr("a hop, overhead 0.5 us, gap 0.0")) << question;
    }
  EXPECT_THAT(assay("fabric simulate star.toml work.toml").text,
              HasSubstr("Assumed, not measured: links of 400 Gbit/s; switches that pause"));
}

TEST_F(FabricMeasured, AnAnswerHasTheEndsOfTheGoodputsInterval) {
  const auto json = core::json_from<nlohmann::json>(
      assay("fabric simulate star.toml work.toml --store store.db --json").text);
  EXPECT_LT(json["time_us_over_goodput"]["fastest"], json["time_us"]["median"]);
  EXPECT_GT(json["time_us_over_goodput"]["slowest"], json["time_us"]["median"]);
}

TEST_F(FabricMeasured, ScaledAnswersSaySo) {
  const std::string command = "fabric simulate star.toml work.toml --store store.db --json";
  const auto plain = core::json_from<nlohmann::json>(assay(command).text),
             scaled = core::json_from<nlohmann::json>(assay(command + " --scale-to-measured").text);
  EXPECT_NEAR(scaled["time_us"]["median"].get<double>() / plain["time_us"]["median"].get<double>(), 1.25,
              0.03);
  EXPECT_EQ(scaled["scaled_to"], "run r1 of store.db (simulated)");
  EXPECT_FALSE(plain.contains("scaled_to"));
}

TEST_F(FabricMeasured, ARunsRanksCanBePlaced) {
  folder_.file("order.csv", "rank,host,gpu\n0,0,1\n1,0,0\n2,0,2\n3,0,3\n4,0,4\n5,0,5\n6,0,6\n7,0,7\n");
  EXPECT_EQ(assay("fabric expect star.toml --store store.db --run-order order.csv").exit_code, 0);
  folder_.file("few.csv", "rank,host,gpu\n0,0,1\n1,0,0\n");
  EXPECT_THAT(refused("expect star.toml --store store.db --run-order few.csv"),
              HasSubstr("rank 2: --run-order places 2 ranks"));
}

TEST_F(FabricMeasured, AcceptLimitsWhatTheFabricShouldDo) {
  const auto rows_of = [&](const std::string& margin, const std::string& verdict) {
    const Said said =
        assay("accept --store store.db --fabric star.toml --format json --fabric-margin " + margin);
    std::vector<std::string> metrics;
    const auto verdicts = core::json_from<nlohmann::json>(said.text);
    for (const nlohmann::json& row : verdicts["rows"])
      if (row["kind"] == "fabric" && row["verdict"] == verdict) metrics.push_back(row["metric"]);
    return metrics;
  };
  const auto slow = HasSubstr("collectives.assay.all_gather");
  EXPECT_THAT(rows_of("10%", "FAIL"), testing::ElementsAre(slow, slow));
  EXPECT_EQ(rows_of("10%", "PASS").size(), 7U);
  EXPECT_EQ(rows_of("30%", "PASS").size(), 9U);
  const Said alone = assay("accept --store store.db --fabric-margin 10%");
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.text, HasSubstr("--fabric-margin: expected --fabric FILE with it"));
}

TEST_F(FabricMeasured, RefusesInOneLine) {
  EXPECT_THAT(refused("expect slow.toml --store store.db"), HasSubstr("is of another line rate"));
  EXPECT_EQ(assay("fabric expect slow.toml --store store.db --force").exit_code, 0);
  EXPECT_THAT(refused("expect star.toml --store none.db"), HasSubstr("none.db: no such store"));
  EXPECT_THAT(refused("expect star.toml --store store.db --run r9"), HasSubstr("r9"));
  EXPECT_THAT(refused("expect star.toml"), HasSubstr("--store is required"));
  EXPECT_THAT(refused("simulate star.toml work.toml --scale-to-measured"), HasSubstr("--store"));
  EXPECT_THAT(refused("describe star.toml --coefficients spine=x.json"),
              HasSubstr("expected [TIER=]FILE, with TIER one of leaf"));
  EXPECT_THAT(refused("describe star.toml --coefficients none.json"), HasSubstr("none.json: cannot be read"));
}

}  // namespace
}  // namespace assay::cli
