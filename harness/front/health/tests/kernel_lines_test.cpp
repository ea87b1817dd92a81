// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines of faults are found by their check, lines of healthy machines by none, and no line of a grave
// priority passes in silence.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <string>
#include <vector>

#include "harness/front/health/kernel_log/kernel_events.hpp"
#include "harness/front/health/kernel_log/line_pattern.hpp"
#include "harness/front/health/tests/kernel_line_samples.hpp"

namespace assay::health {
namespace {

TEST(KernelLines, OfEveryFaultAreFoundByTheirCheck) {
  const auto samples = grave_kernel_lines();
  ASSERT_GT(samples.size(), 150U);
  for (const GraveKernelLine& sample : samples)
    for (const int level : {0, 3, informational_level}) {
      const auto event = recognise(sample.text, level);
      ASSERT_TRUE(event) << sample.text;
      EXPECT_EQ(event->check, sample.check) << sample.text;
      EXPECT_EQ(to_string(event->status), sample.status) << sample.text;
      EXPECT_FALSE(event->label.empty() || event->advice.meaning.empty()) << sample.text;
      EXPECT_NE(event->advice.action, Action::none) << sample.text;
    }
}

TEST(KernelLines, OfAHealthyMachineAreFlaggedByNoCheckWhileItStarts) {
  const auto samples = benign_kernel_lines();
  ASSERT_GT(samples.size(), 120U);
  for (const BenignKernelLine& sample : samples) {
    const auto event = recognise(sample.text, sample.level % 8);
    EXPECT_TRUE(!event || event->scope == EventScope::only_in_service)
        << event->check << " " << event->label << ": " << sample.text;
  }
}

TEST(KernelLines, UnknownOnesOfGravePriorityAreNotTold) {
  for (const int level : {0, 1, 2}) {
    const auto event = recognise("something that nobody has seen before", level);
    ASSERT_TRUE(event) << level;
    EXPECT_EQ(event->check, "kernel.unknown");
    EXPECT_EQ(event->status, Status::unknown);
  }
  for (const int level : {3, 4, 5, 6, 7})
    EXPECT_FALSE(recognise("something that nobody has seen before", level)) << level;
}

/// Each line into which the kernel writes the name of a program, a file or a control group, which a user may
/// choose.
std::vector<std::string> lines_about(const std::string& name) {
  const std::string process = name.substr(0, 15);
  return {
      process + "[4242]: segfault at 0 ip 0 sp 0 error 4 in " + name + "[0+1]",
      "traps: " + process + "[4242] general protection fault ip:0 sp:0 error:0 in " + name + "[0+1]",
      "Out of memory: Killed process 4242 (" + process + ") total-vm:1234kB, anon-rss:123kB",
      "Memory cgroup out of memory: Killed process 4242 (" + process + ") total-vm:1234kB",
      "oom_reaper: reaped process 4242 (" + process + "), now anon-rss:0kB, file-rss:0kB",
      "oom-kill:constraint=CONSTRAINT_NONE,task_memcg=/" + name + ",task=" + process + ",pid=4242,uid=1000",
      "Memory cgroup stats for /user.slice/" + name + ":",
      "cgroup: fork rejected by pids controller in /user.slice/" + name,
      process + " invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0",
      process + ": page allocation failure: order:0, mode:0x0(), nodemask=(null)",
      "CPU: 3 PID: 4242 Comm: " + process + " Not tainted 6.8.0-45-generic"};
}

TEST(KernelLines, OfAProcessAreNeverOfADriver) {
  for (const std::string name :
       {"NVRM: Xid (PCI:", "Xid (PCI:0): 79,", "SXid (a): 1, x", "nvidia-smi", "nvidia-nvswitch",
        "mlx5_bench error", "nvme nvme0 fatal", "fallen off the bus", "Kernel panic - ", "BUG: soft lockup",
        "[Hardware Error]", "a[1] x", "a[1]: Xid (", "lost from the bus", "NV_ERR_GPU_IS_LOST", ")",
        "] trap"})
    for (const std::string& line : lines_about(name)) {
      const auto event = recognise(line, 6);
      EXPECT_TRUE(!event || event->status == Status::noticed)
          << (event ? event->check : "") << " " << (event ? event->label : "") << ": " << line;
    }
}

TEST(KernelLines, ThatLookLikeAnXidAndAreNoneAreNotTold) {
  for (const char* line :
       {"NVRM: Xid (PCI:0000:43:00): seventy-nine, GPU has gone",
        "driver x: Xid (PCI:0000:43:00): 79, GPU has gone", "NVRM: Xid (): 79, GPU has gone"}) {
    const auto event = recognise(line, 3);
    ASSERT_TRUE(event) << line;
    EXPECT_EQ(event->status, Status::unknown) << line;
  }
}

TEST(KernelLines, OfMemoryUnitsGiveTheAddressOfTheDevice) {
  EXPECT_EQ(recognise("DMAR: [DMA Read] Request device [43:00.0] fault addr 0 [fault reason 06]")->address,
            "0000:43:00.0");
  EXPECT_EQ(recognise("AMD-Vi: Event logged [IO_PAGE_FAULT device=c1:00.1 domain=0x0012]")->address,
            "0000:c1:00.1");
}

TEST(LinePattern, WantsItsPiecesInOrder) {
  EXPECT_TRUE(fits_line("nvme nvme0: controller is down", "<nvme*is down"));
  EXPECT_FALSE(fits_line("is down: nvme nvme0", "<nvme*is down"));
  EXPECT_TRUE(fits_line("anything", ""));
  EXPECT_FALSE(fits_line("", "x"));
}

TEST(LinePattern, PinsTheStartOfALineAndOfAWord) {
  EXPECT_TRUE(fits_line("BUG: x", "<BUG: "));
  EXPECT_TRUE(fits_line("watchdog: BUG: x", "<BUG: "));
  EXPECT_FALSE(fits_line("DEBUG: x", "<BUG: "));
  EXPECT_TRUE(fits_line("BUG kmalloc-64", "^BUG *64"));
  EXPECT_FALSE(fits_line("a BUG kmalloc-64", "^BUG "));
}

}  // namespace
}  // namespace assay::health
