// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that find each other at a rendezvous: rank 0 and callers of every kind, each in a thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <future>
#include <random>
#include <thread>

#include "harness/core/process/stop_request.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/team/join/rendezvous.hpp"
#include "harness/team/tests/test_server.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

using core::tests::message_of;
using testing::HasSubstr;
using tests::hello_of;

struct Rank {
  int rank = 0;
  int size = 2;
  Hello mine{};
};

Rendezvous at(std::uint16_t port, const Rank& rank) {
  return {rank.rank, rank.size, {"127.0.0.1", port}, -1, -1};
}

const TeamKey run_key{.source = KeySource::file, .secret = "sixteen bytes at least"};

/// The text that each rank hears, or the line it ends with.
std::vector<std::string> joined(const std::vector<Rank>& ranks, double limit_s,
                                const JoinOptions& options = {}) {
  const std::uint16_t port = port_of(listen_at("127.0.0.1", 0));
  std::vector<std::future<std::string>> said;
  for (const Rank& rank : ranks)
    said.push_back(std::async(std::launch::async, [&, port] {
      std::string heard;
      const std::string failure = message_of([&] {
        JoinOptions own = options;
        own.limit_s = limit_s;
        const auto team = join_team(at(port, rank), rank.mine, own);
        for (const std::string& text : team->gather(team->host_of(team->rank()), 10)) heard += text + " ";
      });
      return heard.empty() ? failure : heard;
    }));
  std::vector<std::string> lines;
  for (auto& line : said) lines.push_back(line.get());
  return lines;
}

TEST(Join, RanksFindEachOtherInAnyOrder) {
  const auto said = joined({{2, 3, hello_of("h2")}, {1, 3, hello_of("h1")}, {0, 3, hello_of("h0")}}, 20);
  EXPECT_EQ(said, std::vector<std::string>(3, "h0 h1 h2 "));
}

TEST(Join, RankZeroStartsTheOthersOnceTheyCanCall) {
  std::future<std::string> other;
  JoinOptions options;
  options.limit_s = 20;
  options.start_others = [&](std::uint16_t port) {
    EXPECT_THAT(message_of([&] { listen_at("127.0.0.1", port); }), HasSubstr("it is taken"));
    other = std::async(std::launch::async, [port] {
      return join_team(at(port, {1, 2, {}}), hello_of("h1"), {.limit_s = 20})->host_of(0);
    });
  };
  const auto team = join_team(at(0, {0, 2, {}}), hello_of("h0"), options);
  EXPECT_EQ(team->host_of(1), "h1");
  EXPECT_EQ(other.get(), "h0");
}

TEST(Join, RanksFormATreeInAnyOrderWithAndWithoutAKey) {
  std::string all;
  for (int rank = 0; rank < 15; ++rank) all += "h" + std::to_string(rank) + " ";
  for (const TeamKey& key :
       {TeamKey{}, TeamKey{.source = KeySource::file, .secret = "sixteen bytes at least"}})
    for (unsigned seed = 0; seed < 5; ++seed) {
      std::vector<Rank> ranks;
      for (int rank = 0; rank < 15; ++rank) ranks.push_back({rank, 15, hello_of("h" + std::to_string(rank))});
      std::shuffle(ranks.begin(), ranks.end(), std::mt19937(seed));
      const auto said = joined(ranks, 20, {.key = key, .shape = {.star_up_to = 1, .fan_out = 2}});
      EXPECT_EQ(said, std::vector<std::string>(15, all)) << seed;
    }
}

TEST(Join, TooFewDescriptorsForALargeTeamAreRefusedWithTheirNumber) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_max > 900'000) GTEST_SKIP() << "this process may open any number of files";
  const int size = static_cast<int>(limit.rlim_max);
  const std::uint16_t port = port_of(listen_at("127.0.0.1", 0));
  EXPECT_EQ(message_of([&] { join_team(at(port, {0, size, {}}), hello_of("h0")); }),
            "rank 0 of " + std::to_string(size) + " ranks needs " + std::to_string(size + 512) +
                " open files, and this host allows " + std::to_string(size) +
                " (ulimit -Hn): raise that limit, or start with MPI");
}

TEST(Join, MoreRanksThanOneHostsProcessorsServeAreRefusedAtOnce) {
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  const std::uint16_t port = port_of(listen_at("127.0.0.1", 0));
  for (const int rank : {0, 1})
    EXPECT_EQ(message_of([&] {
                join_team(at(port, {rank, 128 * processors + 1, {}}), hello_of("h"), {.limit_s = 60});
              }),
              std::to_string(128 * processors + 1) + " ranks on " + std::to_string(processors) +
                  " processors of one host: expected at most " + std::to_string(128 * processors) +
                  " (128 for each)");
}

TEST(Join, ATeamOfOneNeedsNobody) { EXPECT_EQ(joined({{0, 1, hello_of("h0")}}, 1)[0], "h0 "); }

TEST(Join, AnotherVersionIsRefusedOnBothSidesAndToldToTheOthers) {
  Hello newer = hello_of("h2");
  newer.version = "0.2.0";
  const auto said = joined({{0, 3, hello_of("h0")}, {2, 3, newer}}, 20, {.key = run_key});
  EXPECT_EQ(said[0], "h2 runs assay 0.2.0, this host 0.1.0: install one version on both");
  EXPECT_EQ(said[1], "h0 runs assay 0.1.0, this host 0.2.0: install one version on both");
}

TEST(Join, AnotherWorldSizeIsRefusedOnBothSides) {
  const auto said = joined({{0, 3, hello_of("h0")}, {1, 2, hello_of("h1")}}, 20, {.key = run_key});
  EXPECT_EQ(said[0], "h1 was started as one of 2 ranks, this host as one of 3: start all alike");
  EXPECT_EQ(said[1], "h0 was started as one of 3 ranks, this host as one of 2: start all alike");
}

TEST(Join, ARankThatComesTwiceIsRefused) {
  const auto said =
      joined({{0, 3, hello_of("h0")}, {1, 3, hello_of("h1")}, {1, 3, hello_of("h1")}}, 20, {.key = run_key});
  EXPECT_EQ(said[0], "rank 1 came twice, from h1 and h1: give every process its own RANK");
}

// Without a key all users of a host can call.
TEST(Join, AStrangersMistakeDoesNotEndATeamWithoutAKey) {
  Hello other = hello_of("evil");
  other.version = "0.0.9";
  const std::uint16_t port = port_of(listen_at("127.0.0.1", 0));
  const auto join = [port](int rank, const Hello& mine) {
    return message_of([&] { join_team(at(port, {rank, 2, {}}), mine, {.limit_s = 20}); });
  };
  auto leader = std::async(std::launch::async, [&] { return join(0, hello_of("h0")); });
  EXPECT_EQ(join(1, other), "h0 runs assay 0.1.0, this host 0.0.9: install one version on both");
  EXPECT_EQ(join(1, hello_of("h1")), "nothing was thrown");
  EXPECT_EQ(leader.get(), "nothing was thrown");
}

TEST(Join, AMistakeWithoutAKeyIsNamedWhereARankIsMissing) {
  Hello other = hello_of("h1");
  other.version = "0.0.9";
  EXPECT_THAT(joined({{0, 2, hello_of("h0")}, {1, 2, other}}, 0.5)[0],
              testing::EndsWith(
                  "within 0.5 s: a caller was refused: h1 runs assay 0.0.9, this host 0.1.0: install one "
                  "version on both"));
}

/// The last line of a rank that waits alone for a minute and is asked to stop.
std::string stopped(int rank) {
  const std::uint16_t port = port_of(listen_at("127.0.0.1", 0));
  auto said = std::async(std::launch::async, [port, rank] {
    return message_of([&] { join_team(at(port, {rank, 2, {}}), hello_of("h"), {.limit_s = 60}); });
  });
  core::request_stop();
  std::string line = said.get();
  core::withdraw_stop_request();
  return line;
}

TEST(Join, EveryWaitEndsWhenItIsAskedToStop) {
  EXPECT_EQ(stopped(0), "asked to stop while it waited for the other ranks");
  EXPECT_THAT(stopped(1), testing::StartsWith("asked to stop while it waited for "));
}

TEST(Join, MissingRanksAreNamedAndThoseThatCameAreTold) {
  const auto said = joined({{0, 4, hello_of("h0")}, {2, 4, hello_of("h2")}}, 0.5);
  EXPECT_EQ(said[0].find("ranks 1, 3 of 4 did not come to 127.0.0.1 port "), 0u) << said[0];
  EXPECT_EQ(said[1].find("rank 0 (h0) called the run off: ranks 1, 3 of 4 did not come to"), 0u) << said[1];
}

TEST(Join, ALeaderThatNeverComesIsOneLine) {
  const std::uint16_t port = port_of(listen_at("127.0.0.1", 0));
  EXPECT_EQ(message_of([&] { join_team(at(port, {1, 2, {}}), hello_of("h1"), {.limit_s = 0.3}); }),
            "127.0.0.1: connection refused: is rank 0 running there? (port " + std::to_string(port) +
                ") (tried for 0.3 s)");
}

const TeamKey other_run_key{.source = KeySource::file, .secret = "sixteen other bytes, too"};

/// The lines that rank 0 and rank 1 end with, with these keys and sessions.
std::pair<std::string, std::string> met(const TeamKey& key_0, const TeamKey& key_1, double limit_s,
                                        const std::string& session_1 = "7.0") {
  const std::uint16_t port = port_of(listen_at("127.0.0.1", 0));
  const auto join = [port, limit_s](int rank, const TeamKey& key, const std::string& session) {
    return message_of([&] {
      Rendezvous rendezvous = at(port, {rank, 2, {}});
      rendezvous.session = session;
      const auto team =
          join_team(rendezvous, hello_of("h" + std::to_string(rank)), {.limit_s = limit_s, .key = key});
      team->barrier(10);
    });
  };
  auto leader = std::async(std::launch::async, join, 0, key_0, "7.0");
  std::string follower = join(1, key_1, session_1);
  return {leader.get(), std::move(follower)};
}

TEST(Join, RanksWithOneKeyMeet) {
  EXPECT_EQ(met(run_key, run_key, 20),
            std::pair(std::string("nothing was thrown"), std::string("nothing was thrown")));
}

TEST(Join, ARankWithAnotherKeyIsTurnedAwayAtOnce) {
  const auto [leader, follower] = met(run_key, other_run_key, 1);
  EXPECT_EQ(follower,
            "127.0.0.1 turned this host away: it holds another key: give both the same key "
            "(docs/guide/clusters.md)");
  EXPECT_NE(leader.find("rank 1 of 2 did not come"), std::string::npos) << leader;
}

TEST(Join, ARankOfAnotherRunAsksAgainUntilItsLimit) {
  const auto [leader, follower] = met(run_key, run_key, 0.6, "8.0");
  EXPECT_NE(follower.find("turned this host away: this host waits for others: it belongs to another run"),
            std::string::npos)
      << follower;
  EXPECT_NE(follower.find("(tried for 0.6 s)"), std::string::npos) << follower;
}

TEST(Join, WithoutAKeyNoOtherHostIsWaitedForOrCalled) {
  for (const int rank : {0, 1}) {
    Rendezvous far = at(1, {rank, 2, {}});
    far.leader.host = "192.0.2.1";
    EXPECT_EQ(message_of([&] { join_team(far, hello_of("h"), {.limit_s = 5}); })
                  .find("192.0.2.1 is not a loopback address, and there is no key: give all members the same "
                        "--key-file"),
              0u);
  }
}

TEST(Join, GarbageAtThePortDoesNotKeepTheRanksApart) {
  const std::uint16_t port = port_of(listen_at("127.0.0.1", 0));
  auto leader = std::async(std::launch::async, [&] {
    return message_of([&] { join_team(at(port, {0, 2, {}}), hello_of("h0"), {.limit_s = 20}); });
  });
  const Descriptor web = connect_to({"127.0.0.1", port}, "", 5, "");
  EXPECT_GT(::send(web.get(), "GET / HTTP/1.1\r\n", 16, 0), 0);
  EXPECT_EQ(message_of([&] { join_team(at(port, {1, 2, {}}), hello_of("h1"), {.limit_s = 20}); }),
            "nothing was thrown");
  EXPECT_EQ(leader.get(), "nothing was thrown");
}

}  // namespace
}  // namespace assay::team
