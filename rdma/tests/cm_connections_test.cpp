// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Queue pairs that meet through a connection manager of this process.
#include "rdma/verbs/cm_connections.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <utility>

#include "harness/core/tests/message_of.hpp"
#include "rdma/tests/fake_rdma_cm.hpp"
#include "rdma/tests/on_ranks.hpp"
#include "rdma/traffic/stream.hpp"
#include "rdma/traffic/wiring/wiring.hpp"
#include "rdma/verbs/wake_up.hpp"

namespace assay::rdma {
namespace {

using fake::FakeVerbs;
using testing::HasSubstr;
using tests::flow;
using tests::on_ranks;

Settings through_cm(const tests::Asked& asked = {}) {
  Settings settings = tests::settings(asked);
  settings.connect = Connect::rdma_cm;
  return settings;
}

/// Sets what the connection manager does while it lives.
class Doing {
 public:
  explicit Doing(const fake::ConnectionManager& now)
      : before_(std::exchange(fake::connection_manager(), now)) {}
  ~Doing() { fake::connection_manager() = before_; }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

 private:
  fake::ConnectionManager before_;
};

/// A caller whose other end is another device of this process, and what it says of the failure.
std::string refusal_of_one_end(double limit_s = 5) {
  const Device device("mlx5_0");
  const ProtectionDomainHandle domain(ibv_alloc_pd(device.context()));
  const CompletionQueue completions(device, 8, Completion::polling);
  QueuePair queue_pair(device, domain.get(), completions, completions, Transport::rc, {});
  queue_pair.initialize(device);
  const Gid own = device.gid(-1);
  CmConnections connections(device, own);
  return core::tests::message_of([&] {
    connections.connect({{.name = 7,
                          .queue_pair = &queue_pair,
                          .calls = true,
                          .peer = {.number = 5, .gid = fake::gid_of("10.0.0.2"), .mtu_bytes = 4096},
                          .peer_port = connections.port()}},
                        {}, limit_s);
  });
}

/// Wires rank 0 with rank 1 and returns what rank 0 threw.
tests::Ended wired(const Settings& settings) {
  return on_ranks(2, [&](team::Team& team) { const Wiring wiring(team, settings, {flow(0, 1, settings)}); })
      .front();
}

TEST(CmConnections, BringsBothEndsToReadyWithEachOther) {
  const FakeVerbs verbs;
  {
    const Settings settings = through_cm({.posting = {.qps = 3, .tx_depth = 8}});
    const auto ended = on_ranks(2, [&](team::Team& team) {
      const Wiring wiring(team, settings, {flow(0, 1, settings), flow(1, 0, settings)});
      ASSERT_EQ(wiring.lanes().size(), 6U);
      for (const Lane& lane : wiring.lanes()) EXPECT_EQ(lane.qp.get()->state, IBV_QPS_RTS);
      team.barrier(10);
    });
    for (const tests::Ended& rank : ended) EXPECT_EQ(rank.what, "");
  }
  EXPECT_EQ(verbs.left_over(), "");
  std::size_t answered = 0;
  for (const fake::Transition& one : verbs.transitions()) {
    if (one.attributes.qp_state == IBV_QPS_RTR) answered += one.attributes.dest_qp_num != 0 ? 1 : 0;
    if (one.attributes.qp_state != IBV_QPS_RTS) continue;
    EXPECT_EQ(int{one.attributes.retry_cnt}, RetrySettings{}.count);
    EXPECT_EQ(int{one.attributes.timeout}, RetrySettings{}.timeout);
  }
  EXPECT_EQ(answered, 12U);
}

TEST(CmConnections, CarryMessages) {
  const FakeVerbs verbs;
  const Settings settings = through_cm({.operation = Operation::send, .bytes = 100});
  std::int64_t arrived = 0;
  tests::all_well_on_ranks(2, [&](team::Team& team) {
    Wiring wiring(team, settings, {flow(0, 1, settings)});
    Stream stream(wiring);
    stream.run({0}, 20);
    if (team.rank() == 1) arrived = stream.received(0);
  });
  EXPECT_GE(arrived, 20);
}

TEST(CmConnections, SayWhoRejectedThem) {
  const FakeVerbs verbs;
  const Doing rejecting({.rejects = true});
  EXPECT_THAT(refusal_of_one_end(),
              HasSubstr("rdma_cm from 10.0.0.1 to 10.0.0.2: RDMA_CM_EVENT_REJECTED (status 0)"));
}

/// Its own listener has no end of that name that answers.
TEST(CmConnections, RejectACallThatNamesNoQueuePair) {
  const FakeVerbs verbs;
  EXPECT_THAT(refusal_of_one_end(), HasSubstr("RDMA_CM_EVENT_REJECTED"));
}

TEST(CmConnections, AreNotAwaitedForEver) {
  const FakeVerbs verbs;
  const Doing silent({.loses_answers = true});
  EXPECT_THAT(refusal_of_one_end(0.05),
              HasSubstr("1 of 1 queue pairs were not connected by rdma_cm within 0.05 s"));
}

TEST(CmConnections, AreAwaitedThroughSignals) {
  const FakeVerbs verbs;
  const Doing silent({.loses_answers = true});
  const WakeUp signals(0.002);
  EXPECT_THAT(refusal_of_one_end(0.05), HasSubstr("were not connected by rdma_cm within 0.05 s"));
}

TEST(CmConnections, RefuseARouteThroughAnotherDevice) {
  const FakeVerbs verbs({fake::DeviceSpec{}, fake::DeviceSpec{.name = "mlx5_1"}});
  const Doing elsewhere({.through = 1});
  EXPECT_THAT(refusal_of_one_end(), HasSubstr("rdma_cm reaches 10.0.0.2 through mlx5_1, not through mlx5_0"));
}

TEST(CmConnections, AreUnsupportedWhereThereIsNoConnectionManager) {
  const FakeVerbs verbs;
  const Doing absent({.refuses_to_open = ENODEV});
  const tests::Ended ended = wired(through_cm());
  EXPECT_TRUE(ended.unsupported);
  EXPECT_THAT(ended.what,
              HasSubstr("open the connection manager: No such device (is the kernel module rdma_ucm "
                        "loaded?)"));
}

TEST(CmConnections, AreUnsupportedFromAnAddressThatIsNoIPv4) {
  const FakeVerbs verbs;
  Settings settings = through_cm();
  settings.path.gid_index = 0;
  const tests::Ended ended = wired(settings);
  EXPECT_TRUE(ended.unsupported);
  EXPECT_THAT(ended.what,
              HasSubstr("rdma_cm: fe80::1 is not an IPv4 address; gid_index chooses another GID"));
}

}  // namespace
}  // namespace assay::rdma
