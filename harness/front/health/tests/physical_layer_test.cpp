// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases that planted faults cannot show: windows of a stated length, and the order of events in the log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/snapshot/read_platform.hpp"

namespace assay::health {
namespace {

/// One RoCE port at 400 Gb/s, of which ten seconds are known.
struct TenSeconds {
  TenSeconds() {
    now.monotonic_s = 10;
    machine::Hca hca;
    hca.device = "mlx5_0";
    hca.link_layer = "Ethernet";
    hca.rate = "400 Gb/sec (4X NDR)";
    hca.netdev = "eth0";
    hca.pcie.address = "0000:15:00.0";
    now.hcas = {hca};
    before.ports = now.ports = {{.device = "mlx5_0", .port = 1, .values = {}}};
    count("rx_corrected_bits_phy", 0);
    count("rx_symbol_err_phy", 0);
    count("link_down_events_phy", 0);
  }

  void count(const char* name, std::uint64_t moved) {
    const link::CounterName counter{link::CounterSource::ethtool, "eth0", name};
    before.ports[0].values[counter] = 5;
    now.ports[0].values[counter] = 5 + moved;
  }
  void log(std::uint64_t sequence, double seconds, const std::string& text) {
    now.log.records.push_back({.sequence = sequence,
                               .microseconds = static_cast<std::uint64_t>(seconds * 1e6),
                               .text = text,
                               .event = {}});
  }
  Finding finding(std::string_view check) const {
    const Expectation nothing;
    for (const Finding& one : judge({before, now, nothing}))
      if (one.check == check) return one;
    return {};
  }

  Snapshot before, now;
};

TEST(BitErrors, BelowWhatFecCorrectsPass) {
  TenSeconds port;
  port.count("rx_corrected_bits_phy", 40'000'000);  // of 4e12
  const Finding finding = port.finding("rdma.bit_errors");
  EXPECT_EQ(finding.status, Status::passed);
  EXPECT_EQ(finding.evidence, "before FEC 1e-05 of 4e+12 bits, after it 0 errors");
}

TEST(BitErrors, NearWhatFecCorrectsAreNoticed) {
  TenSeconds port;
  port.count("rx_corrected_bits_phy", 100'000'000);
  EXPECT_EQ(port.finding("rdma.bit_errors").status, Status::noticed);
}

TEST(BitErrors, AboveWhatFecCorrectsFail) {
  TenSeconds port;
  port.count("rx_corrected_bits_phy", 1'000'000'000);
  EXPECT_EQ(port.finding("rdma.bit_errors").status, Status::failed);
  EXPECT_TRUE(port.finding("rdma.bit_errors").latches);
}

TEST(BitErrors, AfterFecAreNoticed) {
  TenSeconds port;
  port.count("rx_symbol_err_phy", 1);
  EXPECT_EQ(port.finding("rdma.bit_errors").status, Status::noticed);
}

TEST(Flaps, AreToldInTheOrderOfTheLog) {
  TenSeconds port;
  port.count("link_down_events_phy", 2);
  port.before.log.next_sequence = 4;
  port.log(3, 1, "mlx5_core 0000:15:00.0 eth0: Link down");
  port.log(4, 812.34, "mlx5_core 0000:15:00.0 eth0: Link down");
  port.log(5, 813, "mlx5_core 0000:25:00.0 eth1: Link down");
  port.log(6, 815.9, "mlx5_core 0000:15:00.0 eth0: Link up");
  port.log(7, 816.5, "mlx5_core 0000:15:00.0 eth0: Link down");
  const Finding finding = port.finding("rdma.flaps");
  EXPECT_EQ(finding.status, Status::failed);
  EXPECT_EQ(
      finding.evidence,
      "went down 2 times within 10 s, 0 expected: down 812.3 s, up 815.9 s, down 816.5 s after the start");
}

TEST(Flaps, WithoutALogStillFail) {
  TenSeconds port;
  port.count("link_down_events_phy", 1);
  EXPECT_THAT(port.finding("rdma.flaps").evidence, testing::HasSubstr("no times in the kernel's log"));
}

TEST(Flaps, BeyondEightStepsAreCounted) {
  TenSeconds port;
  port.count("link_down_events_phy", 9);
  for (std::uint64_t at = 0; at < 9; ++at) port.log(at, 1, "mlx5_core 0000:15:00.0 eth0: Link down");
  EXPECT_THAT(port.finding("rdma.flaps").evidence, testing::HasSubstr("down 1.0 s, 1 more after the start"));
}

TEST(WritableMounts, AreOneOfEachDeviceAndTheRoot) {
  EXPECT_THAT(writable_mounts("overlay / overlay rw,relatime 0 0\n"
                              "proc /proc proc rw 0 0\n"
                              "/dev/nvme0n1 /data xfs rw,noatime 0 0\n"
                              "/dev/nvme0n1 /etc/hosts xfs rw,noatime 0 0\n"
                              "/dev/loop3 /snap/core squashfs ro,nodev 0 0\n"
                              "damaged\n"),
              testing::ElementsAre("/", "/data"));
}

TEST(AccessControl, OfAPortWithAChainThatLoopsIsThere) {
  std::string configuration(4096, '\0');
  configuration[256] = 1;
  configuration[258] = 1;
  configuration[259] = 0x10;  // next: 256
  const Bridge bridge = parse_access_control("0000:12:00.0", configuration);
  EXPECT_TRUE(bridge.why_unknown.empty());
  EXPECT_FALSE(bridge.acs_control);
}

}  // namespace
}  // namespace assay::health
