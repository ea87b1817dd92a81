// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/read_counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/link/ethtool_statistics.hpp"
#include "harness/machine/parts.hpp"
#include "harness/machine/tests/fake_hcas.hpp"

namespace assay::link {
namespace {

using machine::FakeNode;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<machine::Hca> ports_of(const FakeNode& node) {
  machine::Notes notes;
  return machine::read_hcas(machine::Tree(node.root()), notes);
}

const Wait no_wait = [](milliseconds) {};

std::vector<PortCounters> read(const FakeNode& node, EthtoolStatistics ethtool = {}) {
  return CounterReader(ports_of(node), node.root(), std::move(ethtool), no_wait).read();
}

std::uint64_t value(const PortCounters& counters, CounterSource source, const std::string& name,
                    const std::string& netdev = "") {
  return counters.values.at({source, netdev, name});
}

TEST(ReadCounters, OfAnInfiniBandPortAreItsPortAndHwCounters) {
  FakeNode node;
  machine::write_port(node, {});
  machine::write_port_counters(node, "mlx5_0",
                               {{"port_xmit_data", 18446744073709551615U}, {"symbol_error", 2}});
  machine::write_hw_counters(node, "mlx5_0", {{"out_of_sequence", 7}});
  const auto all = read(node);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].device, "mlx5_0");
  EXPECT_EQ(all[0].values.size(), 3U);  // lifespan is no counter
  EXPECT_EQ(value(all[0], CounterSource::port, "port_xmit_data"), 18446744073709551615U);
  EXPECT_EQ(value(all[0], CounterSource::port, "symbol_error"), 2U);
  EXPECT_EQ(value(all[0], CounterSource::hw, "out_of_sequence"), 7U);
}

TEST(ReadCounters, OfARocePortIncludeItsNetdevsStatisticsAndEthtoolsKnownOnes) {
  FakeNode node;
  machine::write_port(node, {.device = "mlx5_4", .ethernet = true, .up = true, .netdev = "eth4"});
  machine::write_statistics(node, "eth4",
                            {{"rx_crc_errors", 1}, {"carrier_down_count", 2}, {"collisions", 3}});
  const auto all = read(node, [](const std::string& netdev) {
    return std::map<std::string, std::uint64_t>{{"rx_prio3_pause", netdev == "eth4" ? 5U : 0U},
                                                {"rx0_packets", 9}};
  });
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].values.size(), 3U);  // neither collisions nor rx0_packets
  EXPECT_EQ(value(all[0], CounterSource::netdev, "rx_crc_errors", "eth4"), 1U);
  EXPECT_EQ(value(all[0], CounterSource::netdev, "carrier_down_count", "eth4"), 2U);
  EXPECT_EQ(value(all[0], CounterSource::ethtool, "rx_prio3_pause", "eth4"), 5U);
}

TEST(ReadCounters, OfABondAreThoseOfItsMembers) {
  FakeNode node;
  machine::write_bond(node);
  machine::write_statistics(node, "bond0", {{"rx_crc_errors", 9}});
  machine::write_statistics(node, "eth0", {{"rx_crc_errors", 1}});
  machine::write_statistics(node, "eth1", {{"rx_crc_errors", 2}});
  const auto all = read(node);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].values.size(), 2U);
  EXPECT_EQ(value(all[0], CounterSource::netdev, "rx_crc_errors", "eth1"), 2U);
}

TEST(ReadCounters, OfRxeNeedNoCountersDirectory) {
  FakeNode node;
  machine::write_rxe(node);
  machine::write_hw_counters(node, "rxe0", {{"sent_pkts", 100}, {"rcvd_seq_err", 0}});
  EXPECT_EQ(read(node)[0].values.size(), 2U);
}

TEST(ReadCounters, LeaveOutWhatIsAbsentOrNoNumber) {
  FakeNode node;
  machine::write_port(node, {});
  EXPECT_THAT(read(node)[0].values, IsEmpty());
  node.write("/sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "N/A (no PMA)\n");
  node.write("/sys/class/infiniband/mlx5_0/ports/1/counters/link_downed", "99999999999999999999999\n");
  node.make_unreadable("/sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_errors");
  EXPECT_THAT(read(node)[0].values, IsEmpty());
}

TEST(ReadCounters, WaitUntilTheKernelsCacheHasExpired) {
  FakeNode node;
  machine::write_port(node, {});
  machine::write_hw_counters(node, "mlx5_0", {{"out_of_sequence", 7}});
  std::vector<milliseconds> waits;
  const CounterReader reader(ports_of(node), node.root(), {}, [&](milliseconds time) {
    waits.push_back(time);
    machine::write_hw_counters(node, "mlx5_0", {{"out_of_sequence", 8}});
  });
  EXPECT_EQ(value(reader.read()[0], CounterSource::hw, "out_of_sequence"), 8U);  // read after the wait
  EXPECT_THAT(waits, ElementsAre(milliseconds(20)));                             // lifespan and a tick
}

TEST(ReadCounters, DoNotWaitWithoutACache) {
  FakeNode node;
  machine::write_port(node, {});
  machine::write_port_counters(node, "mlx5_0", {{"symbol_error", 2}});
  bool waited = false;
  const CounterReader reader(ports_of(node), node.root(), {}, [&](milliseconds) { waited = true; });
  EXPECT_EQ(reader.read().size(), 1U);
  EXPECT_FALSE(waited);
  EXPECT_EQ(reader.lifespan(), milliseconds(0));
}

TEST(EthtoolStatistics, AreReadFromANetdevThatTellsSome) {
  for (const std::string& netdev : machine::Tree("").list("/sys/class/net"))
    if (const auto statistics = read_ethtool_statistics(netdev); !statistics.empty()) {
      for (const auto& [name, value] : statistics) EXPECT_FALSE(name.empty());
      return;
    }
  GTEST_SKIP() << "no netdev of this machine has a driver that tells statistics";
}

TEST(EthtoolStatistics, OfANetdevThatDoesNotExistAreEmpty) {
  EXPECT_THAT(read_ethtool_statistics("no-such-netdev"), IsEmpty());
  EXPECT_THAT(read_ethtool_statistics(std::string(64, 'x')), IsEmpty());
  EXPECT_THAT(read_ethtool_statistics(""), IsEmpty());
}

}  // namespace
}  // namespace assay::link
