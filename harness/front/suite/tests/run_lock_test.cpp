// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/run_lock.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <optional>

#include "harness/core/tests/eventually.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/front/suite/processes/child.hpp"

namespace assay::suite {
namespace {

class Locking : public testing::Test {
 protected:
  const core::tests::TemporaryFolder made_;
  const std::filesystem::path folder_ = made_.path();
  std::atomic<int> no_signals_ = 0;
};

TEST_F(Locking, ASecondRunOfOneNameIsRefusedWithTheProcessThatHoldsIt) {
  const RunLock first(folder_ / "r", 0, no_signals_);
  const std::string said =
      core::tests::message_of([&] { const RunLock second(folder_ / "r", 60, no_signals_); });
  EXPECT_THAT(said, testing::HasSubstr("this run is in use by process " + std::to_string(::getpid())));
}

TEST_F(Locking, AFolderThatCannotBeWrittenIsNamed) {
  if (geteuid() == 0) {
    std::ofstream(folder_ / "file") << "x";  // root may write into any folder, and into no file
    EXPECT_THAT(core::tests::message_of([&] { const RunLock lock(folder_ / "file/x/r", 0, no_signals_); }),
                testing::EndsWith("cannot be written: Not a directory"));
    return;
  }
  std::filesystem::create_directory(folder_ / "ro");
  std::filesystem::permissions(folder_ / "ro",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_EQ(core::tests::message_of([&] { const RunLock lock(folder_ / "ro/x/r", 0, no_signals_); }),
            (folder_ / "ro").string() + ": cannot be written: Permission denied");
}

/// The lock of a run whose plan is kept.
class Order {
 public:
  Order(const std::filesystem::path& folder, const std::atomic<int>& signals) : lock_(folder, 0, signals) {
    std::ofstream(folder / "plan.toml") << "seed = 1\n";
  }

 private:
  RunLock lock_;
};

TEST_F(Locking, AnExceptionTakesTheOrderOfARunWithoutRecordsAlong) {
  const auto refused = [&] {
    const Order order(folder_ / "runs/r", no_signals_);
    throw std::runtime_error("nothing to run");
  };
  EXPECT_EQ(core::tests::message_of(refused), "nothing to run");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
  const auto fails_later = [&] {
    const Order order(folder_ / "runs/r", no_signals_);
    std::ofstream(folder_ / "runs/r/journal.jsonl.rank1") << "{}\n";
    throw std::runtime_error("disk full");
  };
  EXPECT_EQ(core::tests::message_of(fails_later), "disk full");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "runs/r/plan.toml"));
}

TEST_F(Locking, ARunThatWasInterruptedBeforeItsFirstRecordKeepsItsOrder) {
  {
    const Order order(folder_ / "r", no_signals_);
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "r/plan.toml")) << "to be resumed";
}

TEST_F(Locking, WhoIsRefusedLeavesTheHoldersOrderAlone) {
  const Order holder(folder_ / "r", no_signals_);
  EXPECT_NE(core::tests::message_of([&] { const RunLock second(folder_ / "r", 0, no_signals_); }), "");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "r/plan.toml"));
}

TEST_F(Locking, ARunThatEndedLeavesNothingAndIsFree) {
  {
    const RunLock first(folder_ / "r", 0, no_signals_);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "r" / "in-use"));
  EXPECT_NO_THROW(RunLock(folder_ / "r", 0, no_signals_));
}

/// A front end that was killed, in whose place a module holds its lock until this pipe's other end is closed.
pid_t leave_module_behind(const std::filesystem::path& folder, const Pipe& until) {
  const pid_t front = ::fork();
  if (front == 0) {
    const std::atomic<int> none = 0;
    const RunLock lock(folder, 0, none);
    if (::fork() == 0) {
      ::fcntl(lock.descriptor(), F_SETFD, 0);
      ::dup2(until.read_end(), STDIN_FILENO);
      ::close(until.write_end());
      ::execl("/bin/cat", "cat", nullptr);
      ::_exit(127);
    }
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(front, &status, 0);
  return front;
}

TEST_F(Locking, AModuleThatOutlivesItsFrontEndIsWaitedFor) {
  Pipe until;
  leave_module_behind(folder_ / "r", until);
  std::atomic<bool> has_ended{false};
  std::jthread end([&, waits = gettid()] {
    EXPECT_TRUE(core::tests::eventually_waits(waits));
    has_ended = true;
    until.close_write_end();
  });
  EXPECT_NO_THROW(RunLock(folder_ / "r", 60, no_signals_));
  EXPECT_TRUE(has_ended);
}

TEST_F(Locking, AModuleThatDoesNotEndKeepsTheRun) {
  const Pipe until;
  const pid_t front = leave_module_behind(folder_ / "r", until);
  EXPECT_THAT(core::tests::message_of([&] { const RunLock lock(folder_ / "r", 0.2, no_signals_); }),
              testing::HasSubstr("in use by process " + std::to_string(front)));
}

}  // namespace
}  // namespace assay::suite
