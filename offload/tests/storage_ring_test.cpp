// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/storage/storage_ring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <numeric>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/host/arena.hpp"

namespace assay::offload {
namespace {

using core::tests::message_of;
using core::tests::TemporaryFolder;

class StorageRingTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = why_no_io_uring()) GTEST_SKIP() << *why;
  }
  std::filesystem::path file() const { return folder_.path() / "file"; }

 private:
  TemporaryFolder folder_;
};

host::Arena counted(std::size_t bytes) {
  host::Arena arena(bytes, -1, host::Pages::base);
  const auto words = arena.as<std::uint32_t>();
  std::iota(words.begin(), words.end(), 1U);
  return arena;
}

TEST_F(StorageRingTest, WritesAndReadsEveryByteAtAnyDepthAndBlock) {
  const std::size_t bytes = 3 * 65536 + 4096;  // the last block is a short one
  const host::Arena written = counted(bytes);
  for (const bool direct : {false, true})
    for (const unsigned depth : {1U, 3U, 64U})
      for (const std::int64_t block : {4096, 65536}) {
        StorageRing ring({.block_bytes = block, .depth = depth});
        ring.write(StorageFile(file(), Access::write, direct), written.as<std::byte>(), {});
        host::Arena read(bytes, -1, host::Pages::base);
        ring.read(StorageFile(file(), Access::read, direct), read.as<std::byte>(), {});
        EXPECT_TRUE(std::ranges::equal(read.as<std::byte>(), written.as<std::byte>()))
            << "depth " << depth << ", block " << block << ", direct " << direct;
      }
}

TEST_F(StorageRingTest, TellsOfEveryBlockOnce) {
  const host::Arena memory = counted(2 * 65536 + 4096);
  StorageRing ring({.block_bytes = 65536, .depth = 2});
  std::vector<std::size_t> blocks, sizes;
  ring.write(StorageFile(file(), Access::write, false), memory.as<std::byte>(),
             [&](std::size_t block, std::span<const std::byte> bytes) {
               blocks.push_back(block);
               sizes.push_back(bytes.size());
             });
  EXPECT_THAT(blocks, testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(sizes, testing::ElementsAre(65536, 65536, 4096));
}

TEST_F(StorageRingTest, AFileThatEndsTooSoonIsTold) {
  const host::Arena memory = counted(65536);
  StorageRing ring({.block_bytes = 4096, .depth = 4});
  ring.write(StorageFile(file(), Access::write, false), memory.as<std::byte>().first(8192), {});
  EXPECT_EQ(
      message_of([&] { ring.read(StorageFile(file(), Access::read, false), memory.as<std::byte>(), {}); }),
      "the file ends at byte 8192, expected 65536");
}

/// No file of this process may grow beyond it, as on a device that is nearly full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit little{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

TEST_F(StorageRingTest, AShortWriteGoesOnWhereItStoppedAndTheByteThatCannotBeWrittenIsNamed) {
  const host::Arena memory = counted(16384);
  StorageRing ring({.block_bytes = 8192, .depth = 1});
  const StorageFile written(file(), Access::write, false);
  const FileSizeLimit limit(10000);  // within the second block
  EXPECT_EQ(message_of([&] { ring.write(written, memory.as<std::byte>(), {}); }),
            "write at byte 10000: File too large");
}

TEST_F(StorageRingTest, AFailureNamesTheByteAndTheRingGoesOn) {
  const host::Arena memory = counted(16384);
  StorageRing ring({.block_bytes = 4096, .depth = 4});
  ring.write(StorageFile(file(), Access::write, false), memory.as<std::byte>(), {});
  const StorageFile only_to_read(file(), Access::read, false);
  EXPECT_EQ(message_of([&] { ring.write(only_to_read, memory.as<std::byte>(), {}); }),
            "write at byte 0: Bad file descriptor");
  host::Arena read(16384, -1, host::Pages::base);
  ring.read(only_to_read, read.as<std::byte>(), {});
  EXPECT_TRUE(std::ranges::equal(read.as<std::byte>(), memory.as<std::byte>()));
}

TEST(IoUringRefusal, ByTheLimitOnLockedMemoryNamesItWithTheBytesAndHowToRaiseIt) {
  EXPECT_EQ(io_uring_refusal(ENOMEM, 64, 16384, 65536),
            "io_uring of depth 64: Cannot allocate memory (16384 bytes of locked memory for each shard, and "
            "the limit of all is 65536: raise it with ulimit -l, in a container with --ulimit memlock=-1, or "
            "take less --axis depth)");
  EXPECT_EQ(io_uring_refusal(ENOMEM, 64, 0, 65536), "io_uring of depth 64: Cannot allocate memory")
      << "a kernel that does not count them is short of memory itself";
}

TEST(IoUringRefusal, ByTheKernelOrAContainerNamesWhatForbidsIt) {
  EXPECT_EQ(io_uring_refusal(EPERM, 1, 0, 65536),
            "io_uring of depth 1: Operation not permitted (the kernel setting io_uring_disabled, or a "
            "container's seccomp profile)");
  EXPECT_EQ(io_uring_refusal(EMFILE, 1, 0, 65536), "io_uring of depth 1: Too many open files");
}

}  // namespace
}  // namespace assay::offload
