// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A rank that is stopped, one that is killed, and one that comes back, in mid-sweep of the program itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/tests/command.hpp"

namespace assay::collectives {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// Points that last, so that what happens to a rank happens inside one.
std::string long_points(const std::string& journal) {
  const std::string plan = journal + ".toml";
  std::ofstream(plan) << "name = \"long points\"\n[measure]\nmax_seconds = 3\nmax_warmup_seconds = 0.1\n"
                         "min_samples = 1000000\nmax_samples = 1000000\n[[sweep]]\ncases = [\"*\"]\n";
  return ASSAY_BIN_DIR "/assay-collectives --plan " + plan + " --axis bytes=8,64KiB --hang-limit 6 ";
}

/// The watch asks a late rank what it does and then orders it to give up. A stopped rank takes neither
/// connection: both wait at the socket where it listens (proc(5): the fifth column of one in state 0A).
const std::string has_been_asked_twice = R"(has_been_asked_twice() {
  for socket in $(readlink /proc/$1/fd/* | sed -n 's/socket:\[\(.*\)\]/\1/p'); do
    for waiting in $(awk -v inode=$socket '$4 == "0A" && $10 == inode { print substr($5, 10) }' /proc/net/tcp /proc/net/tcp6); do
      (( 16#$waiting >= 2 )) && return 0
    done
  done
  return 1
}
)";

/// Runs `command`; while the second point is sampled, `action` is done to the process of rank 2 ($victim), of
/// which `is_rank_2` of $process is true. Announcements of a point that goes on come once a second.
Ended run_and_disturb(const std::string& command, const std::string& journal, const std::string& is_rank_2,
                      const std::string& action) {
  std::filesystem::remove(journal);
  const std::string script = journal + ".sh";
  std::filesystem::remove(journal + ".begun");
  std::ofstream(script)
      << "timeout -k 2 100 " << command << " --journal " << journal << " --heartbeat-file " << journal
      << ".begun </dev/null & module=$!\n"
      << "eventually() { for look in $(seq 1200); do \"$@\" && return; sleep 0.05; done; echo never: $@; }\n"
      << "is_sampled() { [ $(grep -cs bytes=65536 " << journal << ".begun) -ge 2 ]; }\n"
      << has_been_asked_twice << "eventually is_sampled\n"
      << "for process in $(pgrep -f 'assay-collectives .*" << journal << "'); do\n"
      << "  { " << is_rank_2 << "; } 2>/dev/null && victim=$process\n"
      << "done\n"
      << "test -n \"$victim\" || echo no victim\n"
      << action << "\nwait $module\n";
  return run_command("bash " + script);
}

/// A rank that the module started carries its name, one of MPI's its variable.
const std::string is_local_rank_2 = "grep -qx assay-rank-2 /proc/$process/comm";
const std::string is_rank_2_of_mpi =
    "tr '\\0' '\\n' </proc/$process/environ | grep -qx OMPI_COMM_WORLD_RANK=2";

std::string text_of(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

const std::string ring = "--ranks 3 --filter '*assay.all_reduce/*ring*' --filter '*assay.barrier*'";

TEST(Hang, OfAStoppedRankIsATimeoutThatNamesItAndTheNextPointGoesOn) {
  const std::string journal = testing::TempDir() + "assay_stopped.jsonl";
  const Ended ended =
      run_and_disturb(long_points(journal) + ring, journal, is_local_rank_2, "kill -STOP $victim");
  EXPECT_EQ(ended.exit_code, 1) << ended.output;
  EXPECT_THAT(ended.output, ContainsRegex("64KiB: timeout: no end within [0-9.]+ s: late: rank 2 \\("));
  EXPECT_THAT(ended.output,
              HasSubstr("does not answer: its process is stopped, or its host hangs; rank 0 ("));
  EXPECT_THAT(ended.output, HasSubstr("[3/3] collectives.assay.barrier"));
  EXPECT_THAT(ended.output, Not(HasSubstr("failed")));
  EXPECT_THAT(text_of(journal), HasSubstr("\"status\":\"timeout\""));
}

TEST(Hang, OfARankThatComesBackInTimeIsNone) {
  const std::string journal = testing::TempDir() + "assay_back.jsonl";
  const Ended ended = run_and_disturb(long_points(journal) + ring, journal, is_local_rank_2,
                                      "kill -STOP $victim; sleep 0.7; kill -CONT $victim");
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
}

/// Late: once the watch has found it and ordered all to give up, and before the team gives the rank up (20 s
/// after that).
TEST(Hang, OfARankThatComesBackLateCostsOnePoint) {
  const std::string journal = testing::TempDir() + "assay_late.jsonl";
  const Ended ended =
      run_and_disturb(long_points(journal) + ring, journal, is_local_rank_2,
                      "kill -STOP $victim; eventually has_been_asked_twice $victim; kill -CONT $victim");
  EXPECT_EQ(ended.exit_code, 1) << ended.output;
  EXPECT_THAT(ended.output, ContainsRegex("timeout: no end within [0-9.]+ s: late: rank 2 \\("));
  EXPECT_THAT(ended.output, HasSubstr("[3/3] collectives.assay.barrier"));
  EXPECT_THAT(ended.output, Not(HasSubstr("was silent")));  // the team stood all the time
}

TEST(Hang, OfAKilledRankIsNamedAtOnceAndTheNextPointGoesOn) {
  const std::string journal = testing::TempDir() + "assay_killed.jsonl";
  const Ended ended =
      run_and_disturb(long_points(journal) + ring, journal, is_local_rank_2, "kill -KILL $victim");
  EXPECT_EQ(ended.exit_code, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("closed the connection: its process ended; late: rank 2 ("));
  EXPECT_THAT(ended.output, HasSubstr("[3/3] collectives.assay.barrier"));
}

TEST(Hang, WithinMpiIsWrittenDownAndResumedFrom) {
  if (!std::filesystem::exists(mpi_data_plugin_path())) GTEST_SKIP() << "this build has no MPI";
  if (run_command("command -v mpirun").exit_code != 0)
    GTEST_SKIP() << "mpirun is not installed (scripts/setup --for test)";
  const std::string journal = testing::TempDir() + "assay_mpi_stopped.jsonl";
  const std::string filter = "--filter '*mpi.all_reduce*' --filter '*mpi.barrier*'";
  const std::string launch = "env " + mpirun_command(3);
  const Ended ended = run_and_disturb(launch + long_points(journal) + filter, journal, is_rank_2_of_mpi,
                                      "kill -STOP $victim");
  EXPECT_NE(ended.exit_code, 0);
  EXPECT_THAT(text_of(journal), HasSubstr("\"status\":\"timeout\",\"reason\":\"no end"));
  EXPECT_THAT(ended.output, HasSubstr("late: rank 2 ("));
  const Ended resumed =
      run_command(launch + long_points(journal) + filter + " --resume --journal " + journal + " </dev/null");
  EXPECT_THAT(resumed.output, HasSubstr("[1/1] collectives.mpi.barrier"));
}

}  // namespace
}  // namespace assay::collectives
