// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The beginning and end of a flow's time; completions come when the test says so.
#include "rdma/traffic/sender.hpp"

#include <gtest/gtest.h>

#include "rdma/tests/on_ranks.hpp"

namespace assay::rdma {
namespace {

using fake::FakeVerbs;
using tests::TwoEnds;

constexpr double step_s = 0.02;
double now_s = 0;
void pass_time(double seconds = step_s) { now_s += seconds; }

/// Lets `count` completions through to the sender.
void let_complete(FakeVerbs& verbs, TwoEnds& ends, Sender& sender, int count) {
  verbs.let_complete(count);
  for (const ibv_wc& completion : ends.first->completions().poll()) {
    const Tag tag = Tag::of(completion.wr_id);
    sender.completed(tag.lane, static_cast<int>(tag.messages));
  }
}

Sender sender_of(TwoEnds& ends, bool probe = false) {
  Sender sender(0, probe, [] { return now_s; });
  for (std::size_t i = 0; i < ends.first->lanes().size(); ++i)
    sender.posters().emplace_back(*ends.first, ends.first->lanes()[i], i);
  return sender;
}

TEST(Sender, TimesItsSteadyStateFromTheFirstRefillOn) {
  FakeVerbs verbs;
  TwoEnds ends(tests::settings({.posting = {.tx_depth = 4}}));
  Sender sender = sender_of(ends);
  verbs.hold_completions(true);
  sender.begin(2);
  sender.post();
  pass_time(5 * step_s);  // filling the pipeline: not counted
  let_complete(verbs, ends, sender, 1);
  sender.post();
  EXPECT_FALSE(sender.timed());
  pass_time();
  let_complete(verbs, ends, sender, 1);
  sender.post();
  EXPECT_FALSE(sender.timed());
  pass_time();
  let_complete(verbs, ends, sender, 1);
  EXPECT_FALSE(sender.timed());
  sender.post();  // posting as many as completed is part of the time
  EXPECT_TRUE(sender.timed());
  EXPECT_NEAR(sender.seconds(), 2 * step_s, 1e-9);
  EXPECT_EQ(sender.total_messages(), 2);
  EXPECT_EQ(sender.total_seconds(), sender.seconds());
  EXPECT_EQ(sender.posted()[0], 7);
}

TEST(Sender, OfOneMessageTimesItFromItsPosting) {
  FakeVerbs verbs;
  TwoEnds ends(tests::settings());
  Sender sender = sender_of(ends);
  verbs.hold_completions(true);
  sender.begin(1);
  sender.post();
  EXPECT_EQ(verbs.posted().size(), 1U);
  pass_time();
  let_complete(verbs, ends, sender, 1);
  EXPECT_TRUE(sender.timed());
  EXPECT_NEAR(sender.seconds(), step_s, 1e-9);
}

TEST(Sender, ChargesNoMoreThanItsMessagesWhereACompletionSpeaksForMany) {
  FakeVerbs verbs;
  TwoEnds ends(tests::settings({.posting = {.tx_depth = 16, .post_list = 4, .cq_moderation = 4}}));
  Sender sender = sender_of(ends);
  verbs.hold_completions(true);
  sender.begin(6);
  sender.post();
  let_complete(verbs, ends, sender, 1);  // 4 messages: the time begins
  sender.post();
  let_complete(verbs, ends, sender, 1);  // 4 of 6
  sender.post();
  EXPECT_FALSE(sender.timed());
  pass_time();
  let_complete(verbs, ends, sender, 1);  // 8 for the 6 that were asked for
  sender.post();
  EXPECT_TRUE(sender.timed());
  EXPECT_EQ(sender.total_messages(), 6);
  EXPECT_EQ(sender.posted()[0], 16 + 3 * 4);
  EXPECT_NEAR(sender.seconds(), step_s * 6 / 8, 1e-9);
}

TEST(Sender, SpreadsMessagesOverItsQueuePairsInTurn) {
  FakeVerbs verbs;
  TwoEnds ends(tests::settings({.posting = {.qps = 3, .tx_depth = 4}}));
  Sender sender = sender_of(ends);
  verbs.hold_completions(true);
  sender.begin(5);
  sender.post();
  EXPECT_EQ(sender.posted(), (std::vector<std::int64_t>{4, 4, 4}));
  EXPECT_EQ(sender.what_is_out(), "12 messages are out on 3 queue pair(s)");
  EXPECT_TRUE(sender.draining());
  let_complete(verbs, ends, sender, 12);
  EXPECT_FALSE(sender.draining());
  sender.restart();
  EXPECT_EQ(sender.posted(), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(sender.total_messages(), 0);
}

TEST(Sender, KeepsNoMoreInFlightThanARunNeedsWhereMessagesAreLarge) {
  FakeVerbs verbs;
  TwoEnds ends(tests::settings({.bytes = 4 << 20, .posting = {.qps = 3, .tx_depth = 4}}));
  Sender sender = sender_of(ends);
  verbs.hold_completions(true);
  sender.begin(5);
  sender.post();
  EXPECT_EQ(sender.posted(), (std::vector<std::int64_t>{2, 2, 2}));
}

TEST(Sender, ThatIsPacedChargesAStallToEveryMessageItDelays) {
  FakeVerbs verbs;
  TwoEnds ends(tests::settings({.posting = {.tx_depth = 2}}));
  Sender sender = sender_of(ends);
  verbs.hold_completions(true);
  constexpr double interval_s = 0.005;
  sender.pace(interval_s);
  sender.begin(6);
  sender.post();
  pass_time(8 * interval_s);  // all six are due, two are out: the wire stalls
  sender.post();
  EXPECT_EQ(verbs.posted().size(), 2U);
  while (!sender.timed()) {
    let_complete(verbs, ends, sender, 2);
    sender.post();
  }
  const std::vector<double>& each = sender.each_s();
  ASSERT_EQ(each.size(), 6U);
  EXPECT_NEAR(each[0], 8 * interval_s, 1e-9);
  EXPECT_NEAR(each[5], 3 * interval_s, 1e-9);  // due at 5 intervals, though it was posted after the stall
  for (std::size_t i = 1; i < each.size(); ++i) EXPECT_LT(each[i], each[i - 1]);
  EXPECT_EQ(sender.total_messages(), 6);
}

TEST(Sender, ThatIsPacedPostsNothingBeforeItIsDue) {
  FakeVerbs verbs;
  TwoEnds ends(tests::settings({.posting = {.tx_depth = 8}}));
  Sender sender = sender_of(ends);
  sender.pace(3600);
  sender.begin(3);
  sender.post();
  sender.post();
  EXPECT_EQ(verbs.posted().size(), 1U);
}

TEST(Sender, ThatProbesSendsOneAtATimeAndTimesEach) {
  FakeVerbs verbs;
  TwoEnds ends(tests::settings({.posting = {.tx_depth = 1}}));
  Sender sender = sender_of(ends, true);
  verbs.hold_completions(true);
  sender.begin(100);
  sender.post();
  sender.post();
  EXPECT_EQ(verbs.posted().size(), 1U);
  EXPECT_FALSE(sender.timed());
  pass_time();
  let_complete(verbs, ends, sender, 1);
  EXPECT_TRUE(sender.timed());  // one message is enough, whatever the run's length
  sender.post();
  let_complete(verbs, ends, sender, 1);
  ASSERT_EQ(sender.each_s().size(), 2U);
  EXPECT_NEAR(sender.each_s()[0], step_s, 1e-9);
  EXPECT_FALSE(sender.draining());
}

}  // namespace
}  // namespace assay::rdma
