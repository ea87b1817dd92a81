// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/kernel_log/kernel_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "harness/front/health/kernel_log/kernel_events.hpp"

namespace assay::health {
namespace {

TEST(KernelLog, KeepsSequenceTimeAndTextAndDropsContinuationLines) {
  const KernelLog log = parse_kernel_log(
      "6,339,5140900,-;NVRM: loading; really\n SUBSYSTEM=pci\n DEVICE=+pci\n3,340,6,c,more;x\n");
  ASSERT_EQ(log.records.size(), 2U);
  EXPECT_EQ(log.records[0].sequence, 339U);
  EXPECT_EQ(log.records[0].microseconds, 5140900U);
  EXPECT_EQ(log.records[0].text, "NVRM: loading; really");
  EXPECT_EQ(log.next_sequence, 341U);
  EXPECT_EQ(log.malformed, 0);
}

TEST(KernelLog, CountsWhatIsNoRecord) {
  EXPECT_EQ(parse_kernel_log("hello\n6,x,1,-;a\n6,1,1;b\n6,1,1,-\n").malformed, 4);
}

TEST(KernelLog, KeepsTheLevelOfARecordOfTheKernelAndOfAProgram) {
  const KernelLog log = parse_kernel_log("2,1,1,-;a\n28,2,2,-;b\n");
  ASSERT_EQ(log.records.size(), 2U);
  EXPECT_EQ(log.records[0].level, 2);
  EXPECT_EQ(log.records[1].level, 4);
}

TEST(KernelLog, CountsARecordThatWasCutOffOrDamaged) {
  EXPECT_EQ(parse_kernel_log("6,1,1,-;a\n6,2,2,-;b").malformed, 1);
  EXPECT_EQ(parse_kernel_log("6,1,1,-;a\n SUBSYSTEM=p").malformed, 1);
  EXPECT_EQ(parse_kernel_log("6,1,1,-;a\n6,2,2,-;\x01\x80z\n").malformed, 1);
  EXPECT_EQ(parse_kernel_log("99999999,1,1,-;a\n").malformed, 1);
}

TEST(KernelLog, CountsRecordsThatAreOutOfOrder) {
  EXPECT_EQ(parse_kernel_log("6,1,1,-;a\n6,1,1,-;a\n6,0,1,-;a\n").out_of_order, 2);
}

TEST(KernelLog, TellsThatTheKernelWroteOverRecordsWhileTheyWereRead) {
  int call = 0;
  const KernelLog log = read_kernel_log(
      [&](char* into, std::size_t) -> long {
        const std::string record = call == 0 ? "6,1,1,-;a\n" : "6,9,9,-;b\n";
        errno = call == 1 ? EPIPE : EAGAIN;
        if (++call == 2 || call > 3) return -1;
        record.copy(into, record.size());
        return static_cast<long>(record.size());
      },
      "kmsg");
  EXPECT_EQ(log.overrun, 1);
  EXPECT_EQ(log.records.size(), 2U);
  EXPECT_EQ(log.unavailable, "");
}

TEST(KernelLog, TellsThatTheDeviceFailedInTheMiddle) {
  int call = 0;
  const KernelLog log = read_kernel_log(
      [&](char* into, std::size_t) -> long {
        if (call++ > 0) {
          errno = EIO;
          return -1;
        }
        return static_cast<long>(std::string("6,1,1,-;a\n").copy(into, 10));
      },
      "kmsg");
  EXPECT_EQ(log.unavailable, "kmsg: Input/output error");
}

TEST(KernelLog, SaysWhyItCannotBeRead) {
  EXPECT_EQ(read_kernel_log("/nonexistent").unavailable, "/nonexistent/dev/kmsg: No such file or directory");
}

TEST(KernelEvents, KnowAnAddressWithAndWithoutItsFunction) {
  EXPECT_EQ(recognise("NVRM: Xid (PCI:0000:4b:00): 79, off")->address, "0000:4b:00");
  EXPECT_EQ(recognise("mlx5_core 0000:45:00.1 eth3: Link down")->address, "0000:45:00.1");
  EXPECT_EQ(recognise("INFO: task x:1 blocked for more than 120 seconds.")->address, "");
}

TEST(KernelEvents, PassOverWhatIsNoneOfThem) {
  EXPECT_FALSE(recognise("usb 1-1: new high-speed USB device number 2 using xhci_hcd"));
  EXPECT_FALSE(recognise("mlx5_core 0000:45:00.1 eth3: Link up"));
  EXPECT_FALSE(recognise(""));
}

TEST(RingBuffer, IsNumberedByTime) {
  const KernelLog log =
      parse_ring_buffer("<6>[    0.000000] Linux\n<4>[    1.500000] a\n<3>[    1.500000] b\n");
  ASSERT_EQ(log.records.size(), 3U);
  EXPECT_TRUE(log.by_time);
  EXPECT_EQ(log.records[0].sequence, 0U);
  EXPECT_EQ(log.records[1].sequence, 1'500'000U << 10U);
  EXPECT_EQ(log.records[2].sequence, log.records[1].sequence + 1);
  EXPECT_EQ(log.next_sequence, log.records[2].sequence + 1);
  EXPECT_EQ(log.records[2].level, 3);
  EXPECT_DOUBLE_EQ(seconds_of_number(log.next_sequence), 1.5);
}

TEST(RingBuffer, HoldsWhatTheDeviceHolds) {
  const KernelLog device = read_kernel_log("");
  const auto text = read_ring_buffer();
  if (!text || !device.unavailable.empty() || device.by_time)
    GTEST_SKIP() << "this process may not read the kernel's log in both ways";
  const KernelLog buffer = parse_ring_buffer(*text);
  ASSERT_FALSE(buffer.records.empty());
  const auto same = std::ranges::find_if(device.records, [&](const KernelRecord& record) {
    return record.microseconds == buffer.records.front().microseconds &&
           record.text == buffer.records.front().text;
  });
  EXPECT_NE(same, device.records.end()) << buffer.records.front().text;
  EXPECT_EQ(buffer.malformed, 0);
}

TEST(KernelEvents, OfXidsDifferInWhatIsToBeDone) {
  EXPECT_EQ(xid_fact(79).advice.action, Action::reboot);
  EXPECT_EQ(xid_fact(94).advice.action, Action::restart_application);
  EXPECT_EQ(xid_fact(95).advice.action, Action::reset);
  EXPECT_EQ(xid_fact(63).status, Status::noticed);
  EXPECT_EQ(xid_fact(147).advice.action, Action::reset);
  EXPECT_EQ(xid_fact(1).status, Status::unknown);
  EXPECT_EQ(xid_fact(160).status, Status::passed);
  EXPECT_EQ(
      recognise("NVRM: Xid (PCI:0000:13:00): 149, NETIR_BER_EVENT Nonfatal XC0 i0 Link 07 (0x13)")->label,
      "Xid 149 NETIR_BER_EVENT, not fatal, link 07");
  EXPECT_EQ(
      recognise(
          "NVRM: Xid (PCI:0000:13:00): 154, GPU recovery action changed from 0x0 (None) to 0x4 (Drain and "
          "Reset)")
          ->advice.action,
      Action::drain);
}

}  // namespace
}  // namespace assay::health
