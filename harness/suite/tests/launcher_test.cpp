// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::suite {
namespace {

using core::tests::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A PATH of one folder with stubs of the launchers.
class Launchers : public testing::Test {
 protected:
  Launchers() {
    std::filesystem::create_directories(folder_);
    for (const char* name : {"mpirun", "srun"}) {
      std::ofstream(folder_ + name) << "#!/bin/sh\n";
      std::filesystem::permissions(folder_ + name, std::filesystem::perms::owner_all);
    }
    setenv("PATH", folder_.c_str(), 1);
  }
  ~Launchers() override { setenv("PATH", before_.c_str(), 1); }

  std::string folder_ = testing::TempDir() + "assay_launchers/";
  std::string before_ = std::getenv("PATH");
};

TEST_F(Launchers, AreComposedBeforeTheRoomThatHasRanks) {
  EXPECT_THAT(launch_command({"mpirun", 4, {"--host", "h1:2,h2:2"}}, "collectives"),
              ElementsAre(folder_ + "mpirun", "--stdin", "none", "-n", "4", "--host", "h1:2,h2:2"));
  EXPECT_THAT(launch_command({"srun", 0, {"--mpi=pmix"}}, "collectives"),
              ElementsAre(folder_ + "srun", "--input=none", "--mpi=pmix"));
}

TEST_F(Launchers, LeaveRoomsOfOneProcessAlone) {
  EXPECT_THAT(launch_command({"mpirun", 4, {}}, "memory"), IsEmpty());
  EXPECT_THAT(rank_flags({"mpirun", 4, {}}, "memory"), IsEmpty());
  EXPECT_FALSE(is_launched({"srun", 4, {}}, "gemm"));
}

TEST_F(Launchers, TellTheRoomItsRanksAlsoWithoutALauncher) {
  EXPECT_THAT(launch_command({"local", 4, {}}, "collectives"), IsEmpty());
  EXPECT_THAT(rank_flags({"local", 4, {}}, "collectives"), ElementsAre("--ranks", "4"));
  EXPECT_THAT(rank_flags({}, "collectives"), IsEmpty());
}

TEST_F(Launchers, ThatAreNotInstalledAreNamed) {
  std::filesystem::remove(folder_ + "srun");
  EXPECT_EQ(message_of([] { launch_command({"srun", 2, {}}, "collectives"); }),
            "--launcher srun: srun is not in PATH: install it, or use another launcher");
}

TEST(Launch, RefusesWhatMakesNoSense) {
  EXPECT_EQ(message_of([] { check({"ssh", 2, {}}); }), "--launcher ssh: expected local, mpirun or srun");
  EXPECT_EQ(message_of([] { check({"local", -1, {}}); }), "--ranks -1: expected 1 or more");
  EXPECT_THAT(message_of([] { check({"mpirun", 0, {}}); }), HasSubstr("--ranks N"));
  EXPECT_THAT(message_of([] { check({"local", 2, {"-N"}}); }),
              HasSubstr("--launcher-args without a launcher"));
  EXPECT_EQ(message_of([] { check({"srun", 0, {}}); }), "nothing was thrown");
}

}  // namespace
}  // namespace assay::suite
