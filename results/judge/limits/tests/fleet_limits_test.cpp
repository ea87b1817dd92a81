// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/limits/fleet_limits.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/core/error.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

/// Hosts of two GPUs, one of which is a little slower than the other.
class LimitsOfFleet : public testing::Test {
 protected:
  void add_host(int host, double loss = 0, const std::string& gpu = "H100 [80GB]",
                Origin origin = Origin::measured, double time_s = 1e-4,
                const std::string& still_moving = "") {
    test::RunBuilder builder(fmt::format("run{}", ++runs_));
    builder.begin(0, "memory");
    for (std::int64_t number = 0; number < 2; ++number) {
      PointRecord point = builder.point("memory.cuda.copy", {{"gpu", number}, {"bytes", std::int64_t{4096}}});
      point.warmup = {.stationary = still_moving.empty(), .last_moving = still_moving};
      builder.measured(std::move(point),
                       time_s * (1 + loss + 0.0001 * (host % 13) + 0.002 * static_cast<double>(number)),
                       {"bandwidth_gb_per_s", "GB/s", [](double s) { return 8192e-9 / s; }}, 40);
    }
    builder.end();
    std::vector<Record> records = builder.take();
    for (Record& record : records) {
      if (auto* context = std::get_if<ContextRecord>(&record)) {
        context->host = fmt::format("h{}", host);
        context->machine = nlohmann::ordered_json::object();
        if (!gpu.empty())
          context->machine = {{"gpus", {{{"name", gpu}}, {{"name", gpu}}}}, {"cpu", {{"model", "CPU"}}}};
        context->origin = origin;
      }
    }
    store_.add(records);
  }
  void add_hosts(int hosts) {
    for (int host = 0; host < hosts; ++host) add_host(host, host == 5 ? 0.3 : 0);
  }
  FleetLimits limits(const std::string& machine = "") const {
    return limits_of_fleet(store_, "", machine, QuantileRules());
  }
  std::string refusal() const {
    try {
      limits();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "limits";
  }

  Store store_{""};
  int runs_ = 0;
};

TEST_F(LimitsOfFleet, AreOfTheWorstUnitOfEachNodeAndLeaveBadNodesOut) {
  add_hosts(70);
  const FleetLimits fleet = limits();
  EXPECT_EQ(fleet.nodes, 70U);
  EXPECT_EQ(fleet.machine, "2 x H100 [80GB], CPU");
  ASSERT_EQ(fleet.limits.size(), 1U);
  const FleetLimit& limit = fleet.limits.front();
  EXPECT_EQ(limit.found.why_not, "");
  EXPECT_THAT(limit.found.left_out, testing::ElementsAre("h5"));
  EXPECT_THAT(limit.point, testing::ElementsAre(std::pair<std::string, std::string>("bytes", "4096")));
  EXPECT_LT(limit.found.limit, 8192e-9 / (1e-4 * 1.002)) << "the slower GPU counts";
}

TEST_F(LimitsOfFleet, AFileOfThemIsReadBackAndJudgesTheFleet) {
  add_hosts(70);
  const std::string text = signed_limits(limits(), "Ada \"Countess\" Lovelace", "2026-11-26");
  const LimitsFile file = limits_in(text, "l.toml");
  ASSERT_TRUE(file.signature);
  EXPECT_EQ(file.signature->by, "Ada \"Countess\" Lovelace");
  EXPECT_EQ(file.signature->nodes, 70);
  EXPECT_EQ(file.signature->store.size(), 16U);
  const Verdicts verdicts = judge_limits(store_, "", std::span(&file, 1));
  EXPECT_THAT(verdicts.notes,
              testing::Contains(HasSubstr("signed by Ada \"Countess\" Lovelace on 2026-11-26, "
                                          "from 70 nodes")));
  std::set<std::string> failed;
  for (const VerdictRow& row : verdicts.rows)
    if (row.verdict == Verdict::fail) failed.insert(row.unit);
  EXPECT_THAT(failed, testing::ElementsAre("h5/gpu0", "h5/gpu1"));
}

TEST_F(LimitsOfFleet, AFileThatWasChangedAfterItWasSignedIsRefused) {
  add_hosts(70);
  const std::string text = signed_limits(limits(), "Ada", "2026-11-26");
  const auto refusal_after = [&](const std::string& from, const std::string& to) -> std::string {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    try {
      limits_in(changed, "l.toml");
    } catch (const core::Error& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_THAT(refusal_after("lowest = ", "lowest = -"),
              HasSubstr("l.toml:8: signed.digest: this file was changed after Ada signed it on 2026-11-26"));
  EXPECT_THAT(refusal_after("nodes = 70", "nodes = 700"), HasSubstr("was changed after"));
  EXPECT_THAT(refusal_after("[machine]", "# looser\n[machine]"), HasSubstr("was changed after"));
  EXPECT_THAT(refusal_after("digest = \"", "digest = \"0"), HasSubstr("was changed after"));
  EXPECT_THAT(refusal_after("digest = ", "digst = "), HasSubstr("unknown key"));
  EXPECT_THAT(refusal_after("by = \"Ada\"\n", ""), HasSubstr("signed.by: missing"));
}

TEST_F(LimitsOfFleet, LeaveOutGpusThatWereStillGettingSlowerAndNameThem) {
  add_hosts(70);
  const double settled = limits().limits.front().found.limit;
  for (int host = 70; host < 90; ++host)
    add_host(host, -0.1, "H100 [80GB]", Origin::measured, 1e-4, "power_w");
  const FleetLimits fleet = limits();
  EXPECT_EQ(fleet.limits.front().found.limit, settled);
  EXPECT_THAT(
      to_table(fleet).notes,
      testing::Contains(testing::EndsWith("40 measurements of 1 points: memory.cuda.copy/bytes=4096")));
}

TEST_F(LimitsOfFleet, OfAPointThatNoGpuSettledOnThereIsNoneAndItIsShown) {
  for (int host = 0; host < 70; ++host) add_host(host, 0, "H100", Origin::measured, 1e-4, "sm_clock_mhz");
  const FleetLimits fleet = limits();
  ASSERT_EQ(fleet.limits.size(), 1U);
  EXPECT_THAT(fleet.limits.front().found.why_not, HasSubstr("0 nodes"));
}

TEST_F(LimitsOfFleet, OfAFleetInTwoGroupsAreNotSigned) {
  for (int host = 0; host < 64; ++host) add_host(host, host % 10 < 3 ? 0.05 : 0);
  const FleetLimits fleet = limits();
  EXPECT_EQ(fleet.limits.front().found.why_not,
            "21 of 64 nodes are slower than the rest: no single population");
  EXPECT_THAT(signed_limits(fleet, "Ada", "2026-11-26"), testing::Not(HasSubstr("[[limit]]")));
}

TEST_F(LimitsOfFleet, TooFewNodesGiveNone) {
  add_hosts(20);
  const FleetLimits fleet = limits();
  EXPECT_EQ(fleet.limits.front().found.lacking(), 40) << "one is far out";
  EXPECT_THAT(signed_limits(fleet, "Ada", "2026-11-26"), testing::Not(HasSubstr("[[limit]]")));
}

TEST_F(LimitsOfFleet, RecordsWithoutAMachineGiveNone) {
  for (int host = 0; host < 60; ++host) add_host(host, 0, "");
  EXPECT_EQ(refusal(), "records that name neither GPU nor processor: limits are of one type of machine");
}

TEST_F(LimitsOfFleet, SeveralMachinesNeedAChoice) {
  add_hosts(60);
  add_host(70, 0, "H200");
  EXPECT_EQ(
      refusal(),
      "several types of machine (expected --machine GLOB for one): 2 x H100 [80GB], CPU; 2 x H200, CPU");
  EXPECT_EQ(limits("*H200*").nodes, 1U);
}

TEST_F(LimitsOfFleet, NumbersOfSeveralOriginsAreRefusedAndOthersAreNamed) {
  add_host(1, 0, "H100", Origin::simulated);
  EXPECT_EQ(limits().origin, "simulated");
  add_host(2, 0, "H100", Origin::measured);
  EXPECT_EQ(refusal(), "numbers that are measured and simulated in one fleet: --filter or another store");
}

TEST_F(LimitsOfFleet, AnEmptyStoreIsRefused) {
  EXPECT_EQ(refusal(), "no rate or time of single nodes that a limit could be made of");
}

}  // namespace
}  // namespace assay::results
