// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Attributes of each transition against table 91 of the InfiniBand Architecture Specification 1.4.
#include "rdma/verbs/queue_pair.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "harness/core/tests/message_of.hpp"
#include "rdma/tests/fake_verbs.hpp"
#include "rdma/verbs/check.hpp"

namespace assay::rdma {
namespace {

using core::tests::message_of;
using fake::FakeVerbs;
using fake::gid_of;

/// A device with what a queue pair needs.
struct QueuePairBench {
  explicit QueuePairBench(Completion completion = Completion::polling)
      : device("auto"), domain(ibv_alloc_pd(device.context())), completions(device, 64, completion) {}
  QueuePair make(Transport transport, const QueueDepths& depths = {}) {
    return {device, domain.get(), completions, completions, transport, depths};
  }

  Device device;
  ProtectionDomainHandle domain;
  CompletionQueue completions;
};

QueuePairAddress peer() {
  return {.number = 0x99, .first_packet = 0xabc, .lid = 5, .gid = gid_of("10.0.0.2"), .mtu_bytes = 2048};
}

std::vector<fake::Transition> connected(const FakeVerbs& verbs, Transport transport,
                                        const PathSettings& path = {}) {
  QueuePairBench bench;
  QueuePair qp = bench.make(transport);
  qp.initialize(bench.device);
  qp.connect(bench.device, bench.device.gid(-1), 0xdef, peer(), path, {});
  return verbs.transitions();
}

TEST(QueuePairStates, OfRcTakeWhatTheSpecificationDemands) {
  const FakeVerbs verbs;
  const auto steps = connected(verbs, Transport::rc);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].mask, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  EXPECT_EQ(steps[0].attributes.qp_state, IBV_QPS_INIT);
  EXPECT_EQ(steps[0].attributes.port_num, 1);
  EXPECT_EQ(steps[0].attributes.qp_access_flags, 15U);  // local and remote write, remote read, remote atomic
  EXPECT_EQ(steps[1].mask, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                               IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  EXPECT_EQ(steps[1].attributes.qp_state, IBV_QPS_RTR);
  EXPECT_EQ(steps[1].attributes.path_mtu, IBV_MTU_2048);  // the peer's, the smaller
  EXPECT_EQ(steps[1].attributes.dest_qp_num, 0x99U);
  EXPECT_EQ(steps[1].attributes.rq_psn, 0xabcU);
  EXPECT_EQ(steps[1].attributes.max_dest_rd_atomic, 16);
  EXPECT_EQ(steps[1].attributes.min_rnr_timer, 12);
  EXPECT_EQ(steps[2].mask, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                               IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
  EXPECT_EQ(steps[2].attributes.qp_state, IBV_QPS_RTS);
  EXPECT_EQ(steps[2].attributes.sq_psn, 0xdefU);
  EXPECT_EQ(steps[2].attributes.timeout, 14);
  EXPECT_EQ(steps[2].attributes.retry_cnt, 6);
  EXPECT_EQ(steps[2].attributes.rnr_retry, 6);
  EXPECT_EQ(steps[2].attributes.max_rd_atomic, 16);
}

TEST(QueuePairStates, OfUcHaveNoRetriesAndNoReads) {
  const FakeVerbs verbs;
  const auto steps = connected(verbs, Transport::uc);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].attributes.qp_access_flags, 3U);  // local and remote write
  EXPECT_EQ(steps[1].mask, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN);
  EXPECT_EQ(steps[2].mask, IBV_QP_STATE | IBV_QP_SQ_PSN);
}

TEST(QueuePairStates, OfUdTakeAKeyAndNoPeer) {
  const FakeVerbs verbs;
  const auto steps = connected(verbs, Transport::ud);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].mask, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
  EXPECT_EQ(steps[0].attributes.qkey, 0x61737361U);
  EXPECT_EQ(steps[1].mask, IBV_QP_STATE);
  EXPECT_EQ(steps[2].mask, IBV_QP_STATE | IBV_QP_SQ_PSN);
}

TEST(QueuePairStates, FewerReadsThanTheDefaultAreTakenFromTheDevice) {
  const FakeVerbs verbs(fake::DeviceSpec{.max_read_requests = 4});
  const auto steps = connected(verbs, Transport::rc);
  EXPECT_EQ(steps[1].attributes.max_dest_rd_atomic, 4);
  EXPECT_EQ(steps[2].attributes.max_rd_atomic, 4);
}

TEST(QueuePairPath, OfRoceIsByGidWithAllThePlanAsks) {
  const FakeVerbs verbs;
  const auto steps =
      connected(verbs, Transport::rc,
                {.mtu_bytes = 1024, .traffic_class = 104, .service_level = 3, .flow_label = 0xabcde});
  const ibv_ah_attr& path = steps[1].attributes.ah_attr;
  EXPECT_EQ(steps[1].attributes.path_mtu, IBV_MTU_1024);
  EXPECT_EQ(path.is_global, 1);
  EXPECT_EQ(path.grh.dgid.raw[15], 2);
  EXPECT_EQ(path.grh.sgid_index, 1);
  EXPECT_EQ(path.grh.hop_limit, 64);
  EXPECT_EQ(path.grh.traffic_class, 104);
  EXPECT_EQ(path.grh.flow_label, 0xabcdeU);
  EXPECT_EQ(path.sl, 3);
  EXPECT_EQ(path.port_num, 1);
}

TEST(QueuePairPath, OfInfiniBandIsByLidUnlessAGidIsAskedFor) {
  const FakeVerbs verbs(fake::DeviceSpec{.ports = {{.link_layer = IBV_LINK_LAYER_INFINIBAND,
                                                    .lid = 7,
                                                    .gids = {{gid_of("fe80::b"), IBV_GID_TYPE_IB}}}}});
  const Device device("auto");
  EXPECT_EQ(address_attributes(device, device.gid(-1), peer(), {}).is_global, 0);
  EXPECT_EQ(address_attributes(device, device.gid(-1), peer(), {}).dlid, 5);
  EXPECT_EQ(address_attributes(device, device.gid(-1), peer(), {.gid_index = 0}).is_global, 1);
}

TEST(QueuePair, ThatFailsFlushesWhatIsOutstanding) {
  const FakeVerbs verbs;
  QueuePairBench bench;
  QueuePair qp = bench.make(Transport::rc, {.receive = 2});
  qp.initialize(bench.device);
  ibv_sge piece{};
  ibv_recv_wr request{.wr_id = 42, .next = nullptr, .sg_list = &piece, .num_sge = 1}, *refused = nullptr;
  ASSERT_EQ(ibv_post_recv(qp.get(), &request, &refused), 0);
  qp.fail();
  const auto found = bench.completions.poll();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].wr_id, 42U);
  EXPECT_EQ(found[0].status, IBV_WC_WR_FLUSH_ERR);
}

TEST(QueuePair, DeeperThanTheDeviceAllowsIsRefusedBeforeItIsTried) {
  const FakeVerbs verbs(fake::DeviceSpec{.max_qp_wr = 100});
  QueuePairBench bench;
  EXPECT_EQ(message_of([&] { bench.make(Transport::rc, {.send = 101}); }),
            "a queue of 101 work requests is deeper than mlx5_0 allows (100): lower tx_depth");
  EXPECT_EQ(verbs.calls("ibv_create_qp"), 0);
}

TEST(QueuePair, ThatCannotBeMadeTellsWhatWasAskedFor) {
  const FakeVerbs verbs(fake::DeviceSpec{.max_inline_bytes = 64});
  QueuePairBench bench;
  EXPECT_EQ(message_of([&] { bench.make(Transport::uc, {.send = 8, .receive = 4, .inline_bytes = 65}); }),
            "create a queue pair (uc, 8 sends, 4 receives, 65 inline bytes): Invalid argument (errno 22): "
            "lower inline_bytes");
}

TEST(PathMtu, IsTheSmallerOfBothPortsUnlessASmallerOneIsAskedFor) {
  EXPECT_EQ(agreed_mtu_bytes(0, 4096, 1024), 1024);
  EXPECT_EQ(agreed_mtu_bytes(0, 2048, 4096), 2048);
  EXPECT_EQ(agreed_mtu_bytes(512, 2048, 4096), 512);
  EXPECT_EQ(
      message_of([] { agreed_mtu_bytes(4096, 4096, 1024); }),
      "mtu=4096: the ports' active MTUs are 4096 here and 1024 at the peer; raise the interfaces' MTU or "
      "lower this");
  for (const int none : {1, 128, 1500, 8192})
    EXPECT_EQ(message_of([&] { agreed_mtu_bytes(none, 4096, 4096); }),
              "mtu=" + std::to_string(none) + ": a path MTU is 256, 512, 1024, 2048 or 4096 bytes");
}

TEST(CompletionQueue, WithEventsIsArmedBeforeItIsPolledAndAcknowledgesAllAtTheEnd) {
  const FakeVerbs verbs;
  {
    QueuePairBench bench(Completion::events);
    EXPECT_EQ(verbs.calls("ibv_req_notify_cq"), 1);
    QueuePair qp = bench.make(Transport::rc, {.receive = 2});
    qp.initialize(bench.device);
    ibv_sge piece{};
    ibv_recv_wr request{.wr_id = 1, .next = nullptr, .sg_list = &piece, .num_sge = 1}, *refused = nullptr;
    ibv_post_recv(qp.get(), &request, &refused);
    qp.fail();
    bench.completions.wait();
    EXPECT_EQ(verbs.calls("ibv_req_notify_cq"), 2);
    EXPECT_EQ(bench.completions.poll().size(), 1U);
  }
  EXPECT_EQ(verbs.left_over(), "");
  EXPECT_EQ(verbs.misuse(), std::vector<std::string>());
}

TEST(CompletionQueue, WithPollingNeverSleepsAndHasNoChannel) {
  const FakeVerbs verbs;
  QueuePairBench bench;
  bench.completions.wait();
  EXPECT_EQ(verbs.calls("ibv_create_comp_channel"), 0);
  EXPECT_EQ(verbs.calls("ibv_get_cq_event"), 0);
}

}  // namespace
}  // namespace assay::rdma
