// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/thread_team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "harness/core/tests/message_of.hpp"
#include "harness/team/deadline.hpp"
#include "harness/team/solo_team.hpp"

namespace assay::team {
namespace {

using core::tests::message_of;
using namespace std::chrono_literals;

/// What `member` returns at each rank, each rank in a thread of its own. A member leaves when its function
/// ends.
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

TEST(thread_team, knows_its_ranks_and_hosts) {
  const auto teams = make_thread_teams(3);
  ASSERT_EQ(teams.size(), 3u);
  for (int rank = 0; rank < 3; ++rank) {
    const Team& team = *teams[static_cast<std::size_t>(rank)];
    EXPECT_EQ(team.rank(), rank);
    EXPECT_EQ(team.size(), 3);
    EXPECT_EQ(team.host_of(2), "thread2");
  }
}

TEST(thread_team, broadcast_brings_the_leaders_text_to_all) {
  const auto said = on_each(4, [](Team& team) {
    const std::string first = team.broadcast(team.rank() == 0 ? "point 1" : "ignored", 10);
    return first + "," + team.broadcast(team.rank() == 0 ? "point 2" : "", no_limit);
  });
  EXPECT_EQ(said, std::vector<std::string>(4, "point 1,point 2"));
}

TEST(thread_team, gather_brings_every_text_to_all_by_rank) {
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

TEST(thread_team, carries_texts_of_megabytes_while_members_are_late) {
  const auto said = on_each(3, [](Team& team) {
    if (team.rank() == 1) std::this_thread::sleep_for(100ms);
    const std::string order = team.broadcast(std::string(team.rank() == 0 ? 5'000'000 : 0, 'o'), 10);
    if (team.rank() == 0) std::this_thread::sleep_for(100ms);
    std::size_t bytes = order.size();
    for (const std::string& text : team.gather(std::string(3'000'000, 'g'), 10)) bytes += text.size();
    return std::to_string(bytes);
  });
  EXPECT_EQ(said, std::vector<std::string>(3, "14000000"));
}

TEST(thread_team, nobody_leaves_a_barrier_before_the_last_has_come) {
  std::atomic<int> came{0};
  const auto said = on_each(4, [&](Team& team) {
    for (int round = 1; round <= 20; ++round) {
      if (team.rank() == round % 4) std::this_thread::sleep_for(1ms);
      ++came;
      team.barrier(10);
      if (came < 4 * round) return std::string("left early");
    }
    return std::string("fine");
  });
  EXPECT_EQ(said, std::vector<std::string>(4, "fine"));
}

TEST(thread_team, works_on_between_the_halves_of_a_barrier) {
  std::atomic<bool> last_has_come{false};
  const auto said = on_each(3, [&](Team& team) {
    if (team.rank() == 2) {
      std::this_thread::sleep_for(50ms);
      last_has_come = true;
    }
    team.arrive();
    int looks = 0;
    while (!team.all_arrived()) ++looks;
    if (!last_has_come) return std::string("left early");
    return std::string(team.rank() == 2 || looks > 0 ? "fine" : "blocked");
  });
  EXPECT_EQ(said, std::vector<std::string>(3, "fine"));
}

TEST(thread_team, other_calls_may_stand_between_the_halves_of_a_barrier) {
  const auto said = on_each(3, [](Team& team) {
    team.arrive();
    const std::string text = team.broadcast("order", 10);
    const std::size_t count = team.gather("", 10).size();
    while (!team.all_arrived()) std::this_thread::sleep_for(1ms);
    team.barrier(10);
    return text + std::to_string(count);
  });
  EXPECT_EQ(said, std::vector<std::string>(3, "order3"));
}

TEST(thread_team, a_member_that_leaves_is_named_to_all_and_the_team_stays_broken) {
  const auto said = on_each(4, [](Team& team) {
    if (team.rank() == 2) return std::string("left");
    const std::string first = message_of([&] { team.gather("", 10); });
    const std::string again = message_of([&] { team.arrive(); });
    return first == again ? first : first + " | " + again;
  });
  const std::string lost = "rank 2 (thread2) closed the connection: its process ended";
  EXPECT_EQ(said, (std::vector<std::string>{lost, lost, "left", lost}));
}

TEST(thread_team, a_lost_leader_frees_followers_that_wait_without_limit) {
  const auto said = on_each(3, [](Team& team) {
    return team.rank() == 0 ? std::string("left") : message_of([&] { team.broadcast("", no_limit); });
  });
  const std::string lost = "rank 0 (thread0) closed the connection: its process ended";
  EXPECT_EQ(said, (std::vector<std::string>{"left", lost, lost}));
}

TEST(thread_team, a_silent_member_is_named_to_all_at_the_limit) {
  std::atomic<int> gave_up{0};
  const auto said = on_each(4, [&](Team& team) {
    if (team.rank() == 3) {
      while (gave_up < 3) std::this_thread::sleep_for(1ms);
      return std::string("silent");
    }
    const std::string what = message_of([&] { team.gather("", 0.2); });
    ++gave_up;
    return what;
  });
  const std::string lost = "rank 3 (thread3) was silent for 0.2 s while gathering";
  EXPECT_EQ(said, (std::vector<std::string>{lost, lost, lost, "silent"}));
}

TEST(thread_team, all_silent_members_are_named_at_a_barrier) {
  const auto teams = make_thread_teams(3);
  EXPECT_EQ(message_of([&] { teams[0]->barrier(0.05); }),
            "rank 1 (thread1), rank 2 (thread2) were silent for 0.05 s while others waited at a barrier");
}

TEST(thread_team, a_member_that_gives_up_tells_why) {
  const auto teams = make_thread_teams(2);
  EXPECT_EQ(message_of([&] { teams[1]->broadcast("", 0.05); }),
            "rank 0 (thread0) was silent for 0.05 s while broadcasting");
  EXPECT_EQ(message_of([&] { teams[0]->broadcast("order", 5); }),
            "rank 1 (thread1) gave up: rank 0 (thread0) was silent for 0.05 s while broadcasting");
}

TEST(thread_team, the_exception_carries_the_rank) {
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

TEST(thread_team, members_out_of_step_are_told_so) {
  const auto teams = make_thread_teams(2);
  teams[0]->broadcast("order", 5);
  EXPECT_EQ(message_of([&] { teams[1]->gather("", 5); }),
            "rank 0 (thread0) is out of step: it sent 'broadcast' where 'gathered' was due");
}

TEST(solo_team, returns_at_once_with_its_own_text) {
  SoloTeam team("h0");
  EXPECT_EQ(team.broadcast("a", 0), "a");
  EXPECT_EQ(team.gather("b", 0), std::vector<std::string>{"b"});
  team.barrier(0);
  EXPECT_EQ(team.host_of(0), "h0");
}

}  // namespace
}  // namespace assay::team
