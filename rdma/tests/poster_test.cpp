// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/poster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "rdma/tests/on_ranks.hpp"
#include "rdma/traffic/receiver.hpp"

namespace assay::rdma {
namespace {

using fake::FakeVerbs;
using testing::ElementsAre;
using tests::Asked;
using tests::TwoEnds;

struct PosterBench {
  explicit PosterBench(const Asked& asked) : ends(tests::settings(asked)), poster(*ends.first, lane(), 0) {}
  Lane& lane() { return ends.first->lanes().front(); }
  const Lane& far_lane() const { return ends.second->lanes().front(); }
  /// Messages that completions speak for.
  int complete() {
    int messages = 0;
    for (const ibv_wc& completion : ends.first->completions().poll()) {
      EXPECT_EQ(completion.status, IBV_WC_SUCCESS);
      const Tag tag = Tag::of(completion.wr_id);
      poster.completed(static_cast<int>(tag.messages));
      messages += static_cast<int>(tag.messages);
    }
    return messages;
  }

  TwoEnds ends;
  Poster poster;
};

std::vector<bool> signalled(const FakeVerbs& verbs) {
  std::vector<bool> flags;
  for (const auto& one : verbs.posted()) flags.push_back((one.request.send_flags & IBV_SEND_SIGNALED) != 0);
  return flags;
}

TEST(Tags, SayWhichLaneHowManyMessagesAndWhichWay) {
  const Tag tag = Tag::of(Tag{1234, 77, true}.id());
  EXPECT_EQ(tag.lane, 1234U);
  EXPECT_EQ(tag.messages, 77U);
  EXPECT_TRUE(tag.receive);
  EXPECT_FALSE(Tag::of(Tag{0, 1}.id()).receive);
}

TEST(Poster, SignalsOneMessageOfEachModeration) {
  const FakeVerbs verbs;
  PosterBench bench({.posting = {.tx_depth = 8, .post_list = 8, .cq_moderation = 3}});
  EXPECT_EQ(bench.poster.post(7), 7);
  EXPECT_THAT(signalled(verbs), ElementsAre(false, false, true, false, false, true, false));
  EXPECT_TRUE(bench.poster.batch_open());
  EXPECT_EQ(bench.poster.outstanding(), 7);
  EXPECT_EQ(bench.complete(), 6);
  bench.poster.close_batch();
  EXPECT_FALSE(bench.poster.batch_open());
  EXPECT_EQ(bench.complete(), 2);
  EXPECT_EQ(bench.poster.outstanding(), 0);
  EXPECT_EQ(bench.poster.posted(), 8);
}

TEST(Poster, NeverHoldsMoreThanItsDepthNorMoreThanAListInACall) {
  const FakeVerbs verbs;
  PosterBench bench({.posting = {.tx_depth = 5, .post_list = 3}});
  EXPECT_EQ(bench.poster.post(100), 3);
  EXPECT_EQ(bench.poster.post(100), 2);
  EXPECT_EQ(bench.poster.post(100), 0);
  EXPECT_EQ(bench.poster.module(), 0);
  EXPECT_EQ(verbs.calls("ibv_post_send"), 2);
  const auto posted = verbs.posted();
  ASSERT_EQ(posted.size(), 5U);
  EXPECT_EQ(posted[0].call, posted[2].call);
  EXPECT_NE(posted[2].call, posted[3].call);
  EXPECT_EQ(bench.complete(), 5);
  EXPECT_EQ(bench.poster.post(1), 1);
}

TEST(Poster, UsesItsSlotsInTurnAtBothEndsAndBeginsAnewWhenRestarted) {
  const FakeVerbs verbs;
  PosterBench bench({.bytes = 100, .posting = {.tx_depth = 8, .post_list = 1}, .slots = 3});
  for (int i = 0; i < 4; ++i) bench.poster.post(1);
  bench.poster.restart();
  EXPECT_EQ(bench.poster.posted(), 0);
  bench.poster.post(1);
  std::vector<std::uint64_t> near, far;
  const auto posted = verbs.posted();
  for (const auto& one : posted) {
    near.push_back(one.piece.addr - posted[0].piece.addr);
    far.push_back(one.request.wr.rdma.remote_addr - posted[0].request.wr.rdma.remote_addr);
  }
  EXPECT_THAT(near, ElementsAre(0, 128, 256, 0, 0));
  EXPECT_EQ(far, near);
}

TEST(Poster, PutsSmallMessagesIntoTheWorkRequest) {
  const auto inlined = [](const Asked& asked) {
    const FakeVerbs verbs;
    PosterBench bench(asked);
    bench.poster.post(1);
    return (verbs.posted().front().request.send_flags & IBV_SEND_INLINE) != 0;
  };
  const Posting posting{.tx_depth = 2, .inline_bytes = 64};
  EXPECT_TRUE(inlined({.bytes = 64, .posting = posting}));
  EXPECT_FALSE(inlined({.bytes = 65, .posting = posting}));
  EXPECT_FALSE(inlined({.operation = Operation::read, .bytes = 64, .posting = posting}));
  EXPECT_FALSE(inlined({.bytes = 64, .posting = {.tx_depth = 2}}));
}

TEST(Poster, CountsUpWithEachAtomic) {
  for (const Operation operation : {Operation::fetch_add, Operation::compare_swap}) {
    const FakeVerbs verbs;
    PosterBench bench(
        {.operation = operation, .bytes = 8, .posting = {.tx_depth = 8, .post_list = 4}, .slots = 1});
    bench.poster.post(4);
    bench.poster.post(1);
    std::uint64_t counter = 0;
    std::memcpy(&counter, bench.ends.second->memory().address() + bench.far_lane().offset, 8);
    EXPECT_EQ(counter, 5U) << to_string(operation);
  }
}

TEST(Poster, AddressesDatagramsToThePeersQueuePair) {
  const FakeVerbs verbs;
  PosterBench bench({.operation = Operation::send, .transport = Transport::ud});
  bench.poster.post(1);
  const ibv_send_wr request = verbs.posted().front().request;
  EXPECT_EQ(request.wr.ud.ah, bench.lane().address.get());
  EXPECT_EQ(request.wr.ud.remote_qpn, bench.far_lane().qp.number());
  EXPECT_EQ(request.wr.ud.remote_qkey, datagram_key);
}

TEST(Poster, ThatIsRefusedTellsTheErrno) {
  FakeVerbs verbs;
  PosterBench bench({});
  verbs.fail("ibv_post_send", 1, EINVAL);
  try {
    bench.poster.post(1);
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "post a work request: Invalid argument (errno 22)");
  }
}

TEST(Receiver, FillsItsQueueAndPostsAnewEightAtATime) {
  const FakeVerbs verbs;
  PosterBench bench({.operation = Operation::send, .posting = {.tx_depth = 16}});
  Receiver receiver(*bench.ends.second, bench.ends.second->lanes().front(), 0);
  EXPECT_EQ(verbs.calls("ibv_post_recv"), 8);  // 64 receives
  for (int i = 0; i < 9; ++i) bench.poster.post(1);
  EXPECT_EQ(bench.complete(), 9);
  const auto arrived = bench.ends.second->completions().poll();
  ASSERT_EQ(arrived.size(), 9U);
  for (const ibv_wc& completion : arrived) {
    EXPECT_TRUE(Tag::of(completion.wr_id).receive);
    receiver.completed();
  }
  EXPECT_EQ(receiver.received(), 9);
  EXPECT_EQ(verbs.calls("ibv_post_recv"), 9);
  receiver.restart();
  EXPECT_EQ(receiver.received(), 0);
}

TEST(Receiver, PostsNothingWhereItsQueueIsToBeEmpty) {
  const FakeVerbs verbs;
  const TwoEnds ends(tests::settings({.operation = Operation::send}), Fault::empty_receive_queue);
  const Receiver receiver(*ends.second, ends.second->lanes().front(), 0);
  EXPECT_EQ(verbs.calls("ibv_post_recv"), 0);
}

}  // namespace
}  // namespace assay::rdma
