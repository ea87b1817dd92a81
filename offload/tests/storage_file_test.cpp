// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/storage/storage_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <fstream>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"

namespace assay::offload {
namespace {

using core::tests::message_of;
using core::tests::TemporaryFolder;
using testing::EndsWith;
using testing::HasSubstr;

TEST(StorageFile, OfAFolderThatIsNotThereIsOneLine) {
  EXPECT_EQ(message_of([] { StorageFile("/no such folder/file", Access::write, true); }),
            "write /no such folder/file: No such file or directory");
}

TEST(StorageFile, ThatIsNotThereCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { StorageFile(folder.path() / "none", Access::read, false); }),
              EndsWith("/none: No such file or directory"));
}

TEST(StorageFile, OfAFileSystemWithoutDirectAccessGoesThroughThePageCache) {
  const std::filesystem::path file = "/proc/self/comm";  // no file of proc knows O_DIRECT
  const StorageFile opened(file, Access::read, true);
  EXPECT_FALSE(opened.is_direct());
}

TEST(StorageFile, TooLargeToBeReservedSaysSoBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  StorageFile file(folder.path() / "huge", Access::write, false);
  const std::int64_t more_than_any_disk = std::int64_t{1} << 62;
  EXPECT_THAT(message_of([&] { file.reserve(more_than_any_disk); }), HasSubstr("reserve 4194304TiB in "));
}

TEST(CheckSpace, NamesWhatIsFreeAndWhatToDo) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      message_of([&] { check_space(folder.path(), std::int64_t{1} << 60); }),
      EndsWith("free, but the checkpoint takes 1048576TiB: give another folder with --checkpoint-dir, or "
               "fewer bytes"));
}

TEST(CheckSpace, OfAFileSystemThatDoesNotCountItsBlocksIsNotKnownAndNotFull) {
  EXPECT_EQ(free_bytes(0, 0, 4096), std::nullopt);
  EXPECT_EQ(free_bytes(10, 0, 4096), 0);
  EXPECT_EQ(free_bytes(10, 2, 4096), 8192);
  const std::filesystem::path uncounted = "/proc/self/task";  // proc has no blocks
  if (access(uncounted.c_str(), W_OK) != 0) GTEST_SKIP() << "may not write to " << uncounted;
  EXPECT_NO_THROW(check_space(uncounted, 1 << 20));
}

TEST(CheckSpace, OfNoFolderIsOneLine) {
  EXPECT_EQ(message_of([] { check_space("/no such folder", 1); }),
            "look for space in /no such folder: No such file or directory");
}

TEST(CheckSpace, OfAFileIsOneLine) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_THAT(message_of([&] { check_space(folder.path() / "file", 1); }),
              EndsWith("/file: Not a directory"));
}

TEST(CheckSpace, OfAFolderOneMayNotWriteToIsOneLine) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  EXPECT_EQ(message_of([] { check_space("/usr", 1); }), "write checkpoints to /usr: Permission denied");
}

}  // namespace
}  // namespace assay::offload
