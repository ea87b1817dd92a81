// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Serving hosts with a key, and leaders with the same, another, or none.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>
#include <vector>

#include "harness/team/join/serve.hpp"
#include "harness/team/tests/test_server.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

using tests::failure_to_dial;
using tests::hello_of;
using tests::TestServer;

const TeamKey server_key{.source = KeySource::file, .secret = "sixteen bytes at least"};
const DialOptions ten_seconds{.connect_limit_s = 10};

TEST(ServeKey, ALeaderThatHoldsAnotherKeyOrNoneIsRefused) {
  const TestServer h1(hello_of("h1"), {.key = server_key});
  const std::string port = std::to_string(h1.port());
  DialOptions with = ten_seconds;
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h0"), with),
            "127.0.0.1 wants a key, and this host has none: give both the same key (docs/guide/clusters.md)");
  with.key = {.source = KeySource::file, .secret = "sixteen other bytes, too"};
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h0"), with),
            "127.0.0.1 turned this host away: it holds another key: give both the same key "
            "(docs/guide/clusters.md)");
  EXPECT_NE(h1.log_with("does not hold")
                .find("refused a caller from 127.0.0.1: it does not hold the key of this host"),
            std::string::npos)
      << h1.log();
}

TEST(ServeKey, LeaderAndFollowersWithOneKeyAreATeamThatKnowsItsSecret) {
  const TestServer h1(hello_of("h1"), {.key = server_key});
  DialOptions with = ten_seconds;
  with.key = server_key;
  const auto team = dial_team({h1.address()}, hello_of("h0"), with);
  EXPECT_EQ(team->trust().by, "key file");
  EXPECT_EQ(team->trust().secret, server_key.secret);
  team->broadcast("gather", 10);
  EXPECT_EQ(team->gather("h0:0", 10), (std::vector<std::string>{"h0:0", "h1:1"}));
  team->broadcast("end", 10);
}

TEST(ServeKey, AServerWithoutAKeyIsOfNoUseToALeaderWithOne) {
  const TestServer h1(hello_of("h1"));
  DialOptions with = ten_seconds;
  with.key = server_key;
  EXPECT_NE(failure_to_dial({h1.address()}, hello_of("h0"), with)
                .find("127.0.0.1 has no key, and this host has one"),
            std::string::npos);
}

TEST(ServeKey, ManySilentCallersKeepNoLeaderWaiting) {
  const TestServer h1(hello_of("h1"), {.key = server_key, .greeting_limit_s = 60});
  std::vector<Descriptor> silent;
  for (int i = 0; i < 300; ++i) silent.push_back(connect_to({"127.0.0.1", h1.port()}, "", 5, ""));
  DialOptions with = ten_seconds;
  with.key = server_key;
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h0"), with), "");
}

TEST(ServeKey, ALeaderCallsAgainWhereStrangersCallTooOften) {
  const TestServer h1(hello_of("h1"), {.key = server_key, .rates = {.per_s = 2, .burst = 1}});
  const Descriptor stranger = connect_to({"127.0.0.1", h1.port()}, "", 5, "");
  DialOptions with = ten_seconds;
  with.key = server_key;
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h0"), with), "");
  EXPECT_NE(h1.log_with("or in all").find("refused a caller from 127.0.0.1: too many callers"),
            std::string::npos);
}

TEST(ServeKey, ThousandsOfCallersThatStayKeepNoLeaderWaiting) {
  const TestServer h1(hello_of("h1"), {.key = server_key, .greeting_limit_s = 60});
  rlimit files{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur < 3500) GTEST_SKIP() << "this process may open only " << files.rlim_cur << " files";
  std::vector<Descriptor> silent;
  for (int i = 0; i < 3000; ++i) silent.push_back(connect_to({"127.0.0.1", h1.port()}, "127.0.0.2", 5, ""));
  DialOptions with{.connect_limit_s = 2};
  with.key = server_key;
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h0"), with), "");
}

}  // namespace
}  // namespace assay::team
