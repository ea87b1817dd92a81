// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/lockstep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <thread>

#include "harness/core/measure/measure.hpp"
#include "harness/core/tests/eventually.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::team {
namespace {

using core::Error;
using core::ErrorKind;
using core::tests::message_of;
using Result = core::Verification::Result;

/// The behaviour of a rank's trial, call by call.
struct Script {
  std::function<void(int rank)> prepare = [](int) {};
  std::function<core::Timing(int rank, std::int64_t iterations)> run = [](int, std::int64_t) {
    return core::Timing{};
  };
  std::function<core::Verification(int rank)> verify = [](int) { return core::Verification{}; };
  std::function<std::optional<std::string>(const core::Point&)> unsupported = [](const core::Point&) {
    return std::nullopt;
  };
};

core::Case declared(const std::string& name) {
  core::Case made;
  made.name = name;
  return made;
}

std::atomic<int> trials_alive = 0;

class Scripted final : public core::Trial {
 public:
  Scripted(const Script& script, int rank) : script_(script), rank_(rank) {
    script_.prepare(rank);
    ++trials_alive;
  }
  ~Scripted() override { --trials_alive; }
  core::Timing do_run(std::int64_t iterations) override { return script_.run(rank_, iterations); }
  core::Verification do_verify() override { return script_.verify(rank_); }
  void do_sampling_begins() override { samplings_ += 1; }
  void do_sampling_ends() override { samplings_ += 10; }
  std::vector<core::Metric> do_metrics(const core::Measurement&) override {
    return {{"rank", "", static_cast<double>(rank_)}};
  }
  std::vector<core::Fact> do_facts() override {
    return {{"device", "mlx5_" + std::to_string(rank_)}, {"samplings", samplings_}};
  }
  std::vector<core::LinkReport> do_links() override {
    return {{.link_class = core::LinkClass::clean, .watched = 40 + rank_}};
  }
  std::vector<core::FlowReport> do_flows() override { return {{.from = rank_, .to = 10 + rank_}}; }

 private:
  const Script& script_;
  int rank_;
  std::int64_t samplings_ = 0;
};

/// Rank 0 in the test's thread; the others follow in threads of their own, anew for every team that is
/// formed.
class Lockstep : public testing::Test {
 protected:
  ~Lockstep() override {
    dismiss(keeper);
    for (std::thread& thread : threads) thread.join();
  }

  std::unique_ptr<Team> form() {
    ++formed;
    auto teams = make_thread_teams(3);
    for (std::size_t rank = 1; rank < teams.size(); ++rank)
      threads.emplace_back([this, team = std::move(teams[rank])] {
        try {
          follow(*team, cases_of);
        } catch (const Error&) {
          ++broken_off;
        }
      });
    return std::move(teams.front());
  }

  std::unique_ptr<core::Trial> prepare(const std::string& name = "scripted") {
    led = lead(keeper, cases_of, {declared(name)});
    return led.front().prepare({{"bytes", std::int64_t{64}}});
  }

  Script script;
  CasesOf cases_of = [this](Team& team) {
    core::Case scripted = declared("scripted");
    scripted.unsupported = [this](const core::Point& point) { return script.unsupported(point); };
    scripted.prepare = [this, rank = team.rank()](const core::Point&) {
      return std::make_unique<Scripted>(script, rank);
    };
    return std::vector{scripted};
  };
  std::vector<std::thread> threads;
  std::atomic<int> formed = 0, broken_off = 0;
  TeamKeeper keeper{[this] { return form(); }};
  std::vector<core::Case> led;
};

TEST_F(Lockstep, FormsNoTeamUntilAPointIsPrepared) {
  led = lead(keeper, cases_of, {declared("scripted")});
  EXPECT_EQ(formed, 0);
  EXPECT_FALSE(keeper.standing());
  const auto trial = prepare();
  EXPECT_EQ(formed, 1);
  EXPECT_EQ(trials_alive, 3);
}

TEST_F(Lockstep, TakesTheSlowestRanksTime) {
  script.run = [](int rank, std::int64_t iterations) {
    return core::Timing{.seconds = rank == 1 ? 3.0 : 1.0 * static_cast<double>(iterations),
                        .each_s = rank == 0   ? std::vector{1.0, 5.0}
                                  : rank == 1 ? std::vector{2.0, 4.0, 6.0}
                                              : std::vector<double>{}};
  };
  const core::Timing timing = prepare()->run(2);
  EXPECT_EQ(timing.seconds, 3);
  EXPECT_EQ(timing.each_s, (std::vector{2.0, 5.0, 6.0}));
}

TEST_F(Lockstep, NeverForgetsATimeThatIsNoNumber) {
  script.run = [](int rank, std::int64_t) { return core::Timing{.seconds = rank == 1 ? std::nan("") : 1.0}; };
  EXPECT_TRUE(std::isnan(prepare()->run(1).seconds));
}

TEST_F(Lockstep, IsWrongWhereAnyRankIs) {
  script.verify = [](int rank) {
    return rank == 2 ? core::Verification{Result::wrong, "byte 7"} : core::Verification{Result::right, "all"};
  };
  const core::Verification found = prepare()->verify();
  EXPECT_EQ(found.result, Result::wrong);
  EXPECT_EQ(found.why, "rank 2 (thread2): byte 7");
}

TEST_F(Lockstep, IsRightWhereOneRankCheckedAndUncheckedWhereNone) {
  const auto trial = prepare();
  EXPECT_EQ(trial->verify().result, Result::not_checked);
  script.verify = [](int rank) {
    return rank == 1 ? core::Verification{Result::right, "all"} : core::Verification{};
  };
  EXPECT_EQ(trial->verify().result, Result::right);
}

TEST_F(Lockstep, ReportsRankZerosMetricsAndEveryRanksFacts) {
  const auto trial = prepare();
  trial->sampling_begins();
  trial->sampling_ends();
  const auto metrics = trial->metrics({});
  ASSERT_EQ(metrics.size(), 1U);
  EXPECT_EQ(metrics[0].value, 0);
  const auto facts_of = [](const char* device) {
    return std::vector<core::Fact>{{"device", device}, {"samplings", std::int64_t{11}}};
  };
  EXPECT_EQ(trial->facts(), facts_of("mlx5_0"));
  const core::Report report = trial->report({});
  EXPECT_EQ(report.facts, facts_of("mlx5_0"));
  ASSERT_EQ(report.ranks.size(), 2U);
  EXPECT_EQ(report.ranks[0].rank, 1);
  EXPECT_EQ(report.ranks[0].facts, facts_of("mlx5_1"));
  EXPECT_EQ(report.ranks[1].rank, 2);
  EXPECT_EQ(report.ranks[1].facts, facts_of("mlx5_2"));
}

TEST_F(Lockstep, ReportsEveryRanksLinksAndRankZerosFlows) {
  const core::Report report = prepare()->report({});
  ASSERT_EQ(report.links.size(), 3U);
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(report.links[static_cast<std::size_t>(rank)].rank, rank);
    EXPECT_EQ(report.links[static_cast<std::size_t>(rank)].watched, 40 + rank);
  }
  ASSERT_EQ(report.flows.size(), 1U);
  EXPECT_EQ(report.flows[0].to, 10);
}

TEST_F(Lockstep, FailsEverywhereWhereOneRankFailsAndTheNextPointRuns) {
  script.prepare = [](int rank) {
    if (rank == 1) throw Error(ErrorKind::verbs, "no memory", 12);
  };
  EXPECT_EQ(message_of([&] { prepare(); }), "rank 1 (thread1): no memory");
  EXPECT_TRUE(core::tests::eventually([&] { return trials_alive == 0; })) << "followers let go after rank 0";
  script.prepare = [](int) {};
  EXPECT_EQ(prepare()->verify().result, Result::not_checked);
  EXPECT_EQ(formed, 1);
}

TEST_F(Lockstep, FailsEverywhereInARunAndTheNextPointRuns) {
  script.run = [](int rank, std::int64_t) -> core::Timing {
    if (rank == 2) throw std::out_of_range("not an error of ours");
    return {};
  };
  EXPECT_EQ(message_of([&] { prepare()->run(1); }), "rank 2 (thread2): not an error of ours");
  script.run = [](int, std::int64_t) { return core::Timing{.seconds = 1}; };
  EXPECT_EQ(prepare()->run(1).seconds, 1);
  EXPECT_EQ(formed, 1);
}

TEST_F(Lockstep, IsUnsupportedWhereARankSaysSo) {
  script.unsupported = [](const core::Point&) { return std::optional<std::string>("no such device"); };
  EXPECT_THROW(prepare(), core::Unsupported);
  EXPECT_EQ(formed, 1);
}

TEST_F(Lockstep, OfACaseThatRanksDoNotHaveFails) {
  EXPECT_THAT(message_of([&] { prepare("unknown"); }),
              testing::HasSubstr("this rank has no case named unknown"));
  EXPECT_EQ(prepare()->verify().result, Result::not_checked);
}

TEST_F(Lockstep, DisbandsATeamThatLostARankAndTheNextPointFormsANewOne) {
  // Followers of the first team may still be on their way out while the second one runs.
  const auto leaves = std::make_shared<std::atomic<bool>>(true);
  script.run = [leaves](int rank, std::int64_t) -> core::Timing {
    if (rank == 1 && *leaves) throw PeerLost(0, "this rank goes away");
    return {.seconds = *leaves ? 1.0 : 2.0};
  };
  EXPECT_THROW(prepare()->run(1), PeerLost);
  EXPECT_FALSE(keeper.standing());
  EXPECT_LE(trials_alive.load(), 2);
  *leaves = false;
  EXPECT_EQ(prepare()->run(1).seconds, 2);
  EXPECT_EQ(formed, 2);
}

TEST_F(Lockstep, OfRanksThatALauncherStartedEndsTheProcessWhenOneIsLost) {
  script.run = [](int rank, std::int64_t) -> core::Timing {
    if (rank == 1) throw PeerLost(0, "this rank goes away");
    return {.seconds = 1};
  };
  const auto poisoned = [&] {
    try {
      prepare()->run(1);
    } catch (const PeerLost& lost) {
      return lost.poisons_process();
    }
    return false;
  };
  EXPECT_FALSE(poisoned());
  const std::array<const char*, 8> launched{"RANK",        "0",         "WORLD_SIZE",  "3",
                                            "MASTER_ADDR", "127.0.0.1", "MASTER_PORT", "1"};
  for (std::size_t i = 0; i < launched.size(); i += 2) setenv(launched[i], launched[i + 1], 1);
  EXPECT_TRUE(poisoned());
  for (std::size_t i = 0; i < launched.size(); i += 2) unsetenv(launched[i]);
}

TEST_F(Lockstep, ThatCannotFormATeamSaysWhyAndTriesAgain) {
  int tries = 0;
  TeamKeeper hopeless([&]() -> std::unique_ptr<Team> {
    ++tries;
    throw Error(ErrorKind::team, "h1 does not answer");
  });
  led = lead(hopeless, cases_of, {declared("scripted")});
  for (int i = 0; i < 2; ++i) EXPECT_EQ(message_of([&] { led.front().prepare({}); }), "h1 does not answer");
  EXPECT_EQ(tries, 2);
  dismiss(hopeless);  // where no team stands: nothing
}

TEST_F(Lockstep, ReleasesEveryRanksTrialAtTheEndOfAPoint) {
  prepare().reset();
  prepare()->verify();  // the followers have seen the release before
  dismiss(keeper);
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(trials_alive, 0);
  EXPECT_EQ(broken_off, 0);
}

}  // namespace
}  // namespace assay::team
