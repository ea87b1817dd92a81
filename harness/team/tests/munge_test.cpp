// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Credentials of a munged that this test starts, with a key of its own.
#include "harness/team/handshake/munge.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "harness/core/error.hpp"
#include "harness/core/tests/eventually.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/run_command.hpp"
#include "harness/team/handshake/team_key.hpp"
#include "harness/team/join/rendezvous.hpp"

namespace assay::team {
namespace {

class Munged : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = (std::filesystem::temp_directory_path() / "assay_munge_XXXXXX").string();
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    chmod(folder_.c_str(), 0755);
    std::ofstream(folder_ + "/key") << std::string(128, 'k');
    chmod((folder_ + "/key").c_str(), 0400);
    const std::string in = " --", at = "=" + folder_ + "/";
    const auto started =
        core::tests::run_command("PATH=$PATH:/usr/sbin munged" + in + "key-file" + at + "key" + in +
                                 "socket" + at + "socket" + in + "seed-file" + at + "seed" + in + "pid-file" +
                                 at + "pid" + in + "log-file" + at + "log --num-threads=2 2>&1");
    if (started.exit_code != 0)
      GTEST_SKIP() << "no munged starts here (scripts/setup --for cluster): " << started.output;
    setenv("ASSAY_MUNGE_SOCKET", (folder_ + "/socket").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("ASSAY_MUNGE_SOCKET");
    pid_t daemon = 0;
    if (std::ifstream(folder_ + "/pid") >> daemon) kill(daemon, SIGTERM);
    std::error_code it_still_cleans_up;  // the daemon removes files of its own
    core::tests::eventually(
        [&] {
          std::filesystem::remove_all(folder_, it_still_cleans_up);
          return !it_still_cleans_up;
        },
        5);
  }

  std::string folder_;
};

TEST_F(Munged, ACredentialGivesItsSecretToThisUserAsOftenAsItIsAsked) {
  ASSERT_TRUE(munge_answers());
  const std::string credential = credential_with("the secret of a team");
  EXPECT_EQ(credential.find("the secret"), std::string::npos);
  for (int rank = 1; rank < 4; ++rank) EXPECT_EQ(secret_of_credential(credential), "the secret of a team");
}

TEST_F(Munged, ACredentialThatWasChangedIsRefused) {
  std::string credential = credential_with("the secret of a team");
  credential[credential.size() / 2] = credential[credential.size() / 2] == 'A' ? 'B' : 'A';
  EXPECT_EQ(core::tests::message_of([&] { secret_of_credential(credential); }).find("MUNGE: "), 0u);
  EXPECT_THROW(secret_of_credential(""), core::Error);
}

TEST_F(Munged, ACredentialIsOfNoUseToAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const std::string credential = credential_with("the secret of a team");
  const pid_t other = fork();
  if (other == 0) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(3);
    try {
      secret_of_credential(credential);
    } catch (const core::Error& error) {
      _exit(std::string(error.what()).starts_with("MUNGE: Unauthorized") ? 0 : 2);
    }
    _exit(1);
  }
  int status = 0;
  waitpid(other, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(Munged, IsWhereAJobOfSlurmHasItsKeyFrom) {
  const auto in_a_job = [](const char* name) { return std::string(name) == "SLURM_JOB_ID" ? "7" : nullptr; };
  EXPECT_EQ(team_key({}, in_a_job, MayMunge::yes).source, KeySource::munge);
  EXPECT_EQ(team_key({}, in_a_job, MayMunge::no).source, KeySource::none);
  setenv("ASSAY_MUNGE_SOCKET", "/nowhere/socket", 1);
  EXPECT_EQ(team_key({}, in_a_job, MayMunge::yes).source, KeySource::none);
}

}  // namespace
}  // namespace assay::team
