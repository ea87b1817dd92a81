// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Real processes under real launchers on loopback.
#include "harness/team/join/launched_team.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/mpirun_command.hpp"
#include "harness/core/tests/run_command.hpp"
#include "harness/team/mpi/mpi_team.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

const std::string member = std::string(ASSAY_BIN_DIR) + "/team_member";

using core::tests::Ended;
using core::tests::run_command;

Ended run_mpi(const std::string& how, int ranks = 4) {
  return run_command(core::tests::mpirun_command(ranks) + member + " " + how + " </dev/null");
}

std::string why_no_mpi() {
  if (!std::filesystem::exists(mpi_plugin_path())) return "this build has no MPI";
  if (run_command("command -v mpirun").exit_code != 0)
    return "mpirun is not installed (scripts/setup --for test)";
  return "";
}

void expect_line(const std::string& output, const std::string& line) {
  EXPECT_NE(output.find(line + "\n"), std::string::npos) << output;
}

TEST(LaunchedTeam, ThreeProcessesWithTorchrunsVariablesAreATeam) {
  const std::string port = std::to_string(port_of(listen_at("127.0.0.1", 0)));
  std::string command = "export WORLD_SIZE=3 MASTER_ADDR=127.0.0.1 MASTER_PORT=" + port + "; ";
  for (const char* rank : {"2", "0", "1"}) command += std::string("RANK=") + rank + " " + member + " & ";
  const Ended ended = run_command(command + "wait");
  for (const char* rank : {"0", "1", "2"})
    expect_line(ended.output, std::string("rank ") + rank + ": 0 1 4 0 1 4 0 1 4 0 1 4 0 1 4 of 3");
}

// More than a star holds: rank 1 is linked to rank 0 and to ranks 2 to 5.
constexpr int ranks_of_tree = 20;

/// A process a rank, without a launcher; the last comes first.
Ended run_tree(const std::string& how) {
  const std::string port = std::to_string(port_of(listen_at("127.0.0.1", 0)));
  std::string command = "export WORLD_SIZE=" + std::to_string(ranks_of_tree) +
                        " MASTER_ADDR=127.0.0.1 MASTER_PORT=" + port + "; ";
  for (int rank = ranks_of_tree - 1; rank >= 0; --rank)
    command += "RANK=" + std::to_string(rank) + " timeout -k 1 40 " + member + " " + how + " 2>&1 & ";
  return run_command(command + "wait");
}

TEST(LaunchedTeam, TwentyProcessesAreATree) {
  std::string squares;
  for (int rank = 0; rank < ranks_of_tree; ++rank) squares += std::to_string(rank * rank) + " ";
  std::string all;
  for (int round = 0; round < 5; ++round) all += squares;
  const Ended ended = run_tree("talk");
  for (const char* rank : {"0", "1", "2", "19"})
    expect_line(ended.output, std::string("rank ") + rank + ": " + all + "of 20");
}

TEST(LaunchedTeam, AnInnerRankOfATreeThatIsKilledIsNamedByAll) {
  const Ended ended = run_tree("die");
  const std::string loss = ") closed the connection: its process ended";
  int named = 0;
  for (std::size_t at = 0; (at = ended.output.find(loss, at)) != std::string::npos; at += loss.size())
    ++named;
  EXPECT_EQ(named, ranks_of_tree - 1) << ended.output;
  EXPECT_EQ(ended.output.find("rank 2 ("), std::string::npos) << ended.output;
}

TEST(LaunchedTeam, TwentyRanksOfMpirunAreATree) {
  if (const std::string why = why_no_mpi(); !why.empty()) GTEST_SKIP() << why;
  const Ended ended = run_mpi("", ranks_of_tree);
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_NE(ended.output.find("rank 19: 0 1 4 9 16 25 "), std::string::npos) << ended.output;
}

TEST(LaunchedTeam, AProcessWithoutALauncherHasNone) {
  EXPECT_EQ(run_command(member).output, "no launcher\n");
}

TEST(LaunchedTeam, HalfSetVariablesEndWithAUsageError) {
  const Ended ended = run_command("RANK=1 " + member);
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.output.find("environment variable WORLD_SIZE, MASTER_ADDR, MASTER_PORT is not set"), 0u)
      << ended.output;
}

TEST(LaunchedTeam, FourRanksOfMpirunAreATeam) {
  if (const std::string why = why_no_mpi(); !why.empty()) GTEST_SKIP() << why;
  const Ended ended = run_mpi("");
  EXPECT_EQ(ended.exit_code, 0);
  for (const char* rank : {"0", "1", "2", "3"})
    expect_line(ended.output, std::string("rank ") + rank + ": 0 1 4 9 0 1 4 9 0 1 4 9 0 1 4 9 0 1 4 9 of 4");
}

TEST(LaunchedTeam, AStoppedRankOfMpirunIsNamedAtTheLimit) {
  if (const std::string why = why_no_mpi(); !why.empty()) GTEST_SKIP() << why;
  const Ended ended = run_mpi("stop");
  EXPECT_NE(ended.exit_code, 0);
  EXPECT_NE(ended.output.find("rank 1 ("), std::string::npos) << ended.output;
  EXPECT_NE(ended.output.find(") was silent for 5 s while gathering\n"), std::string::npos) << ended.output;
}

TEST(LaunchedTeam, RanksOfMpirunThatDifferAreToldSo) {
  if (const std::string why = why_no_mpi(); !why.empty()) GTEST_SKIP() << why;
  const Ended ended = run_mpi("differ");
  EXPECT_NE(ended.exit_code, 0);
  EXPECT_NE(ended.output.find("start both with the same plan\n"), std::string::npos) << ended.output;
}

TEST(LaunchedTeam, AMissingPluginOrLibraryIsOneLine) {
  EXPECT_EQ(core::tests::message_of([] { load_mpi("/nowhere/assay_team_mpi.so"); }),
            "started by an MPI launcher, but this build of assay has no MPI (/nowhere/assay_team_mpi.so is "
            "missing): "
            "build it where MPI's headers are, or start without MPI: RANK, WORLD_SIZE, MASTER_ADDR and "
            "MASTER_PORT");
  const std::string failure =
      core::tests::message_of([] { load_mpi(std::filesystem::path(member) / ".." / "team_member"); });
  EXPECT_NE(failure, "nothing was thrown");
}

}  // namespace
}  // namespace assay::team
