// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/thread_team.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <thread>

#include "harness/core/tests/eventually.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/team/solo_team.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::team {
namespace {

using core::tests::eventually;
using core::tests::eventually_waits;
using core::tests::message_of;

/// The texts that `member` returns at each rank, each rank in a thread of its own. A member leaves when its
/// function ends.
std::vector<std::string> on_each(int n, const std::function<std::string(Team&)>& member) {
  std::vector<std::unique_ptr<Team>> teams = make_thread_teams(n);
  std::vector<std::string> said(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < teams.size(); ++i)
    threads.emplace_back([&, i, team = std::move(teams[i])]() mutable {
      said[i] = member(*team);
      team.reset();
    });
  for (std::thread& thread : threads) thread.join();
  return said;
}

TEST(ThreadTeam, KnowsItsRanksAndHosts) {
  const auto teams = make_thread_teams(3);
  ASSERT_EQ(teams.size(), 3u);
  for (int rank = 0; rank < 3; ++rank) {
    const Team& team = *teams[static_cast<std::size_t>(rank)];
    EXPECT_EQ(team.rank(), rank);
    EXPECT_EQ(team.size(), 3);
    EXPECT_EQ(team.host_of(2), "thread2");
  }
}

TEST(ThreadTeam, BroadcastBringsTheLeadersTextToAll) {
  const auto said = on_each(4, [](Team& team) {
    const std::string first = team.broadcast(team.rank() == 0 ? "point 1" : "ignored", 10);
    return first + "," + team.broadcast(team.rank() == 0 ? "point 2" : "", no_limit);
  });
  EXPECT_EQ(said, std::vector<std::string>(4, "point 1,point 2"));
}

TEST(ThreadTeam, GatherBringsEveryTextToAllByRank) {
  const auto said = on_each(4, [](Team& team) {
    std::string joined;
    for (int round = 0; round < 50; ++round) {
      joined.clear();
      for (const std::string& text : team.gather(std::to_string(team.rank() + round), 10))
        joined += text + " ";
    }
    return joined;
  });
  EXPECT_EQ(said, std::vector<std::string>(4, "49 50 51 52 "));
}

TEST(ThreadTeam, CarriesTextsOfMegabytesWhileMembersAreLate) {
  std::array<std::atomic<pid_t>, 3> broadcasts{}, gathers{};  // threads of ranks that are about to call
  const auto await = [](std::atomic<pid_t>& caller) {
    return eventually([&] { return caller != 0; }, 10) && eventually_waits(caller);
  };
  const auto said = on_each(3, [&](Team& team) {
    const auto rank = static_cast<std::size_t>(team.rank());
    if (rank == 1 && !await(broadcasts[0])) return std::string("rank 0 does not wait for rank 1");
    broadcasts.at(rank) = gettid();
    const std::string order = team.broadcast(std::string(rank == 0 ? 5'000'000 : 0, 'o'), 10);
    if (rank == 0 && !(await(gathers[1]) && await(gathers[2]))) return std::string("nobody waits for rank 0");
    gathers.at(rank) = gettid();
    std::size_t bytes = order.size();
    for (const std::string& text : team.gather(std::string(3'000'000, 'g'), 10)) bytes += text.size();
    return std::to_string(bytes);
  });
  EXPECT_EQ(said, std::vector<std::string>(3, "14000000"));
}

TEST(ThreadTeam, NobodyLeavesABarrierBeforeTheLastHasCome) {
  std::atomic<int> came{0};
  const auto said = on_each(4, [&](Team& team) {
    for (int round = 1; round <= 20; ++round) {
      if (team.rank() == round % 4)  // the last, once the others wait or are about to
        eventually([&] { return came == 4 * round - 1; });
      ++came;
      team.barrier(10);
      if (came < 4 * round) return std::string("left early");
    }
    return std::string("fine");
  });
  EXPECT_EQ(said, std::vector<std::string>(4, "fine"));
}

TEST(ThreadTeam, WorksOnBetweenTheHalvesOfABarrier) {
  std::atomic<bool> last_has_come{false};
  std::atomic<int> looked{0};
  const auto said = on_each(3, [&](Team& team) {
    if (team.rank() == 2) {
      if (!eventually([&] { return looked == 2; }, 10)) return std::string("the others are blocked");
      last_has_come = true;
    }
    team.arrive();
    for (int looks = 0; !team.all_arrived(); ++looks)
      if (looks == 0) ++looked;
    return std::string(last_has_come ? "fine" : "left early");
  });
  EXPECT_EQ(said, std::vector<std::string>(3, "fine"));
}

TEST(ThreadTeam, OtherCallsMayStandBetweenTheHalvesOfABarrier) {
  const auto said = on_each(3, [](Team& team) {
    team.arrive();
    const std::string text = team.broadcast("order", 10);
    const std::size_t count = team.gather("", 10).size();
    if (!eventually([&] { return team.all_arrived(); })) return std::string("never all there");
    team.barrier(10);
    return text + std::to_string(count);
  });
  EXPECT_EQ(said, std::vector<std::string>(3, "order3"));
}

TEST(ThreadTeam, AMemberThatLeavesIsNamedToAllAndTheTeamStaysBroken) {
  const auto said = on_each(4, [](Team& team) {
    if (team.rank() == 2) return std::string("left");
    const std::string first = message_of([&] { team.gather("", 10); });
    const std::string again = message_of([&] { team.arrive(); });
    return first == again ? first : first + " | " + again;
  });
  const std::string lost = "rank 2 (thread2) closed the connection: its process ended";
  EXPECT_EQ(said, (std::vector<std::string>{lost, lost, "left", lost}));
}

TEST(ThreadTeam, ALostLeaderFreesFollowersThatWaitWithoutLimit) {
  const auto said = on_each(3, [](Team& team) {
    return team.rank() == 0 ? std::string("left") : message_of([&] { team.broadcast("", no_limit); });
  });
  const std::string lost = "rank 0 (thread0) closed the connection: its process ended";
  EXPECT_EQ(said, (std::vector<std::string>{"left", lost, lost}));
}

TEST(ThreadTeam, ASilentMemberIsNamedToAllAtTheLimit) {
  std::atomic<int> gave_up{0};
  const auto said = on_each(4, [&](Team& team) {
    if (team.rank() == 3) {
      eventually([&] { return gave_up == 3; });
      return std::string("silent");
    }
    const std::string what = message_of([&] { team.gather("", 0.2); });
    ++gave_up;
    return what;
  });
  const std::string lost = "rank 3 (thread3) was silent for 0.2 s while gathering";
  EXPECT_EQ(said, (std::vector<std::string>{lost, lost, lost, "silent"}));
}

TEST(ThreadTeam, AllSilentMembersAreNamedAtABarrier) {
  const auto teams = make_thread_teams(3);
  EXPECT_EQ(message_of([&] { teams[0]->barrier(0.05); }),
            "rank 1 (thread1), rank 2 (thread2) were silent for 0.05 s while others waited at a barrier");
}

TEST(ThreadTeam, AMemberThatGivesUpTellsWhy) {
  const auto teams = make_thread_teams(2);
  EXPECT_EQ(message_of([&] { teams[1]->broadcast("", 0.05); }),
            "rank 0 (thread0) was silent for 0.05 s while broadcasting");
  EXPECT_EQ(message_of([&] { teams[0]->broadcast("order", 5); }),
            "rank 1 (thread1) gave up: rank 0 (thread0) was silent for 0.05 s while broadcasting");
}

TEST(ThreadTeam, TheExceptionCarriesTheRank) {
  auto teams = make_thread_teams(3);
  teams[2].reset();
  try {
    teams[0]->gather("", 5);
    FAIL() << "nothing was thrown";
  } catch (const PeerLost& lost) {
    EXPECT_EQ(lost.rank(), 2);
  }
  try {
    teams[1]->broadcast("", 5);
    FAIL() << "nothing was thrown";
  } catch (const PeerLost& lost) {
    EXPECT_EQ(lost.rank(), 2);
  }
}

TEST(ThreadTeam, MembersOutOfStepAreToldSo) {
  const auto teams = make_thread_teams(2);
  teams[0]->broadcast("order", 5);
  EXPECT_EQ(message_of([&] { teams[1]->gather("", 5); }),
            "rank 0 (thread0) is out of step: it sent 'broadcast' where 'gathered' was due");
}

TEST(SoloTeam, ReturnsAtOnceWithItsOwnText) {
  SoloTeam team("h0");
  EXPECT_EQ(team.broadcast("a", 0), "a");
  EXPECT_EQ(team.gather("b", 0), std::vector<std::string>{"b"});
  team.barrier(0);
  EXPECT_EQ(team.host_of(0), "h0");
}

}  // namespace
}  // namespace assay::team
