// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/ranks/local_ranks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

class LocalRanksTest : public testing::Test {
 protected:
  LocalRanksTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~LocalRanksTest() override { std::filesystem::remove_all(folder_); }

  /// A rank's work: leaves `text` in a file of its name.
  static int leave(const std::filesystem::path& folder, const std::string& text) {
    std::ofstream(folder / std::getenv("RANK")) << text;
    return 0;
  }
  std::string left_by(int rank) const {
    std::string text;
    std::getline(std::ifstream(folder_ / std::to_string(rank)), text);
    return text;
  }

  const std::filesystem::path folder_ = testing::TempDir() + "assay_local_ranks_" + std::to_string(getpid());
};

TEST_F(LocalRanksTest, FindTheirPlaceAndTheKeyInTheEnvironment) {
  LocalRanks ranks({.prepare = {}, .follow = [&] {
                      const char* key = std::getenv("ASSAY_TEAM_KEY");
                      return leave(folder_, std::string(std::getenv("WORLD_SIZE")) + " " +
                                                std::getenv("MASTER_ADDR") + ":" +
                                                std::getenv("MASTER_PORT") + " " + (key ? key : "no key"));
                    }});
  ranks.start(4, 1234, {.source = team::KeySource::environment, .secret = "sixteen bytes..."});
  ranks.end();
  for (int rank = 1; rank < 4; ++rank) EXPECT_EQ(left_by(rank), "4 127.0.0.1:1234 sixteen bytes...");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "0"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "4"));
  ranks.start(2, 99, {.source = team::KeySource::file, .secret = "read by each rank"});
  ranks.end();
  EXPECT_EQ(left_by(1), "2 127.0.0.1:99 no key");
}

TEST_F(LocalRanksTest, ShareWhatWasPreparedForTheirTeam) {
  int prepared = 0;
  LocalRanks ranks(
      {.prepare = [&] { ++prepared; }, .follow = [&] { return leave(folder_, std::to_string(prepared)); }});
  ranks.start(3, 1, {});
  ranks.end();
  EXPECT_EQ(left_by(1) + left_by(2), "11");
  ranks.start(3, 1, {});
  ranks.end();
  EXPECT_EQ(left_by(1) + left_by(2), "22");
  EXPECT_EQ(prepared, 0) << "in another process";
}

TEST_F(LocalRanksTest, AreKilledWhereTheyDoNotEnd) {
  LocalRanks ranks({.prepare = {}, .follow = [&] {
                      leave(folder_, std::to_string(getpid()));
                      while (true) pause();
                      return 0;
                    }});
  ranks.start(2, 1, {});
  while (left_by(1).empty()) std::this_thread::yield();
  ranks.end();
  const int process = std::stoi("0" + left_by(1));
  ASSERT_GT(process, 0);
  EXPECT_EQ(kill(process, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(LocalRanksTest, CannotBeStartedByAProcessThatHasEnded) {
  LocalRanks ranks({.prepare = [] { raise(SIGKILL); }, .follow = [] { return 0; }});
  try {
    ranks.start(2, 1, {});
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "start ranks: the process that starts them has ended");
  }
  ranks.end();  // nothing is left to end
}

}  // namespace
}  // namespace assay::collectives
