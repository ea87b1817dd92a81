// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/wire_counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/tests/fake_hcas.hpp"
#include "harness/machine/tests/with_setting.hpp"

namespace assay::machine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::string boot_id = "92f52f62-d5be-4b50-b901-a6f48483b0d8";

struct FakeInterface {
  std::string name = "eth0", state = "up";
  int type = 1;
  std::uint64_t sent = 1000;
};

void write_interface(FakeNode& node, const FakeInterface& interface) {
  const std::string directory = "/sys/class/net/" + interface.name;
  node.write(directory + "/operstate", interface.state + "\n");
  node.write(directory + "/type", std::to_string(interface.type) + "\n");
  write_statistics(node, interface.name, {{"tx_bytes", interface.sent}, {"rx_bytes", 5}});
}

std::vector<WireCounter> read(const FakeNode& node, const Nvml& nvml = Nvml("/nonexistent")) {
  return read_wire_counters(Tree(node.root()), nvml);
}

std::vector<std::string> names_of(const std::vector<WireCounter>& counters) {
  std::vector<std::string> names;
  for (const WireCounter& one : counters)
    names.push_back(std::string(to_text(one.wire)) + " " + one.name + " " +
                    (one.bytes ? std::to_string(*one.bytes) : "unknown"));
  return names;
}

TEST(WireCounters, OfAnRdmaPortAreInWordsOfFourBytes) {
  FakeNode node;
  write_port(node, {});
  write_port_counters(node, "mlx5_0", {{"port_xmit_data", 5'000'000'000}, {"port_rcv_data", 7}});
  EXPECT_THAT(names_of(read(node)), ElementsAre("rdma mlx5_0/1 20000000000"));
}

TEST(WireCounters, ThatStoppedAtTheEndOf32BitsAreUnknown) {
  FakeNode node;
  write_port_counters(node, "mlx4_0", {{"port_xmit_data", 0xffffffff}});
  EXPECT_THAT(names_of(read(node)), ElementsAre("rdma mlx4_0/1 unknown"));
}

TEST(WireCounters, OfAPortThatSaysItHasNoneAreUnknown) {
  FakeNode node;
  node.write("/sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_data", "N/A (no PMA)\n");
  EXPECT_THAT(names_of(read(node)), ElementsAre("rdma mlx5_0/1 unknown"));
}

TEST(WireCounters, OfRxeAreLeftToItsInterface) {
  FakeNode node;
  write_rxe(node);
  write_interface(node, {});
  EXPECT_THAT(names_of(read(node)), ElementsAre("net eth0 1000"));
}

TEST(WireCounters, OfLoopbackStandApart) {
  FakeNode node;
  write_interface(node, {});
  write_interface(node, {.name = "lo", .state = "unknown", .type = 772, .sent = 18'000'000'000'000'000'000U});
  EXPECT_THAT(names_of(read(node)), ElementsAre("net eth0 1000", "loopback lo 18000000000000000000"));
}

TEST(WireCounters, OfInterfacesThatAreDownAreLeftOut) {
  FakeNode node;
  write_interface(node, {.state = "down"});
  write_interface(node, {.name = "lo", .state = "down", .type = 772});
  EXPECT_THAT(read(node), IsEmpty());
}

TEST(WireCounters, OfWhatStandsOnAnotherInterfaceAreNotCountedTwice) {
  FakeNode node;
  write_interface(node, {});
  write_interface(node, {.name = "eth1", .sent = 2000});
  write_interface(node, {.name = "bond0", .sent = 3000});
  for (const char* member : {"eth0", "eth1"})
    node.link("/sys/class/net/bond0/lower_" + std::string(member), "../" + std::string(member));
  write_interface(node, {.name = "br0", .sent = 3000});
  node.link("/sys/class/net/br0/lower_bond0", "../bond0");
  write_interface(node, {.name = "tun0", .state = "unknown", .type = 65534, .sent = 500});
  EXPECT_THAT(names_of(read(node)), ElementsAre("net eth0 1000", "net eth1 2000"));
}

TEST(WireCounters, TellWhichKernelAndNetworkNamespaceCounts) {
  FakeNode node;
  node.write("/proc/sys/kernel/random/boot_id", boot_id + "\n");
  node.write("/proc/self/ns/net:[4026531833]", "");
  node.link("/proc/self/ns/net", "net:[4026531833]");
  write_interface(node, {});
  write_port_counters(node, "mlx5_0", {{"port_xmit_data", 1}});
  const auto counters = read(node);
  ASSERT_THAT(counters, SizeIs(2));
  EXPECT_EQ(counters[0].place, boot_id);
  EXPECT_EQ(counters[1].place, boot_id + "/net:[4026531833]");
}

TEST(WireCounters, OfNvlinkAreOfAllLinksOfAGpu) {
  const WithSetting count("FAKE_NVML_COUNT", "1");
  const FakeNode node;
  EXPECT_THAT(names_of(read(node, Nvml(FAKE_NVML))), ElementsAre("nvlink GPU-00000000 21990232555520"));
}

TEST(WireCounters, OfNvlinkThatTheDriverDoesNotTellAreUnknown) {
  const WithSetting count("FAKE_NVML_COUNT", "1"), silent("FAKE_NVML_LINKS_SILENT", "1");
  const FakeNode node;
  EXPECT_THAT(names_of(read(node, Nvml(FAKE_NVML))), ElementsAre("nvlink GPU-00000000 unknown"));
}

TEST(WireCounters, OfGpusWithoutNvlinkAreLeftOut) {
  const FakeNode node;
  EXPECT_THAT(read(node, Nvml(FAKE_NVML_OLD)), IsEmpty());  // tells no link's state
}

TEST(WireCounters, OfThisMachineCanBeRead) {
  for (const WireCounter& one : read_wire_counters()) EXPECT_NE(one.name, "");
}

WireCounter counted(const std::string& name, std::optional<std::uint64_t> bytes) {
  return {Wire::net, name, "here", bytes};
}

TEST(WhatWasSentBetween, IsTheDifferenceOfEachCounter) {
  EXPECT_THAT(names_of(sent_between({counted("eth0", 1000), counted("eth1", 5)},
                                    {counted("eth1", 5), counted("eth0", 1700)})),
              ElementsAre("net eth0 700", "net eth1 0"));
}

TEST(WhatWasSentBetween, IsUnknownWhereACounterWentBack) {
  EXPECT_THAT(names_of(sent_between({counted("eth0", 1000)}, {counted("eth0", 999)})),
              ElementsAre("net eth0 unknown"));
}

TEST(WhatWasSentBetween, IsUnknownOfWhatCameOrWent) {
  EXPECT_THAT(names_of(sent_between({counted("eth0", 1000)}, {counted("eth1", 2000)})),
              ElementsAre("net eth0 unknown", "net eth1 unknown"));
}

TEST(WhatWasSentBetween, IsUnknownWhereEitherReadingIs) {
  EXPECT_THAT(names_of(sent_between({counted("eth0", std::nullopt), counted("eth1", 1)},
                                    {counted("eth0", 2000), counted("eth1", std::nullopt)})),
              ElementsAre("net eth0 unknown", "net eth1 unknown"));
}

}  // namespace
}  // namespace assay::machine
