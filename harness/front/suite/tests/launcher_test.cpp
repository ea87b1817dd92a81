// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Commands word for word, and what is refused before any command is made.
#include "harness/front/suite/processes/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;
using core::tests::message_of;
using testing::ElementsAre;

const ModuleProgram collectives{"collectives", "/opt/assay/bin/assay-collectives"};
const ModuleProgram memory{"memory", "/opt/assay/bin/assay-memory"};

Variables variables(std::map<std::string, std::string> values) {
  return [kept = std::move(values)](const char* name) -> const char* {
    const auto found = kept.find(name);
    return found == kept.end() ? nullptr : found->second.c_str();
  };
}

/// A folder with programs of these names, to be a PATH.
class LauncherFrom : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"srun", "mpirun"}) {
      std::ofstream(folder_ / name) << "#!/bin/sh\n";
      fs::permissions(folder_ / name, fs::perms::owner_all);
    }
  }

  Launcher from(const LauncherFlags& flags, std::map<std::string, std::string> values) const {
    values.emplace("PATH", "/no/such/folder:" + folder_.string());
    return launcher_from(flags, variables(std::move(values)));
  }

  const core::tests::TemporaryFolder made_;
  const fs::path folder_ = made_.path();
};

TEST_F(LauncherFrom, AnAllocationSaysHowManyRanks) {
  const Launcher tasks = from({.engine = "srun"}, {{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "16"}});
  EXPECT_EQ(tasks.ranks, 16);
  EXPECT_EQ(tasks.program, (folder_ / "srun").string());
  const Launcher by_node =
      from({.engine = "mpirun"}, {{"SLURM_JOB_NUM_NODES", "4"}, {"SLURM_NTASKS_PER_NODE", "8"}});
  EXPECT_EQ(by_node.ranks, 32);
  EXPECT_EQ(from({.engine = "srun", .ranks = 3}, {{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "16"}}).ranks, 3);
}

TEST_F(LauncherFrom, WhatIsMissingIsOneLine) {
  EXPECT_EQ(
      message_of([&] { from({.engine = "mpirun"}, {}); }),
      "--launcher mpirun: unknown number of ranks (expected --ranks N, or a task count in SLURM_NTASKS)");
  EXPECT_EQ(
      message_of([&] { from({.engine = "srun", .ranks = 2}, {}); }),
      "--launcher srun: no allocation here, SLURM_JOB_ID is not set (start it inside salloc or sbatch)");
  EXPECT_EQ(
      message_of([&] { launcher_from({.engine = "srun", .ranks = 2}, variables({{"PATH", "/no"}})); }),
      "--launcher srun: no srun in any folder of PATH (expected Slurm's commands, as on a node of a Slurm "
      "cluster)");
  EXPECT_EQ(message_of([&] { launcher_from({.engine = "mpirun", .ranks = 2}, variables({})); }),
            "--launcher mpirun: no mpirun in any folder of PATH (expected an MPI's launcher, e.g. package "
            "openmpi-bin)");
  EXPECT_EQ(message_of([&] { from({.engine = "ssh"}, {}); }),
            "--launcher 'ssh': expected local, mpirun or srun");
  EXPECT_EQ(message_of([&] { from({.words = "--mpi=pmix"}, {}); }),
            "--launcher-args: there is no launcher to give them to (expected --launcher mpirun|srun)");
}

TEST_F(LauncherFrom, SrunOutsideOfAnAllocationMayNameItsJob) {
  EXPECT_THAT(from({.engine = "srun", .ranks = 2, .words = "--jobid=12 --overlap"}, {}).words,
              ElementsAre("--jobid=12", "--overlap"));
}

TEST_F(LauncherFrom, LocalNeedsNothing) { EXPECT_EQ(launcher_from({}, variables({})).engine, Engine::local); }

TEST(RunCommand, OfSrunEndsWithTheNumberOfRanksAndTheModule) {
  const Launcher srun{Engine::srun, "/usr/bin/srun", 4, {"--mpi=pmix"}};
  EXPECT_THAT(run_command(srun, collectives, {"--plan", "quick"}),
              ElementsAre("/usr/bin/srun", "--kill-on-bad-exit=0", "--wait=30", "--mpi=pmix", "--ntasks=4",
                          "/opt/assay/bin/assay-collectives", "--plan", "quick"));
}

TEST(RunCommand, OfMpirunHasTheUsersWordsBeforeTheNumberOfRanks) {
  const Launcher mpirun{Engine::mpirun, "/usr/bin/mpirun", 8, {"--oversubscribe"}};
  EXPECT_THAT(run_command(mpirun, collectives, {"--resume"}),
              ElementsAre("/usr/bin/mpirun", "--oversubscribe", "-n", "8", "/opt/assay/bin/assay-collectives",
                          "--resume"));
}

TEST(RunCommand, OfAModuleWithoutRanksIsTheModuleAlone) {
  const Launcher srun{Engine::srun, "/usr/bin/srun", 4, {}};
  EXPECT_FALSE(starts_ranks_of(srun, memory));
  EXPECT_THAT(run_command(srun, memory, {"--resume"}),
              ElementsAre("/opt/assay/bin/assay-memory", "--resume"));
  EXPECT_THAT(count_command(srun, memory, {"--count"}),
              ElementsAre("/opt/assay/bin/assay-memory", "--count"));
}

TEST(RunCommand, OfAModuleThatStartsItsOwnRanksSaysHowMany) {
  const Launcher local{Engine::local, "", 3, {}};
  EXPECT_FALSE(starts_ranks_of(local, collectives));
  EXPECT_THAT(run_command(local, collectives, {"--resume"}),
              ElementsAre("/opt/assay/bin/assay-collectives", "--resume", "--ranks=3"));
  EXPECT_THAT(run_command(local, memory, {}), ElementsAre("/opt/assay/bin/assay-memory"));
  EXPECT_THAT(run_command(Launcher{}, collectives, {}), ElementsAre("/opt/assay/bin/assay-collectives"));
}

TEST(CountCommand, StartsOneProcessThatTakesItselfForRankZeroOfAll) {
  const Launcher srun{Engine::srun, "/usr/bin/srun", 4, {"--mpi=pmix"}};
  EXPECT_THAT(count_command(srun, collectives, {"--count"}),
              ElementsAre("/usr/bin/srun", "--kill-on-bad-exit=0", "--wait=30", "--mpi=pmix", "--nodes=1",
                          "--ntasks=1", "/usr/bin/env", "RANK=0", "WORLD_SIZE=4", "MASTER_ADDR=127.0.0.1",
                          "MASTER_PORT=1", "/opt/assay/bin/assay-collectives", "--count"));
}

TEST(CountCommand, OfAPairOfNodesIsOfTheFirst) {
  const Launcher pair{Engine::srun, "/usr/bin/srun", 4, {"--nodes=2", "--nodelist=n7,n9"}};
  EXPECT_THAT(count_command(pair, collectives, {}),
              testing::AllOf(testing::Contains("--nodelist=n7"), testing::Contains("--nodes=1")));
  EXPECT_THAT(run_command(pair, collectives, {}), testing::Contains("--nodelist=n7,n9"));
  const Launcher range{Engine::srun, "/usr/bin/srun", 4, {"--nodelist=n[7,9]"}};
  EXPECT_THAT(count_command(range, collectives, {}), testing::Contains("--nodelist=n[7,9]"));
}

TEST(ForgetOwnRank, LeavesWhatTheAllocationSays) {
  for (const char* name : {"RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID", "SLURM_JOB_ID"})
    setenv(name, "3", 1);
  forget_own_rank();
  for (const char* name : {"RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"})
    EXPECT_EQ(std::getenv(name), nullptr) << name;
  EXPECT_STREQ(std::getenv("SLURM_JOB_ID"), "3");
  unsetenv("SLURM_JOB_ID");
}

TEST(HandOnTeamKey, DrawsOneForSrunAlone) {
  unsetenv("ASSAY_TEAM_KEY");
  hand_on_team_key({Engine::mpirun, "/usr/bin/mpirun", 4, {}});
  EXPECT_EQ(std::getenv("ASSAY_TEAM_KEY"), nullptr);
  const Launcher srun{Engine::srun, "/usr/bin/srun", 4, {}};
  hand_on_team_key(srun);
  ASSERT_NE(std::getenv("ASSAY_TEAM_KEY"), nullptr);
  const std::string drawn = std::getenv("ASSAY_TEAM_KEY");
  EXPECT_EQ(drawn.size(), 64u);
  EXPECT_EQ(drawn.find_first_not_of("0123456789abcdef"), std::string::npos) << drawn;
  hand_on_team_key(srun);
  EXPECT_EQ(std::getenv("ASSAY_TEAM_KEY"), drawn) << "the one that is there stays";
  unsetenv("ASSAY_TEAM_KEY");
}

TEST(FirstToFall, IsTheRankThatASignalEnded) {
  const std::string exited = "srun: error: n3: task 3: Exited with exit code 3";
  const std::string killed = "srun: error: n0: task 0: Killed";
  const std::string of_mpirun =
      "mpirun noticed that process rank 1 with PID 0 on node n1 exited on signal 9 (Killed).";
  EXPECT_EQ(first_to_fall("", exited), exited);
  EXPECT_EQ(first_to_fall(exited, killed), killed);
  EXPECT_EQ(first_to_fall(killed, "srun: error: n1: task 1: Terminated"), killed);
  EXPECT_EQ(first_to_fall(killed, exited), killed);
  EXPECT_EQ(first_to_fall("", of_mpirun), of_mpirun);
  EXPECT_EQ(first_to_fall("", "srun: launch/slurm: _step_signal: Terminating StepId=2.1"), "");
  EXPECT_EQ(first_to_fall(killed, "assay-collectives: rank 1 (n1) ended"), killed);
}

}  // namespace
}  // namespace assay::suite
