// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/settings.hpp"

#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "rdma/tests/on_ranks.hpp"

namespace assay::rdma {
namespace {

using core::tests::message_of;
using tests::point_with;

std::string refusal(const char* axis, core::Value value) {
  return message_of([&] { settings_of(point_with({{axis, std::move(value)}})); });
}

TEST(Settings, OfTheDefaultsAreThoseOfTheAxes) {
  const Settings settings = settings_of(point_with({}));
  EXPECT_EQ(settings.device, "auto");
  EXPECT_EQ(settings.message.operation, Operation::write);
  EXPECT_EQ(settings.message.transport, Transport::rc);
  EXPECT_EQ(settings.posting.qps, 1);
  EXPECT_EQ(settings.posting.tx_depth, 128);
  EXPECT_EQ(settings.posting.post_list, 1);
  EXPECT_EQ(settings.posting.completion, Completion::polling);
  EXPECT_EQ(settings.path.gid_index, -1);
  EXPECT_EQ(settings.retry.count, 6);
  EXPECT_EQ(settings.placement.memory, "host");
  EXPECT_EQ(settings.placement.slots, 1);
}

TEST(Settings, LeftToUsFollowTheMessage) {
  const auto of = [](std::int64_t bytes, const char* operation, const char* memory = "host") {
    return settings_of(point_with({{"bytes", bytes}, {"operation", operation}, {"memory", memory}})).posting;
  };
  EXPECT_EQ(of(8192, "write").cq_moderation, 64);
  EXPECT_EQ(of(8193, "write").cq_moderation, 1);
  EXPECT_EQ(of(220, "send").inline_bytes, 220);
  EXPECT_EQ(of(221, "send").inline_bytes, 0);
  EXPECT_EQ(of(64, "read").inline_bytes, 0);
  EXPECT_EQ(of(64, "write", "cuda").inline_bytes, 0);
}

TEST(Settings, OfAtomicsAreEightBytes) {
  EXPECT_EQ(
      settings_of(point_with({{"operation", "fetch_add"}, {"bytes", std::int64_t{4096}}})).message.bytes, 8);
}

TEST(Settings, ThatMakeNoSenseAreRefusedInOneLine) {
  using Number = std::int64_t;
  EXPECT_EQ(refusal("operation", "put"),
            "unknown operation 'put' (there are: write write_imm send read fetch_add compare_swap)");
  EXPECT_EQ(refusal("transport", "xrc"), "unknown transport 'xrc' (there are: rc uc ud)");
  EXPECT_EQ(refusal("bytes", Number{0}), "bytes=0: expected at least 1");
  EXPECT_EQ(refusal("qps", Number{0}), "qps=0: expected 1 to 16384");
  EXPECT_EQ(refusal("qps", Number{16385}), "qps=16385: expected 1 to 16384");
  EXPECT_EQ(refusal("tx_depth", Number{0}), "tx_depth=0: expected 1 to 1048576");
  EXPECT_EQ(refusal("post_list", Number{0}), "post_list=0: expected 1 to 1024");
  EXPECT_EQ(refusal("post_list", Number{129}), "post_list=129 is more than tx_depth=128 keeps on the wire");
  EXPECT_EQ(refusal("cq_moderation", Number{200}),
            "cq_moderation=200 is more than tx_depth=128 keeps on the wire");
  EXPECT_EQ(refusal("cq_moderation", Number{-1}), "cq_moderation=-1: expected 0 to 1048576");
  EXPECT_EQ(refusal("inline_bytes", Number{-2}), "inline_bytes=-2: expected -1 to 65536");
  EXPECT_EQ(refusal("mtu", Number{9000}), "mtu=9000: expected 0 to 4096");
  EXPECT_EQ(refusal("gid_index", Number{256}), "gid_index=256: expected -1 to 255");
  EXPECT_EQ(refusal("traffic_class", Number{256}), "traffic_class=256: expected 0 to 255");
  EXPECT_EQ(refusal("service_level", Number{16}), "service_level=16: expected 0 to 15");
  EXPECT_EQ(refusal("flow_label", Number{1 << 20}), "flow_label=1048576: expected 0 to 1048575");
  EXPECT_EQ(refusal("ack_timeout", Number{0}), "ack_timeout=0: expected 1 to 31");
  EXPECT_EQ(refusal("retry_count", Number{8}), "retry_count=8: expected 0 to 7");
  EXPECT_EQ(refusal("cpu", Number{-3}), "cpu=-3: expected -2 to 65536");
  EXPECT_EQ(refusal("numa_node", Number{-2}), "numa_node=-2: expected -1 to 1023");
  EXPECT_EQ(refusal("gpu", Number{-2}), "gpu=-2: expected -1 to 1023");
  EXPECT_EQ(refusal("slots", Number{0}), "slots=0: expected 1 to 1048576");
  EXPECT_EQ(refusal("connect", "mail"), "connect=mail: expected one of exchange rdma_cm");
  EXPECT_EQ(refusal("completion", "interrupts"), "completion=interrupts: expected one of polling events");
  EXPECT_EQ(refusal("memory", "hbm"), "memory=hbm: expected one of host huge cuda cuda_dmabuf");
}

}  // namespace
}  // namespace assay::rdma
