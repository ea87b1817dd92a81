// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A full disk, and a process killed at any moment: nothing that was acknowledged is lost.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>
#include <system_error>
#include <thread>

#include "harness/core/tests/interval_timer.hpp"
#include "results/record/journal.hpp"
#include "results/tests/read_journal.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::read_text;
using test::sample_point;
using test::TemporaryFolder;

/// For its lifetime no file of this process grows beyond `bytes`: the kernel then refuses like a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~EnvironmentVariable() {
    if (before_)
      ::setenv(name_, before_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

std::string error_of_write(JournalWriter& writer, const Record& record) {
  try {
    writer.write(record);
  } catch (const std::system_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(JournalFaults, OnAFullDiskTheTornPartIsCutAndTheLineRescued) {
  const TemporaryFolder folder, rescue_folder;
  const EnvironmentVariable temporary("TMPDIR", rescue_folder.path());
  const std::string line = to_line(sample_point()) + "\n";
  JournalWriter writer(folder / "run.jsonl");
  writer.write(sample_point());
  std::string error;
  {
    const FileSizeLimit limit(line.size() + line.size() / 2);
    error = error_of_write(writer, sample_point());
  }
  EXPECT_EQ(read_text(folder / "run.jsonl"), line);
  EXPECT_EQ(writer.rescued().parent_path(), rescue_folder.path());
  EXPECT_EQ(read_text(writer.rescued()), line);
  EXPECT_EQ(error, "journal " + (folder / "run.jsonl").string() +
                       ": a line could not be written; it was kept in " + writer.rescued().string() +
                       ": File too large");
  EXPECT_EQ(error.find('\n'), std::string::npos);
  const auto rescued = writer.rescued();
  {
    const FileSizeLimit limit(line.size() * 2 - 1);
    error_of_write(writer, sample_point("run-1", 7));
  }
  EXPECT_EQ(writer.rescued(), rescued) << "one rescue file a writer";
  writer.write(sample_point());
  EXPECT_EQ(read_text(folder / "run.jsonl"), line + line) << "writing goes on once there is room";
}

TEST(JournalFaults, WithNoSpaceAnywhereTheErrorCarriesTheLine) {
  const TemporaryFolder folder;
  const EnvironmentVariable temporary("TMPDIR", (folder / "missing").string());
  JournalWriter writer(folder / "run.jsonl");
  std::string error;
  {
    const FileSizeLimit limit(10);
    error = error_of_write(writer, sample_point());
  }
  EXPECT_THAT(error, testing::HasSubstr(to_line(sample_point())));
  EXPECT_THAT(error, testing::HasSubstr("nor to a rescue file (No such file or directory)"));
  EXPECT_EQ(read_text(folder / "run.jsonl"), "");
  EXPECT_TRUE(writer.rescued().empty());
}

TEST(JournalFaults, AFullDeviceIsOneClearError) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "/dev/full is not there";
  const TemporaryFolder rescue_folder;
  const EnvironmentVariable temporary("TMPDIR", rescue_folder.path());
  JournalWriter writer("/dev/full");
  EXPECT_THAT(error_of_write(writer, sample_point()), testing::EndsWith("No space left on device"));
  EXPECT_EQ(read_text(writer.rescued()), to_line(sample_point()) + "\n");
}

TEST(JournalFaults, AFullFileSystemKeepsWholeLinesOnly) {
  const TemporaryFolder folder, rescue_folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "mounting a small tmpfs needs root: " << std::generic_category().message(errno);
  const EnvironmentVariable temporary("TMPDIR", rescue_folder.path());
  std::size_t written = 0;
  std::string error = "no error";
  {
    JournalWriter writer(folder / "run.jsonl");
    for (; written < 1000 && error == "no error"; ++written) error = error_of_write(writer, sample_point());
    EXPECT_EQ(read_text(writer.rescued()), to_line(sample_point()) + "\n");
  }
  const Journal journal = read_journal(folder / "run.jsonl");
  ::umount(folder.path().c_str());
  EXPECT_THAT(error, testing::EndsWith("No space left on device"));
  EXPECT_GT(written, 10u);
  EXPECT_EQ(journal.records.size(), written - 1);
  EXPECT_TRUE(journal.problems.empty());
}

/// Writes without end and tells the parent after each acknowledged line; is killed this long after the first.
[[noreturn]] void write_until_killed(const std::filesystem::path& path, int acknowledge,
                                     std::chrono::microseconds after) {
  ::signal(SIGALRM, SIG_DFL);
  try {
    JournalWriter writer(path);
    auto point = sample_point();
    point.samples_s.assign(2000, 0.123456789);  // long lines: a kill inside write() is likely
    for (bool is_first = true;;) {
      ++point.sequence;
      writer.write(point);
      if (::write(acknowledge, "x", 1) != 1) ::_exit(3);
      if (is_first) core::tests::send_alarm_after(after);
      is_first = false;
    }
  } catch (...) {
    ::_exit(4);
  }
}

std::size_t lines_acknowledged_before_kill(const std::filesystem::path& path,
                                           std::chrono::microseconds after) {
  int ends[2];
  if (::pipe(ends) != 0) return 0;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    write_until_killed(path, ends[1], after);
  }
  ::close(ends[1]);
  char byte = 0;
  std::size_t acknowledged = 0;
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) << status;
  while (::read(ends[0], &byte, 1) == 1) ++acknowledged;
  ::close(ends[0]);
  return acknowledged;
}

TEST(JournalFaults, AKillAtAnyMomentLosesNoAcknowledgedLine) {
  const TemporaryFolder folder;
  std::mt19937 random(20260102);
  std::uniform_int_distribution<int> microseconds(0, 3000);
  std::size_t acknowledged = 0;
  constexpr std::size_t kills = 60;
  for (std::size_t kill = 0; kill < kills; ++kill)
    acknowledged +=
        lines_acknowledged_before_kill(folder / "run.jsonl", std::chrono::microseconds(microseconds(random)));
  JournalWriter(folder / "run.jsonl").write(sample_point());
  const Journal journal = read_journal(folder / "run.jsonl");
  EXPECT_TRUE(journal.problems.empty());
  EXPECT_GE(acknowledged, kills);
  // A line may be whole on the disk though its writer was killed before telling.
  EXPECT_GE(journal.records.size(), acknowledged + 1);
  EXPECT_LE(journal.records.size(), acknowledged + kills + 1);
}

TEST(JournalFaults, TwoProcessesAppendWithoutTearingEachOther) {
  const TemporaryFolder folder;
  const auto write_fifty = [&](std::int64_t process) {
    JournalWriter writer(folder / "run.jsonl");
    auto point = sample_point();
    point.process = process;
    for (point.sequence = 0; point.sequence < 50; ++point.sequence) writer.write(point);
  };
  const pid_t child = ::fork();
  if (child == 0) {
    write_fifty(1);
    ::_exit(0);
  }
  write_fifty(0);
  int status = 0;
  ::waitpid(child, &status, 0);
  const Journal journal = read_journal(folder / "run.jsonl");
  EXPECT_EQ(journal.records.size(), 100u);
  EXPECT_TRUE(journal.problems.empty());
}

}  // namespace
}  // namespace assay::results
