// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/load_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/names.hpp"
#include "harness/core/text/json_from.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

/// A run on one node with two GPUs and an adapter.
class LoadedStore : public testing::Test {
 protected:
  LoadedStore() { begin("run-1", "h1", Origin::measured); }

  void begin(const std::string& run_id, const std::string& host, Origin origin, bool burn_in = true) {
    ContextRecord context = test::sample_context(run_id);
    context.host = host;
    context.origin = origin;
    if (burn_in) context.environment["ASSAY_BURN_IN"] = "b1 round 1 turn";
    context.machine = core::json_from<nlohmann::ordered_json>(R"json({
      "gpus": [{"index": 0, "serial": "s0", "uuid": "u0", "pcie": {"address": "0000:18:00.0"}},
               {"index": 1, "uuid": "u1", "pcie": {"address": "0000:2a:00.0"}}],
      "hcas": [{"device": "mlx5_0", "port": 1, "node_guid": "a088"}]})json");
    store_.add(context);
    run_id_ = run_id;
  }

  void point(const std::string& key, Status status, const std::string& started, double elapsed_s,
             Fields axes = {}, const std::string& case_name = "memory.cuda.copy") {
    PointRecord record = status == Status::ok ? test::sample_point(run_id_, sequence_)
                                              : test::unsupported_point(run_id_, sequence_);
    ++sequence_;
    record.case_name = case_name;
    record.key = key;
    record.point = std::move(axes);
    record.conditions.clear();
    record.status = status;
    record.reason = status == Status::ok ? "" : "made up";
    record.started = started;
    record.elapsed_s = elapsed_s;
    store_.add(record);
  }

  void finding(const std::string& unit, const std::string& check, Status status = Status::failed) {
    point("round=1,check=" + check + ",unit=" + unit, status, "2026-11-26T10:00:30.000Z", 0,
          {{"check", check}, {"unit", unit}}, core::names::burn_in_health);
  }

  LoadHistory history() {
    LoadHistoryReader reader;
    reader.add(store_);
    return reader.take();
  }

  static const LoadedUnit& unit(const LoadHistory& history, const std::string& serial) {
    return *std::ranges::find(history.units, serial, &LoadedUnit::serial);
  }

  Store store_{""};
  std::string run_id_;
  std::int64_t sequence_ = 0;
};

TEST_F(LoadedStore, SaysHowLongEachUnitWorked) {
  point("gpu=0,bytes=1", Status::ok, "2026-11-26T10:00:00.000Z", 60);
  point("gpu=1,bytes=1", Status::ok, "2026-11-26T10:00:30.000Z", 60);
  const LoadHistory loaded = history();
  ASSERT_EQ(loaded.units.size(), 4U);
  EXPECT_EQ(unit(loaded, "h1").loaded_s, 90) << "what ran at once counts once";
  EXPECT_EQ(unit(loaded, "s0").loaded_s, 60);
  EXPECT_EQ(unit(loaded, "u1").loaded_s, 60) << "its UUID, where the board reports no serial number";
  EXPECT_EQ(unit(loaded, "a088").loaded_s, 90);
  EXPECT_EQ(unit(loaded, "s0").unit, "GPU 0 0000:18:00.0");
}

TEST_F(LoadedStore, AFindingIsOnceARunWhicheverRoundsSawIt) {
  finding("GPU 7 0000:2a:00.0", "gpu.row_remap");
  finding("GPU 7 0000:2a:00.0", "gpu.row_remap");
  finding("mlx5_0/1", "rdma.port_state");
  finding("", "kernel.system");
  finding("mlx5_0/1", "rdma.counters", Status::unsupported);
  const LoadHistory loaded = history();
  ASSERT_EQ(loaded.failures.size(), 3U) << "what was unknown is no failure";
  EXPECT_EQ(loaded.failures[0].serial, "u1") << "by its address";
  EXPECT_EQ(loaded.failures[0].check, "gpu.row_remap");
  EXPECT_EQ(loaded.failures[1].kind, "nic");
  EXPECT_EQ(loaded.failures[2].kind, "") << "of the node";
}

TEST_F(LoadedStore, AWrongResultIsAFailureAndAPointThatHungIsOnlyCounted) {
  point("gpu=0,bytes=1", Status::wrong, "2026-11-26T10:00:00.000Z", 60);
  point("gpu=0,bytes=2", Status::timeout, "2026-11-26T10:02:00.000Z", 60);
  const LoadHistory loaded = history();
  ASSERT_EQ(loaded.failures.size(), 1U);
  EXPECT_EQ(loaded.failures[0].serial, "s0");
  EXPECT_EQ(loaded.failures[0].check, "");
  EXPECT_EQ(loaded.unassigned, 1);
  EXPECT_EQ(unit(loaded, "s0").loaded_s, 120);
}

TEST_F(LoadedStore, WhatWasNotMeasuredIsLeftOut) {
  begin("run-2", "h2", Origin::imported);
  point("gpu=0,bytes=1", Status::ok, "2026-11-26T10:00:00.000Z", 60);
  const LoadHistory loaded = history();
  EXPECT_EQ(loaded.not_measured, 1);
  EXPECT_TRUE(loaded.units.empty()) << "run-1 has no point";
}

TEST_F(LoadedStore, ARunWithoutHealthChecksWouldHaveSeenNoFailure) {
  begin("run-2", "h2", Origin::measured, false);
  point("gpu=0,bytes=1", Status::ok, "2026-11-26T10:00:00.000Z", 60);
  const LoadHistory loaded = history();
  EXPECT_EQ(loaded.not_checked, 1);
  EXPECT_TRUE(loaded.units.empty());
}

TEST_F(LoadedStore, APartThatMovesIsAUnitOfBothNodes) {
  point("gpu=0,bytes=1", Status::ok, "2026-11-26T10:00:00.000Z", 60);
  begin("run-2", "h2", Origin::measured);
  point("gpu=0,bytes=1", Status::ok, "2026-11-26T11:00:00.000Z", 30);
  EXPECT_EQ(std::ranges::count(history().units, "s0", &LoadedUnit::serial), 2);
}

}  // namespace
}  // namespace assay::results
