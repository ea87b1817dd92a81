// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/available_memory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace assay::host {
namespace {

class AvailableMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(root_);
    write("/proc/meminfo", "MemTotal: 8000 kB\nMemFree: 100 kB\nMemAvailable:    5000 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }

  std::string root_ = ::testing::TempDir() + "available_memory_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(AvailableMemory, IsWhatTheMachineHas) { EXPECT_EQ(available_memory_bytes(-1, root_), 5000 * 1024); }

TEST_F(AvailableMemory, IsLessOnANodeThatHasLess) {
  write("/sys/devices/system/node/node1/meminfo",
        "Node 1 MemTotal: 4000 kB\nNode 1 MemFree: 1000 kB\nNode 1 Active(file): 20 kB\nNode 1 "
        "Inactive(file): 3 kB\n");
  EXPECT_EQ(available_memory_bytes(1, root_), 1023 * 1024);
  EXPECT_EQ(available_memory_bytes(0, root_), 5000 * 1024) << "node 0 tells nothing, so it limits nothing";
}

TEST_F(AvailableMemory, IsLimitedByTheCgroup) {
  write("/proc/self/cgroup", "0::/job\n");
  write("/sys/fs/cgroup/job/memory.max", "max\n");
  write("/sys/fs/cgroup/job/memory.current", "100\n");
  EXPECT_EQ(available_memory_bytes(-1, root_), 5000 * 1024);
  write("/sys/fs/cgroup/job/memory.max", "4096\n");
  EXPECT_EQ(available_memory_bytes(-1, root_), 3996);
  write("/sys/fs/cgroup/job/memory.current", "9999\n");
  EXPECT_EQ(available_memory_bytes(-1, root_), 0);
}

TEST_F(AvailableMemory, IsLimitedByAVersionOneCgroup) {
  write("/proc/self/cgroup", "9:memory:/job\n4:cpu:/job\n");
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "8192\n");
  write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "192\n");
  EXPECT_EQ(available_memory_bytes(-1, root_), 8000);
}

TEST_F(AvailableMemory, ResidentBytesAreTheAnonymousOnes) {
  write("/proc/self/status", "VmRSS:  900 kB\nRssAnon:\t 700 kB\n");
  EXPECT_EQ(resident_bytes(root_), 700 * 1024);
}

TEST(AvailableMemoryHere, IsPositive) { EXPECT_GT(available_memory_bytes(0), 0); }

}  // namespace
}  // namespace assay::host
