// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Leaders and serving hosts over TCP on loopback, each a process: what they say, and what they survive.
#include "harness/team/join/serve.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <deque>
#include <memory>
#include <thread>

#include "harness/core/tests/message_of.hpp"
#include "harness/team/tests/test_server.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

using core::tests::message_of;
using testing::Test;
using tests::failure_to_dial;
using tests::hello_of;
using tests::is_gone;
using tests::processes_of;
using tests::TestServer;

const DialOptions patient_dial{.connect_limit_s = 10};
const DialOptions hasty_dial{.connect_limit_s = 0.5};

void end(Team& leader) { leader.broadcast("end", 10); }

/// Seconds until `body` has ended.
template <class Body>
double seconds_of(Body body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Serve, ALeaderGetsATeamWithEveryHostItCalled) {
  const TestServer h1(hello_of("h1"));
  const TestServer h2(hello_of("h2"));
  const auto team = dial_team({h1.address(), h2.address()}, hello_of("h0"), patient_dial);
  EXPECT_EQ(team->rank(), 0);
  EXPECT_EQ(team->size(), 3);
  EXPECT_EQ(team->host_of(2), "h2");
  team->broadcast("gather", 10);
  EXPECT_EQ(team->gather("h0:0", 10), (std::vector<std::string>{"h0:0", "h1:1", "h2:2"}));
  team->broadcast("barrier", 10);
  team->barrier(10);
  end(*team);
  EXPECT_EQ(h1.log_with("is over"),
            "a run led by h0 begins\nthe run led by h0 is over; ready for the next leader\n");
}

TEST(Serve, EightFollowersMakeATeamOfNine) {
  std::deque<TestServer> servers;
  std::vector<std::string> hosts;
  std::vector<std::string> expected{"leader"};
  for (int i = 1; i <= 8; ++i) {
    const std::string name = "h" + std::to_string(i);
    hosts.push_back(servers.emplace_back(hello_of(name)).address());
    expected.push_back(name + ":" + std::to_string(i));
  }
  const auto team = dial_team(hosts, hello_of("h0"), patient_dial);
  for (int round = 0; round < 20; ++round) {
    team->broadcast("gather", 10);
    EXPECT_EQ(team->gather("leader", 10), expected);
    team->broadcast("barrier", 10);
    team->barrier(10);
  }
  end(*team);
}

TEST(Serve, EachLeaderGetsAFreshProcess) {
  const TestServer h1(hello_of("h1"));
  auto first = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  const pid_t first_process = processes_of(*first)[1];
  end(*first);
  first.reset();
  const auto second = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  EXPECT_NE(processes_of(*second)[1], first_process);
  EXPECT_NE(first_process, h1.process());
  end(*second);
}

TEST(Serve, ASecondLeaderHearsWhoKeepsTheHostBusy) {
  const TestServer h1(hello_of("h1"));
  const auto team = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h7"), hasty_dial),
            "h1 is busy with a run led by h0; waited 0.5 s for it: try again later");
  end(*team);
}

TEST(Serve, ASecondLeaderThatWaitsIsServedWhenTheFirstIsDone) {
  const TestServer h1(hello_of("h1"));
  auto first = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    end(*first);
  });
  const auto second = dial_team({h1.address()}, hello_of("h7"), patient_dial);
  second->broadcast("gather", 10);
  EXPECT_EQ(second->gather("h7:0", 10), (std::vector<std::string>{"h7:0", "h1:1"}));
  end(*second);
}

TEST(Serve, ASessionThatCrashesIsNamedAndTheNextLeaderIsServed) {
  const TestServer h1(hello_of("h1"));
  auto team = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  team->broadcast("abort", 10);
  EXPECT_EQ(message_of([&] { team->gather("", 10); }),
            "rank 1 (h1) closed the connection: its process ended");
  EXPECT_NE(h1.log_with("ready").find("the run led by h0 was ended by signal 6 (Aborted)"), std::string::npos)
      << h1.log();
  const auto next = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  next->broadcast("gather", 10);
  EXPECT_EQ(next->gather("h0:0", 10).size(), 2u);
  end(*next);
}

TEST(Serve, ASessionThatThrowsSaysWhat) {
  const TestServer h1(hello_of("h1"));
  const auto team = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  team->broadcast("throw", 10);
  EXPECT_EQ(h1.log_with("ready"),
            "a run led by h0 begins\nthe run led by h0: the device went away\n"
            "the run led by h0 failed; ready for the next leader\n");
}

TEST(Serve, AKilledFollowerIsNoticedAtOnceAndToldToTheOthers) {
  const TestServer h1(hello_of("h1"));
  const TestServer h2(hello_of("h2"));
  const auto team = dial_team({h1.address(), h2.address()}, hello_of("h0"), patient_dial);
  const pid_t victim = processes_of(*team)[1];
  team->broadcast("barrier", 10);
  kill(victim, SIGKILL);
  const double waited_s = seconds_of([&] {
    EXPECT_EQ(message_of([&] { team->gather("", 60); }),
              "rank 1 (h1) closed the connection: its process ended");
  });
  EXPECT_LT(waited_s, 5);
  EXPECT_NE(
      h2.log_with("ready").find("the run led by h0: rank 1 (h1) closed the connection: its process ended"),
      std::string::npos)
      << h2.log();
}

TEST(Serve, AStoppedFollowerIsNamedAtTheLimit) {
  const TestServer h1(hello_of("h1"));
  const TestServer h2(hello_of("h2"));
  const auto team = dial_team({h1.address(), h2.address()}, hello_of("h0"), patient_dial);
  kill(processes_of(*team)[2], SIGSTOP);
  team->broadcast("gather", 10);
  const double waited_s = seconds_of([&] {
    EXPECT_EQ(message_of([&] { team->gather("", 0.5); }), "rank 2 (h2) was silent for 0.5 s while gathering");
  });
  EXPECT_LT(waited_s, 3);
}

TEST(Serve, ALeaderThatIsKilledEndsTheSessionAndTheNextIsServed) {
  const TestServer h1(hello_of("h1"));
  const pid_t leader = fork();
  if (leader == 0) {
    const auto team = dial_team({h1.address()}, hello_of("h0"), patient_dial);
    team->broadcast("gather", 10);
    raise(SIGKILL);
  }
  waitpid(leader, nullptr, 0);
  EXPECT_NE(
      h1.log_with("ready").find("the run led by h0: rank 0 (h0) closed the connection: its process ended"),
      std::string::npos)
      << h1.log();
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h7"), patient_dial), "");
}

TEST(Serve, ASessionThatDoesNotLookAfterItsLeaderWentIsKilled) {
  const TestServer h1(hello_of("h1"), {.leader_gone_grace_s = 0.3});
  auto team = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  const pid_t session = processes_of(*team)[1];
  team->broadcast("hang", 10);
  team.reset();
  EXPECT_TRUE(is_gone(session));
  EXPECT_NE(
      h1.log_with("killed").find("the run led by h0 went on for 0.3 s without its leader: it was killed"),
      std::string::npos);
}

TEST(Serve, EndsOnSigtermAndLeavesNoSessionBehind) {
  TestServer h1(hello_of("h1"));
  const auto team = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  const pid_t session = processes_of(*team)[1];
  EXPECT_EQ(h1.end(SIGTERM), 100 + SIGTERM);
  EXPECT_TRUE(is_gone(session));
  EXPECT_EQ(message_of([&] { team->gather("", 10); }),
            "rank 1 (h1) closed the connection: its process ended");
}

TEST(Serve, AServerThatIsKilledLeavesNoSessionBehind) {
  TestServer h1(hello_of("h1"));
  const auto team = dial_team({h1.address()}, hello_of("h0"), patient_dial);
  const pid_t session = processes_of(*team)[1];
  h1.end(SIGKILL);
  EXPECT_TRUE(is_gone(session));
}

TEST(Serve, AnotherVersionIsRefusedOnBothSides) {
  Hello newer = hello_of("h1");
  newer.version = "0.2.0";
  const TestServer h1(newer);
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h0"), patient_dial),
            "h1 runs assay 0.2.0, this host 0.1.0: install one version on both");
  EXPECT_EQ(h1.log_with("\n"),
            "refused a leader: h0 runs assay 0.1.0, this host 0.2.0: install one version on both\n");
}

TEST(Serve, AnotherOptionIsRefusedOnBothSides) {
  Hello theirs = hello_of("h1");
  theirs.options = {{"plan", "9f2c"}, {"only here", "x"}};
  Hello mine = hello_of("h0");
  mine.options = {{"plan", "71aa"}};
  const TestServer h1(theirs);
  EXPECT_EQ(failure_to_dial({h1.address()}, mine, patient_dial),
            "h1 has plan 9f2c, this host 71aa: start both with the same plan");
  EXPECT_EQ(h1.log_with("\n"),
            "refused a leader: h0 has plan 71aa, this host 9f2c: start both with the same plan\n");
}

TEST(Serve, CallersThatAreNoLeadersAreRefusedInALineEach) {
  const TestServer h1(hello_of("h1"), {.greeting_limit_s = 0.2});
  const Address address{"127.0.0.1", h1.port()};
  const Descriptor web = connect_to(address, "", 5, "");
  ASSERT_GT(::send(web.get(), "GET / HTTP/1.1\r\n", 16, 0), 0);
  h1.log_with("47");
  const Descriptor silent = connect_to(address, "", 5, "");
  h1.log_with("0.2 s");
  EXPECT_EQ(
      h1.log(),
      "refused a caller from 127.0.0.1: it does not speak assay's protocol (a frame of unknown type 47)\n"
      "refused a caller from 127.0.0.1: it did not introduce itself within 0.2 s\n");
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h0"), patient_dial), "");
}

TEST(Serve, ASilentCallerKeepsNoLeaderWaiting) {
  const TestServer h1(hello_of("h1"), {.greeting_limit_s = 60});
  const Descriptor silent = connect_to({"127.0.0.1", h1.port()}, "", 5, "");
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h0"), patient_dial), "");
}

TEST(Serve, APortThatIsTakenIsOneLine) {
  const Server first({.interface = "127.0.0.1", .port = 0}, hello_of("h1"));
  const std::string port = std::to_string(first.port());
  EXPECT_EQ(message_of([&] { Server({.interface = "127.0.0.1", .port = first.port()}, hello_of("h1")); }),
            "cannot listen at 127.0.0.1 port " + port +
                ": it is taken: is another one running here? Choose another port");
}

}  // namespace
}  // namespace assay::team
