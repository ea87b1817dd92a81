// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Posts, and the watch that asks them, over loopback.
#include "collectives/watch/hang_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <vector>

#include "collectives/watch/ask_posts.hpp"
#include "collectives/watch/watched_trial.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/tests/eventually.hpp"
#include "harness/team/team.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::collectives {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

constexpr double ask_limit_s = 0.5;

/// A place where the system takes connections and nobody reads: a process that is stopped.
struct StoppedPlace {
  core::Descriptor listening = team::listen_at("127.0.0.1", 0);
  PostPlace place{"127.0.0.1", team::port_of(listening), "word"};
};

PostPlace nobodys_place() {
  StoppedPlace gone;
  return gone.place;  // closed again
}

TEST(WatchPost, TellsWhatItsRankDid) {
  WatchPost post(5);
  const PostPlace place = post.begin_point();
  post.ring().begins(Operation::gather, 16, 1);
  const auto answers = ask_posts({place}, "look", ask_limit_s);
  EXPECT_EQ(answers.at(0).silent, "");
  const RankReport report = rank_report_from(answers.at(0).text);
  EXPECT_EQ(report.rank, 5);
  EXPECT_EQ(report.latest.at(0).operation, Operation::gather);
}

TEST(WatchPost, GivesUpOnlyForThisPoint) {
  WatchPost post(0);
  const PostPlace before = post.begin_point();
  const PostPlace place = post.begin_point();
  ask_posts({before}, "give_up", ask_limit_s);
  EXPECT_FALSE(post.given_up());
  ask_posts({place}, "give_up", ask_limit_s);
  EXPECT_TRUE(post.given_up());
  post.begin_point();
  EXPECT_FALSE(post.given_up());
}

TEST(WatchPost, DoesNotAnswerStrangers) {
  WatchPost post(0);
  PostPlace place = post.begin_point();
  place.word = "0000000000000000";
  EXPECT_NE(ask_posts({place}, "look", ask_limit_s).at(0).silent, "");
  EXPECT_EQ(ask_posts({place}, "give_up", ask_limit_s).at(0).text, "");
  EXPECT_FALSE(post.given_up());
}

TEST(WatchPost, AnswersOnlyWhoHoldsTheTeamsSecret) {
  WatchPost post(0, "127.0.0.1");
  PostPlace place = post.begin_point("the secret of this team");
  EXPECT_EQ(ask_posts({place}, "look", ask_limit_s).at(0).silent, "");
  place = post_place_from(to_text(place));  // as one who reads along would know it
  EXPECT_NE(ask_posts({place}, "give_up", ask_limit_s).at(0).silent, "");
  EXPECT_FALSE(post.given_up());
}

TEST(WatchPost, AnswersWhileStrangersHoldConnectionsOpen) {
  WatchPost post(0, "127.0.0.1");
  const PostPlace place = post.begin_point();
  std::vector<core::Descriptor> silent;
  for (int i = 0; i < 10; ++i) silent.push_back(team::connect_to({"127.0.0.1", place.port}, "", 5, ""));
  EXPECT_EQ(ask_posts({place}, "look", ask_limit_s).at(0).silent, "");
}

TEST(PostPlace, TravelsAsText) {
  const PostPlace place = post_place_from(to_text(PostPlace{"h1", 4711, "word"}));
  EXPECT_EQ(place.host, "h1");
  EXPECT_EQ(place.port, 4711);
  EXPECT_EQ(place.word, "word");
  EXPECT_THROW(post_place_from("h1"), core::Error);
}

TEST(AskPosts, TellAProcessThatEndedFromOneThatIsStopped) {
  const StoppedPlace stopped;
  const auto began = std::chrono::steady_clock::now();
  const auto answers = ask_posts({nobodys_place(), stopped.place, stopped.place}, "look", ask_limit_s);
  EXPECT_EQ(answers[0].silent, "does not answer: its process has ended");
  EXPECT_EQ(answers[1].silent, "does not answer: its process is stopped, or its host hangs");
  EXPECT_LT(std::chrono::steady_clock::now() - began, 2 * 500ms);  // the limit once, not for each
}

TEST(AskPosts, OfAHostWithoutAnAddressSayWhy) {
  EXPECT_THAT(ask_posts({{"no-such-host.invalid", 1, "word"}}, "look", ask_limit_s).at(0).silent,
              HasSubstr("cannot be asked: "));
}

TEST(HangWatch, DiagnosesACallThatExceedsItsLimitAndHasItGivenUp) {
  WatchPost post(0);
  const StoppedPlace stopped;
  HangWatch watch({.ask_limit_s = ask_limit_s});
  watch.set_places({post.begin_point(), stopped.place});
  watch.begins(0.1);
  EXPECT_TRUE(core::tests::eventually([&] { return post.given_up() == true; }));
  watch.ends();
  ASSERT_TRUE(watch.diagnosis().has_value());
  EXPECT_THAT(watch.diagnosis()->late, ElementsAre(1));
}

TEST(HangWatch, LetsACallAloneThatKeepsItsLimit) {
  HangWatch watch;
  watch.begins(30);
  watch.ends();
  EXPECT_FALSE(watch.diagnosis().has_value());
}

TEST(HangWatch, SaysSoWhereRank0DoesNotComeBack) {
  std::promise<std::string> told;
  const StoppedPlace stopped;
  HangWatch watch({.ask_limit_s = 0.1, .leave_limit_s = 0.1, .stuck = [&](const std::string& diagnosis) {
                     told.set_value(diagnosis);
                   }});
  watch.set_places({stopped.place});
  watch.begins(0.05);
  EXPECT_THAT(told.get_future().get(), HasSubstr("late: rank 0 (127.0.0.1) does not answer"));
}

TEST(AdaptiveLimit, IsTenTimesTheSlowestSoFarAndNeverShort) {
  AdaptiveLimit limit(15);
  EXPECT_EQ(limit.of(1), 15);
  limit.took(1, 0.001);
  EXPECT_EQ(limit.of(1), 5);
  limit.took(10, 2);
  EXPECT_EQ(limit.of(10), 20);
  limit.took(10, 1);
  EXPECT_EQ(limit.of(10), 20);
}

/// One iteration does what the test says.
core::Case led_by(const std::function<void()>& run) {
  class Scripted final : public core::Trial {
   public:
    explicit Scripted(std::function<void()> run) : run_(std::move(run)) {}
    core::Timing do_run(std::int64_t) override {
      run_();
      return {.seconds = 1};
    }
    core::Verification do_verify() override { return {}; }

   private:
    std::function<void()> run_;
  };
  core::Case made;
  made.prepare = [run](const core::Point&) { return std::make_unique<Scripted>(run); };
  return made;
}

class Watched : public testing::Test {
 protected:
  void run(const std::function<void()>& body) {
    core::Case led = led_by(body);
    led.prepare = [this, prepare = led.prepare](const core::Point& point) {
      watch_.set_places({stopped_.place});  // as every point tells of its own
      return prepare(point);
    };
    watched({led}, watch_, options_).front().prepare({})->run(1);
  }

  void await_diagnosis() {
    EXPECT_TRUE(core::tests::eventually([this] { return watch_.diagnosis().has_value(); }));
  }

  StoppedPlace stopped_;
  HangWatch watch_{{.ask_limit_s = 0.1}};
  WatchOptions options_{.first_limit_s = 0.1};
};

TEST_F(Watched, TimesOutNamingWhoIsLate) {
  try {
    run([this] {
      await_diagnosis();
      throw core::Error(core::ErrorKind::team, "given up");
    });
    FAIL();
  } catch (const core::TimedOut& error) {
    EXPECT_THAT(error.what(), HasSubstr("no end within 100 ms: late: rank 0 (127.0.0.1) does not answer"));
    EXPECT_FALSE(error.poisons_process());
  }
}

TEST_F(Watched, TimesOutTooWhereItEndsAfterAll) {
  EXPECT_THROW(run([this] { await_diagnosis(); }), core::TimedOut);
}

TEST_F(Watched, TellsWhatOthersDidWhenItFailsByItself) {
  try {
    run([] { throw team::PeerLost(2, "rank 2 is gone"); });
    FAIL();
  } catch (const core::TimedOut&) {
    FAIL() << "it kept its limit";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("rank 2 is gone; late: rank 0 (127.0.0.1) does not answer"));
    EXPECT_FALSE(error.poisons_process());
  }
}

TEST_F(Watched, TellsNothingOfThePostsOfThePointBefore) {
  watch_.set_places({stopped_.place});
  core::Case led = led_by([] {});
  led.prepare = [](const core::Point&) -> std::unique_ptr<core::Trial> {
    throw team::PeerLost(2, "rank 2 is gone");
  };
  try {
    watched({led}, watch_, options_).front().prepare({});
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "rank 2 is gone");
  }
}

TEST_F(Watched, EndsTheModuleWhereALostRankCannotComeBack) {
  options_.loss_is_final = true;
  try {
    run([] { throw team::PeerLost(2, "rank 2 is gone"); });
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_TRUE(error.poisons_process());
  }
}

TEST_F(Watched, LeavesWhatCannotRunHereAsItIs) {
  EXPECT_THROW(run([] { throw core::Unsupported(core::ErrorKind::team, "not here"); }), core::Unsupported);
}

}  // namespace
}  // namespace assay::collectives
