// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/agree.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

#include "harness/core/tests/eventually.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::team {
namespace {

using core::Error;
using core::ErrorKind;
using core::Unsupported;

/// How a rank's call ended: "" and what was agreed on, or the error.
struct Ended {
  std::vector<std::string> all;
  std::string what;
  ErrorKind kind = ErrorKind::system;
  long code = 0;
  bool unsupported = false, lost = false;
};

std::vector<Ended> agree_on_ranks(
    int n, const std::function<std::string(Team&)>& work, double limit_s = 10,
    const std::function<void()>& over = [] {}) {
  auto teams = make_thread_teams(n);
  std::vector<Ended> ended(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < teams.size(); ++rank)
    threads.emplace_back([&, rank, team = std::move(teams[rank])] {
      Ended& mine = ended[rank];
      try {
        mine.all = agree(*team, [&] { return work(*team); }, limit_s);
      } catch (const Error& error) {
        mine.what = error.what();
        mine.kind = error.kind();
        mine.code = error.code();
        mine.unsupported = dynamic_cast<const Unsupported*>(&error) != nullptr;
        mine.lost = dynamic_cast<const PeerLost*>(&error) != nullptr;
      } catch (const std::exception& error) {
        mine.what = error.what();
      }
      over();
    });
  for (std::thread& thread : threads) thread.join();
  return ended;
}

TEST(Agree, BringsEveryRanksTextToAll) {
  for (const Ended& rank : agree_on_ranks(3, [](Team& team) { return std::string(team.rank(), 'x'); }))
    EXPECT_EQ(rank.all, (std::vector<std::string>{"", "x", "xx"}));
}

TEST(Agree, MakesOneRanksErrorEveryRanks) {
  const auto ended = agree_on_ranks(3, [](Team& team) -> std::string {
    if (team.rank() == 1) throw Error(ErrorKind::verbs, "create a thing: no memory", 12);
    return "fine";
  });
  EXPECT_EQ(ended[1].what, "create a thing: no memory");
  for (const std::size_t other : {0U, 2U}) {
    EXPECT_EQ(ended[other].what, "rank 1 (thread1): create a thing: no memory");
    EXPECT_EQ(ended[other].kind, ErrorKind::verbs);
    EXPECT_EQ(ended[other].code, 12);
    EXPECT_FALSE(ended[other].unsupported);
    EXPECT_FALSE(ended[other].lost);
  }
}

TEST(Agree, NamesEveryRankThatFailed) {
  const auto ended = agree_on_ranks(3, [](Team& team) -> std::string {
    if (team.rank() > 0) throw Error(ErrorKind::system, "no " + std::to_string(team.rank()), team.rank());
    return "fine";
  });
  for (const Ended& rank : ended) EXPECT_EQ(rank.what, "rank 1 (thread1): no 1; rank 2 (thread2): no 2");
}

TEST(Agree, KeepsUnsupportedWhereAllThatFailedAre) {
  const auto ended = agree_on_ranks(3, [](Team& team) -> std::string {
    if (team.rank() > 0) throw Unsupported(ErrorKind::verbs, "no such thing", 95);
    return "fine";
  });
  for (const Ended& rank : ended) EXPECT_TRUE(rank.unsupported);
  const auto mixed = agree_on_ranks(3, [](Team& team) -> std::string {
    if (team.rank() == 1) throw Unsupported(ErrorKind::verbs, "no such thing", 95);
    if (team.rank() == 2) throw Error(ErrorKind::verbs, "broken", 5);
    return "fine";
  });
  for (const Ended& rank : mixed) EXPECT_FALSE(rank.unsupported);
}

TEST(Agree, TellsOnceWhatWasAgreedOnWithin) {
  const auto ended = agree_on_ranks(3, [](Team& team) {
    agree(team, [&]() -> std::string {
      if (team.rank() == 1) throw Error(ErrorKind::verbs, "no memory", 12);
      return "fine";
    });
    return std::string("not reached");
  });
  for (const Ended& rank : ended) EXPECT_EQ(rank.what, "rank 1 (thread1): no memory");
}

TEST(Agree, TakesErrorsThatAreNotOurs) {
  const auto ended = agree_on_ranks(2, [](Team& team) -> std::string {
    if (team.rank() == 1) throw std::out_of_range("vector::at");
    return "fine";
  });
  EXPECT_EQ(ended[0].what, "rank 1 (thread1): vector::at");
  EXPECT_EQ(ended[0].kind, ErrorKind::system);
  EXPECT_EQ(ended[1].what, "vector::at");
}

TEST(Agree, TakesWordsThatAreNoUtf8) {
  const auto ended = agree_on_ranks(2, [](Team& team) -> std::string {
    if (team.rank() == 1) throw Error(ErrorKind::system, "odd \xff byte");
    return "fine";
  });
  EXPECT_EQ(ended[0].what, "rank 1 (thread1): odd \xef\xbf\xbd byte");
}

TEST(Agree, WithARankThatSpeaksAnotherLanguageFails) {
  auto teams = make_thread_teams(2);
  std::thread other([team = std::move(teams[1])] {
    team->reduce("!{garbage", {.combine = [](std::string&, const std::string&, int) {}, .shared = {}}, 10);
  });
  try {
    agree(*teams[0], [] { return std::string("fine"); });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "rank 1 (thread1): failed, in words that make no sense");
  }
  other.join();
}

TEST(Agree, LosesARankThatDoesNotAnswer) {
  std::atomic<int> ended_ranks{0};
  const auto ended = agree_on_ranks(
      2,
      [&](Team& team) {
        if (team.rank() == 1) core::tests::eventually([&] { return ended_ranks == 1; });
        return std::string("late");
      },
      0.2, [&] { ++ended_ranks; });
  EXPECT_TRUE(ended[0].lost);
  EXPECT_EQ(ended[0].what, "rank 1 (thread1) was silent for 0.2 s while gathering");
}

}  // namespace
}  // namespace assay::team
