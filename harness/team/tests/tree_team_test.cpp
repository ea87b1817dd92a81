// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Teams whose ranks are linked as a tree: the same calls as of a star, and losses in its middle.
#include "harness/team/tree_team.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <random>
#include <thread>

#include "harness/core/tests/eventually.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/team/agree.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::team {
namespace {

using core::tests::eventually;
using core::tests::message_of;
using core::tests::state_of_thread;

// Rank 0 has children 1, 8; rank 1 has 2, 5; rank 2 has 3, 4; and so on, of 15 ranks.
constexpr TreeShape binary{.star_up_to = 1, .fan_out = 2};
constexpr int ranks = 15;

/// The texts that `member` returns at each rank, or what it throws. A member leaves when its function ends.
std::vector<std::string> in_tree(const std::function<std::string(Team&)>& member, int n = ranks) {
  std::vector<std::unique_ptr<Team>> teams = make_thread_teams(n, binary);
  std::vector<std::string> said(teams.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < teams.size(); ++i)
    threads.emplace_back([&, i, team = std::move(teams[i])]() mutable {
      const std::string failure = message_of([&] { said[i] = member(*team); });
      if (said[i].empty()) said[i] = failure;
      team.reset();
    });
  threads.clear();
  return said;
}

/// Ranks that hear of a loss through `rank` only.
int below(int rank) {
  int count = 0;
  for (const RankRange& child : place_in_tree(rank, ranks, binary).children) count += child.end - child.first;
  return count;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + " ";
  return all;
}

TEST(TreeTeam, GathersInOrderOfRank) {
  const auto said = in_tree([](Team& team) { return joined(team.gather(std::to_string(team.rank()), 10)); });
  EXPECT_EQ(said, std::vector<std::string>(ranks, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 "));
}

TEST(TreeTeam, GathersAtTheLeaderAlone) {
  const auto said = in_tree([](Team& team) {
    return std::to_string(team.gather_at_leader("x", 10).size()) + team.broadcast("order", 10);
  });
  EXPECT_EQ(said[0], "15order");
  EXPECT_EQ(said[14], "0order");
}

TEST(TreeTeam, CarriesTextsOfMegabytes) {
  const auto said = in_tree([](Team& team) {
    std::size_t bytes = team.broadcast(std::string(team.rank() == 0 ? 1'000'000 : 0, 'o'), 20).size();
    for (const std::string& text : team.gather(std::string(100'000, 'g'), 20)) bytes += text.size();
    return std::to_string(bytes);
  });
  EXPECT_EQ(said, std::vector<std::string>(ranks, "2500000"));
}

TEST(TreeTeam, NobodyLeavesABarrierBeforeTheLastHasCome) {
  std::atomic<int> came{0};
  const auto said = in_tree([&](Team& team) {
    for (int round = 1; round <= 20; ++round) {
      if (team.rank() == round % ranks)  // the last, once the others wait or are about to
        eventually([&] { return came == ranks * round - 1; });
      ++came;
      team.barrier(20);
      if (came < ranks * round) return std::string("left early");
    }
    return std::string("fine");
  });
  EXPECT_EQ(said, std::vector<std::string>(ranks, "fine"));
}

TEST(TreeTeam, OtherCallsMayStandBetweenTheHalvesOfABarrier) {
  const auto said = in_tree([](Team& team) {
    team.arrive();
    const std::string text = team.broadcast("order", 10);
    const std::size_t count = team.gather("", 10).size();
    if (!eventually([&] { return team.all_arrived(); })) return std::string("never all there");
    team.barrier(10);
    return text + std::to_string(count);
  });
  EXPECT_EQ(said, std::vector<std::string>(ranks, "order15"));
}

TEST(TreeTeam, AgreesWithinOneResultAndNamesWhoFailed) {
  const auto sum = [](std::string& all, const std::string& next) {
    all = std::to_string(std::stoi(all) + std::stoi(next));
  };
  const auto said = in_tree([&](Team& team) {
    const auto own = [&] { return std::to_string(team.rank()); };
    const std::string at_leader = agree_on(team, own, sum, Knows::leader, 10);
    const std::string everywhere = agree_on(team, own, sum, Knows::everyone, 10);
    return at_leader + "," + everywhere + "," + message_of([&] {
             agree_on(
                 team,
                 [&]() -> std::string {
                   if (team.rank() == 9) throw core::Error(core::ErrorKind::verbs, "no memory");
                   return "1";
                 },
                 sum, Knows::leader, 10);
           });
  });
  EXPECT_EQ(said[0], "105,105,rank 9 (thread9): no memory");
  EXPECT_EQ(said[4], ",105,rank 9 (thread9): no memory");
  EXPECT_EQ(said[9], ",105,no memory");
}

TEST(TreeTeam, WhatCannotBeCombinedIsAnErrorOfThoseRanks) {
  const auto said = in_tree([](Team& team) -> std::string {
    return message_of([&] {
      agree_on(
          team, [&] { return std::string(team.rank() == 4 ? "garbage" : "1"); },
          [](std::string&, const std::string& next) {
            if (next != "1") throw core::Error(core::ErrorKind::team, "makes no sense");
          },
          Knows::leader, 10);
    });
  });
  EXPECT_EQ(said, std::vector<std::string>(ranks, "rank 4 (thread4): makes no sense"));
}

TEST(TreeTeam, NamesSixteenOfManyThatFailed) {
  const auto said = in_tree(
      [](Team& team) -> std::string {
        return message_of([&] {
          agree(team, [&]() -> std::string {
            throw core::Unsupported(core::ErrorKind::verbs, "no " + std::to_string(team.rank()));
          });
        });
      },
      20);
  EXPECT_NE(said[3].find("rank 15 (thread15): no 15; and 4 more ranks failed"), std::string::npos) << said[3];
  EXPECT_EQ(said[0], said[19]);
}

TEST(TreeTeam, AnInnerRankThatLeavesIsNamedToAll) {
  for (const int gone : {1, 2, 5, 8, 14}) {
    auto said = in_tree([gone](Team& team) -> std::string {
      if (team.rank() == gone) return "left";
      team.gather("", 20);
      return "nothing";
    });
    said[static_cast<std::size_t>(gone)] = said[0];
    EXPECT_EQ(said, std::vector<std::string>(ranks, "rank " + std::to_string(gone) + " (thread" +
                                                        std::to_string(gone) +
                                                        ") closed the connection: its process ended"));
  }
}

TEST(TreeTeam, ALossFreesRanksThatWaitWithoutLimit) {
  std::array<std::atomic<pid_t>, ranks> threads{};  // once they are about to wait
  const auto said = in_tree([&](Team& team) -> std::string {
    if (team.rank() == 2) return "left";
    threads.at(static_cast<std::size_t>(team.rank())) = gettid();
    for (const std::size_t rank : {1u, 3u, 4u}) {
      if (team.rank() != 0) break;
      eventually([&] { return threads.at(rank) != 0; });
      eventually([&] { return state_of_thread(threads.at(rank)) != 'R'; });  // it waits, or was freed already
    }
    return team.broadcast("order", team.rank() == 0 ? 10 : no_limit);
  });
  for (const std::size_t rank : {3u, 4u, 1u})
    EXPECT_EQ(said[rank], "rank 2 (thread2) closed the connection: its process ended");
}

/// Rank `silent` says nothing until all others have given up.
std::vector<std::string> with_silent(int silent, const std::function<void(Team&)>& wait) {
  std::atomic<int> gave_up{0};
  return in_tree([&, silent](Team& team) -> std::string {
    if (team.rank() == silent) {
      eventually([&] { return gave_up == ranks - 1 - below(silent); });
      return "silent";
    }
    const std::string what = message_of([&] { wait(team); });
    ++gave_up;
    return what;
  });
}

TEST(TreeTeam, ASilentRankFarFromTheLeaderIsNamedAtTheLimit) {
  for (const int silent : {14, 4, 2}) {
    const auto said = with_silent(silent, [](Team& team) { team.gather("", 1); });
    EXPECT_EQ(said[0], "rank " + std::to_string(silent) + " (thread" + std::to_string(silent) +
                           ") was silent for 1 s while gathering");
    EXPECT_EQ(said[8], said[0]);
  }
}

TEST(TreeTeam, ASilentRankFarFromTheLeaderIsNamedAtABarrier) {
  const auto said = with_silent(4, [](Team& team) { team.barrier(team.rank() == 0 ? 3.5 : 60); });
  EXPECT_EQ(said[0], "rank 4 (thread4) was silent for 3.5 s while others waited at a barrier");
  EXPECT_EQ(said[3], said[0]);
}

TEST(TreeTeam, MembersThatEndAtSeededMomentsLeaveNobodyWaiting) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::mt19937 random(seed);
    const int gone = static_cast<int>(random() % 14) + 1;
    const int round = static_cast<int>(random() % 30);
    const auto said = in_tree([=](Team& team) -> std::string {
      for (int i = 0; i < 40; ++i) {
        if (team.rank() == gone && i == round) return "left";
        if (i % 3 == 0) team.barrier(20);
        if (i % 3 == 1) team.gather("x", 20);
        if (i % 3 == 2) team.broadcast("y", 20);
      }
      return "finished";
    });
    EXPECT_EQ(said[0].find("rank " + std::to_string(gone) + " (thread"), 0u) << seed << ": " << said[0];
    for (const std::string& text : said) EXPECT_NE(text, "finished") << seed;
  }
}

}  // namespace
}  // namespace assay::team
