// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/history.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/health/logbook.hpp"
#include "harness/front/health/tests/planted_fault.hpp"

namespace assay::health {
namespace {

constexpr const char* address = "0000:4b:00.0";
constexpr const char* unit = "GPU 3 0000:4b:00.0";

/// A node with one GPU and one adapter, at a minute after its start.
Snapshot node_at(double minute, const std::string& serial, const std::string& boot = "boot-1") {
  Snapshot now;
  now.host = "h1";
  now.boot_id = boot;
  now.monotonic_s = 60 * minute;
  GpuState& gpu = now.gpus.emplace_back();
  gpu.index = 3;
  gpu.address = address;
  gpu.serial = serial;
  machine::Hca& hca = now.hcas.emplace_back();
  hca.device = "mlx5_2";
  hca.pcie.address = "0000:4d:00.0";
  hca.node_guid = "a088:c203:0012:3450";
  return now;
}

std::string at(int minute) { return fmt::format("2026-11-26T10:{:02}:00.000Z", minute); }

Finding failed(const std::string& check, const std::string& of) {
  return {.check = check, .unit = of, .status = Status::failed};
}

TEST(History, HasEveryPartWithTheTimeForWhichItWasWatched) {
  History history;
  Snapshot before;
  for (const int minute : {10, 20, 35}) {
    const Snapshot now = node_at(minute, "165");
    note_check(history, before, now, {}, at(minute));
    before = now;
  }
  EXPECT_EQ(history.host, "h1");
  EXPECT_EQ(history.watched_s, 25 * 60) << "nothing was watched before the first check";
  ASSERT_EQ(history.stays.size(), 2U);
  EXPECT_EQ(history.stays[0].serial, "165");
  EXPECT_EQ(history.stays[0].since, at(10));
  EXPECT_EQ(history.stays[0].until, at(35));
  EXPECT_EQ(history.stays[0].watched_s, 25 * 60);
  EXPECT_EQ(history.stays[1].kind, "nic");
  EXPECT_EQ(history.stays[1].serial, "a088:c203:0012:3450");
}

TEST(History, AfterANewStartCountsWhatTheNodeHasRunForSince) {
  History history;
  const Snapshot first = node_at(100, "165"), again = node_at(4, "165", "boot-2");
  note_check(history, {}, first, {}, at(10));
  note_check(history, first, again, {}, at(20));
  EXPECT_EQ(history.watched_s, 4 * 60);
  note_check(history, again, node_at(300, "165", "boot-3"), {}, at(25));
  EXPECT_EQ(history.watched_s, (4 + 5) * 60) << "never more than passed between the checks";
}

TEST(History, AnExchangedPartKeepsItsOwn) {
  History history;
  const Snapshot first = node_at(10, "165"), second = node_at(20, "166");
  note_check(history, {}, first, {failed("gpu.row_remap", unit)}, at(10));
  note_check(history, first, second, {}, at(20));
  note_check(history, second, node_at(30, "166"), {failed("kernel.xid", "GPU 0000:4b:00.0")}, at(30));
  ASSERT_EQ(history.stays.size(), 3U);
  EXPECT_EQ(history.stays[2].serial, "166");
  EXPECT_EQ(history.stays[2].watched_s, 10 * 60);
  EXPECT_EQ(history.stays[0].until, at(10));
  ASSERT_EQ(history.incidents.size(), 2U);
  EXPECT_EQ(history.incidents[0].serial, "165");
  EXPECT_TRUE(history.incidents[0].at_first) << "since when is unknown";
  EXPECT_EQ(history.incidents[1].serial, "166") << "by its address, however the unit is called";
  EXPECT_FALSE(history.incidents[1].at_first);
}

TEST(History, AFailureThatGoesOnIsOneIncidentAndOneThatComesBackAnother) {
  History history;
  Snapshot before = node_at(0, "165");
  note_check(history, {}, before, {}, at(0));
  for (const auto& [minute, fails] : {std::pair{1, true}, {2, true}, {3, false}, {4, true}}) {
    const Snapshot now = node_at(minute, "165");
    note_check(history, before, now,
               fails ? std::vector{failed("rdma.port_state", "mlx5_2/1")} : std::vector<Finding>{},
               at(minute));
    before = now;
  }
  ASSERT_EQ(history.incidents.size(), 2U);
  EXPECT_EQ(history.incidents[0].until, at(2));
  EXPECT_EQ(history.incidents[1].since, at(4));
  EXPECT_EQ(history.incidents[1].serial, "a088:c203:0012:3450");
}

TEST(History, AGpuThatFellOffTheBusIsTheOneThatWasThere) {
  History history;
  const Snapshot first = node_at(10, "165");
  Snapshot lost = node_at(20, "165");
  lost.gpus.clear();
  note_check(history, {}, first, {}, at(10));
  note_check(history, first, lost, {failed("gpu.count", unit), failed("kernel.system", "")}, at(20));
  ASSERT_EQ(history.incidents.size(), 2U);
  EXPECT_EQ(history.incidents[0].serial, "165");
  EXPECT_EQ(history.incidents[1].serial, "") << "of the node";
  EXPECT_EQ(history.stays[0].watched_s, 0) << "it was not seen when the window ended";
}

TEST(History, CountsTheLooksInWhichACheckCouldJudge) {
  History history;
  const auto said = [](Status status) {
    return Finding{.check = "gpu.sram", .unit = unit, .status = status};
  };
  note_check(history, {}, node_at(1, "165"), {said(Status::passed), said(Status::passed)}, at(1));
  note_check(history, node_at(1, "165"), node_at(2, "165"), {said(Status::unknown)}, at(2));
  note_check(history, node_at(2, "165"), node_at(3, "165"), {said(Status::absent)}, at(3));
  EXPECT_EQ(history.looks, 3);
  EXPECT_EQ(history.read.at("gpu.sram"), 1);
}

TEST(History, ASerialThatTheDriverDoesNotReportIsNone) {
  History history;
  note_check(history, {}, node_at(1, "[N/A]"), {}, at(1));
  EXPECT_EQ(history.stays[0].serial, "");
}

TEST(History, IsKeptInTheLogbook) {
  Patient patient("hgx_ib");
  patient.node().write("/proc/sys/kernel/hostname", "h7\n");
  patient.check();
  patient.plant(toml::parse("log = ['NVRM: Xid (PCI:0000:43:00): 79, GPU has fallen off the bus.']"));
  patient.check();
  patient.check();
  const History history = read_logbook(patient.logbook())->history;
  EXPECT_EQ(history.host, "h7");
  EXPECT_EQ(history.stays.size(), 16U) << "8 GPUs and 8 adapters";
  ASSERT_EQ(history.incidents.size(), 1U) << "what only stands is not seen again";
  EXPECT_EQ(history.incidents[0].check, "kernel.xid");
  EXPECT_NE(history.incidents[0].serial, "");
}

TEST(History, OfADamagedLogbookIsRefused) {
  Patient patient("hgx_ib");
  patient.check();
  const auto written = core::json_from<nlohmann::json>(core::read_whole_file(patient.logbook()));
  const auto refusal_of = [&](const char* place, const nlohmann::json& value) -> std::string {
    nlohmann::json changed = written;
    changed["history"][nlohmann::json::json_pointer(place)] = value;
    std::ofstream(patient.logbook()) << changed;
    try {
      read_logbook(patient.logbook());
    } catch (const core::Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(refusal_of("/watched_s", -1).find("'watched_s' is not a number of at least 0"),
            std::string::npos);
  EXPECT_NE(refusal_of("/stays", "x").find("'stays' is not a list"), std::string::npos);
  EXPECT_NE(refusal_of("/stays/0/serial", 7).find("not a logbook"), std::string::npos);
}

TEST(History, ALogbookOfAnEarlierVersionHasNone) {
  Patient patient("hgx_ib");
  patient.check();
  auto written = core::json_from<nlohmann::json>(core::read_whole_file(patient.logbook()));
  written.erase("history");
  std::ofstream(patient.logbook()) << written;
  EXPECT_TRUE(read_logbook(patient.logbook())->history.since.empty());
}

}  // namespace
}  // namespace assay::health
