// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kernel's log in the forms in which people keep it; dmesg itself, where it can read this kernel's.
#include "harness/front/health/kernel_log/kernel_log_forms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

namespace assay::health {
namespace {

constexpr const char* fallen = "NVRM: Xid (PCI:0000:44:00): 79, pid=4242, GPU has fallen off the bus.";

/// The one record of a line in some form.
KernelRecord only(const std::string& line) {
  const auto log = parse_kept_log(line + "\n");
  EXPECT_TRUE(log && log->records.size() == 1 && log->malformed == 0) << line;
  return log && !log->records.empty() ? log->records.front() : KernelRecord{};
}

TEST(KeptLog, IsReadInEachForm) {
  const std::string text = fallen;
  for (const std::string& line :
       {"[ 1843.308145] " + text, "<4>[ 1843.308145] " + text, "kern  :warn  : [ 1843.308145] " + text,
        "[ 1843.308145][    T1] " + text, "[Sun Nov 29 12:00:00 2026] " + text,
        "Nov 29 12:00:00 node1 kernel: " + text, "2026-11-29T12:00:00+0000 node1 kernel: " + text,
        R"({"_TRANSPORT":"kernel","PRIORITY":"4","__MONOTONIC_TIMESTAMP":"1843308145","MESSAGE":")" + text +
            "\"}"}) {
    const KernelRecord record = only(line);
    EXPECT_EQ(record.text, text) << line;
    ASSERT_TRUE(record.event) << line;
    EXPECT_EQ(record.event->label, "Xid 79") << line;
  }
}

TEST(KeptLog, KeepsLevelAndTimeWhereItsFormHasThem) {
  EXPECT_EQ(only("<2>[    1.500000] x").level, 2);
  EXPECT_EQ(only("kern  :crit  : [    1.500000] x").level, 2);
  EXPECT_EQ(only("[    1.500000] x").level, informational_level);
  EXPECT_EQ(only("[ 1843.308145] x").microseconds, 1843308145U);
  EXPECT_EQ(only(R"({"PRIORITY":"2","MESSAGE":[120]})").level, 2);
  EXPECT_EQ(only(R"({"PRIORITY":"2","MESSAGE":[120]})").text, "x");
}

TEST(KeptLog, LeavesOutWhatOthersWroteIntoTheJournal) {
  const auto log = parse_kept_log(
      "-- Boot 1 --\nNov 29 12:00:00 n1 sshd[1]: kernel: NVRM: Xid (PCI:0): 79,\n"
      "Nov 29 12:00:01 n1 kernel: usb 1-1: new device\n");
  ASSERT_TRUE(log);
  ASSERT_EQ(log->records.size(), 1U);
  EXPECT_EQ(log->records[0].text, "usb 1-1: new device");
}

TEST(KeptLog, InNoKnownFormIsNotTakenForAnEmptyOne) {
  for (const char* text : {"", "\n", "something else\n", "12,x\n", "[abc] x\n", "{\"a\":1}\n"})
    EXPECT_FALSE(parse_kept_log(text)) << text;
  std::string rest = "hello\n";
  const KernelLog log = read_kernel_log(
      [&](char* into, std::size_t most) {
        return static_cast<long>(std::exchange(rest, "").copy(into, most));
      },
      "f");
  EXPECT_EQ(log.unavailable, "f: not in the form of /dev/kmsg, dmesg, journalctl or journalctl -o json");
}

std::string said_by(const char* command) {
  std::string said;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command, "r"), pclose);
  std::array<char, 4096> piece{};
  while (pipe && fgets(piece.data(), piece.size(), pipe.get()) != nullptr) said += piece.data();
  return said;
}

TEST(KeptLog, OfDmesgItselfIsReadWhole) {
  const std::string plain = said_by("dmesg --kernel 2>/dev/null");
  if (plain.empty()) GTEST_SKIP() << "dmesg is not installed, or may not read the kernel's log";
  for (const char* command :
       {"dmesg --kernel", "dmesg --kernel --decode", "dmesg --kernel --raw", "dmesg --kernel --ctime"}) {
    const std::string text = said_by(command);
    const auto log = parse_kept_log(text);
    ASSERT_TRUE(log) << command;
    EXPECT_EQ(log->malformed, 0) << command;
    EXPECT_GT(log->records.size(), 20U) << command;
  }
}

}  // namespace
}  // namespace assay::health
