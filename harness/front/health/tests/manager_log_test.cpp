// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines as public issues quote them: leptonai/gpud at 4a8de33a, and NVIDIA's Fabric Manager 550 to 590.
#include "harness/front/health/kernel_log/manager_log.hpp"

#include <gtest/gtest.h>

#include "harness/machine/tests/fake_node.hpp"

namespace assay::health {
namespace {

constexpr const char* non_fatal =
    "[Jul 09 2024 18:14:07] [ERROR] [tid 12727] detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch "
    "pci "
    "bus id 00000000:86:00.0 physical id 3 port 61\n";
constexpr const char* fatal =
    "[Jul 09 2024 18:14:07] [ERROR] [tid 841] detected NVSwitch fatal error 20034 on fid 0 on NVSwitch pci "
    "bus id "
    "00000000:86:00.0 physical id 3 port 33\n";
constexpr const char* informs =
    "[Jul 09 2024 18:14:08] [INFO] [tid 855] Sending inband response message:  Message header details: magic "
    "Id:adbc request Id:2b59bdc21b9504c4 status:0 type:3 length:24\n";

TEST(ManagerLog, NamesSwitchPortAndCode) {
  const KernelLog log = parse_manager_log(std::string(non_fatal) + fatal + informs);
  ASSERT_EQ(log.records.size(), 3U);
  ASSERT_TRUE(log.records[0].event && log.records[1].event);
  EXPECT_EQ(log.records[0].event->label, "SXid 12028, port 61");
  EXPECT_EQ(log.records[0].event->address, "0000:86:00.0");
  EXPECT_EQ(log.records[0].event->status, Status::noticed);
  EXPECT_EQ(log.records[1].event->label, "SXid 20034, port 33");
  EXPECT_EQ(log.records[1].event->status, Status::failed);
  EXPECT_FALSE(log.records[2].event);
}

TEST(ManagerLog, KeepsLinesOfOneSecondApartAndInOrder) {
  const KernelLog log = parse_manager_log(std::string(non_fatal) + fatal + informs);
  ASSERT_EQ(log.records.size(), 3U);
  EXPECT_LT(log.records[0].sequence, log.records[1].sequence);
  EXPECT_LT(log.records[1].sequence, log.records[2].sequence);
  EXPECT_EQ(log.next_sequence, log.records[2].sequence + 1);
}

TEST(ManagerLog, ReportsErrorsThatNoTableKnows) {
  const KernelLog log = parse_manager_log(
      "[Apr 17 2024 01:51:39] [ERROR] [tid 2999877] failed to find the GPU handle 10187860174420860981 in "
      "the "
      "multicast team request setup 5653964288847403984.\n"
      "[Apr 17 2024 01:51:40] [ERROR] [tid 1] another thing\n"
      "of two lines\n"
      "[Apr 17 2024 01:51:41] [CRITICAL] [tid 1] a worse one\n"
      "[Apr 17 2024 01:51:42] [WARNING] [tid 1] of no concern\n");
  ASSERT_EQ(log.records.size(), 4U);
  EXPECT_EQ(log.malformed, 0);
  ASSERT_TRUE(log.records[0].event && log.records[1].event && log.records[2].event);
  EXPECT_EQ(log.records[0].event->label, "a GPU is missing from a multicast team");
  EXPECT_EQ(log.records[1].event->status, Status::noticed);
  EXPECT_EQ(log.records[2].event->status, Status::unknown);
  EXPECT_FALSE(log.records[3].event);
}

TEST(ManagerLog, CountsWhatBelongsToNoRecord) {
  for (const char* text :
       {"x\n", "[Foo 09 2024 18:14:07] [ERROR] [tid 1] x\n", "[Jul 09 2024] [ERROR] [tid 1] x\n",
        "[Jul 09 2024 18:14:07] [LOUD] [tid 1] x\n", "[Jul 09 2024 18:14:07] [ERROR] x\n"}) {
    const KernelLog log = parse_manager_log(text);
    EXPECT_TRUE(log.records.empty()) << text;
    EXPECT_EQ(log.malformed, 1) << text;
  }
}

TEST(ManagerLog, IsThatOfThisStartAndOfTheFileThatWasRotated) {
  machine::FakeNode node;
  node.write("/var/log/fabricmanager.log.1", non_fatal);
  node.write("/var/log/fabricmanager.log", informs);
  EXPECT_EQ(read_manager_log(node.root(), 0).records.size(), 2U);
  EXPECT_EQ(read_manager_log(node.root(), 1'900'000'000).records.size(), 0U);
}

TEST(ManagerLog, SaysWhyThereIsNone) {
  machine::FakeNode node;
  EXPECT_TRUE(read_manager_log(node.root(), 0).absent);
  EXPECT_EQ(read_manager_log(node.root(), 0).unavailable,
            "/var/log/fabricmanager.log: No such file or directory");
  node.write("/usr/share/nvidia/nvswitch/fabricmanager.cfg", "LOG_USE_SYSLOG=1\n");
  EXPECT_EQ(read_manager_log(node.root(), 0).unavailable,
            "/usr/share/nvidia/nvswitch/fabricmanager.cfg sends it to syslog");
}

}  // namespace
}  // namespace assay::health
