// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/core/tests/message_of.hpp"
#include "rdma/tests/on_ranks.hpp"
#include "rdma/verbs/check.hpp"
#include "rdma/verbs_case.hpp"

namespace assay::rdma {
namespace {

using core::tests::message_of;
using fake::DeviceSpec;
using fake::FakeVerbs;
using fake::gid_of;
using fake::Port;

Port down() { return {.state = IBV_PORT_DOWN}; }
Port infiniband() {
  return {.link_layer = IBV_LINK_LAYER_INFINIBAND,
          .active_mtu = IBV_MTU_4096,
          .lid = 7,
          .gids = {{gid_of("fe80::b"), IBV_GID_TYPE_IB}}};
}

std::string opened(const std::string& name) {
  const Device device(name);
  return device.name() + ":" + std::to_string(device.port());
}

TEST(Device, AutoIsTheFirstWithAnActivePort) {
  const FakeVerbs verbs(
      {{.name = "mlx5_0", .ports = {down()}}, {.name = "mlx5_1", .ports = {down(), Port{}}}});
  EXPECT_EQ(opened("auto"), "mlx5_1:2");
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(Device, AutoIsWhatTheEnvironmentNames) {
  const FakeVerbs verbs({{.name = "mlx5_0"}, {.name = "mlx5_1", .ports = {Port{}, Port{}}}});
  setenv("ASSAY_RDMA_DEVICE", "mlx5_1:2", 1);
  EXPECT_EQ(opened("auto"), "mlx5_1:2");
  EXPECT_EQ(opened("mlx5_0"), "mlx5_0:1");
  unsetenv("ASSAY_RDMA_DEVICE");
}

TEST(Device, NamedWithAPortIsThatPort) {
  const FakeVerbs verbs(fake::DeviceSpec{.name = "mlx5_0", .ports = {Port{}, infiniband()}});
  EXPECT_EQ(opened("mlx5_0"), "mlx5_0:1");
  EXPECT_EQ(opened("mlx5_0:2"), "mlx5_0:2");
  EXPECT_TRUE(Device("mlx5_0").ethernet());
  EXPECT_FALSE(Device("mlx5_0:2").ethernet());
  EXPECT_EQ(Device("mlx5_0:2").active_mtu_bytes(), 4096);
}

TEST(Device, UnknownIsRefusedWithTheNamesThereAre) {
  const FakeVerbs verbs({{.name = "mlx5_0"}, {.name = "mlx5_1"}});
  EXPECT_EQ(message_of([] { Device("mlx5_9"); }),
            "no RDMA device is named 'mlx5_9' (there are: mlx5_0 mlx5_1)");
  EXPECT_EQ(message_of([] { Device(""); }), "no RDMA device is named '' (there are: mlx5_0 mlx5_1)");
}

TEST(Device, PortsThatAreNoneAreRefused) {
  const FakeVerbs verbs;
  EXPECT_EQ(message_of([] { Device("mlx5_0:3"); }), "mlx5_0 has 1 port(s), not 3");
  for (const char* name : {"mlx5_0:", "mlx5_0:0", "mlx5_0:-1", "mlx5_0:one", "mlx5_0:1x"})
    EXPECT_EQ(message_of([&] { Device{name}; }),
              "device '" + std::string(name) + "': a port is a number from 1, as in mlx5_0:1");
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(Device, WhereThereIsNoneSaysSo) {
  const FakeVerbs verbs(std::vector<DeviceSpec>{});
  const std::string none =
      "this host has no RDMA device: /sys/class/infiniband is empty (is the driver loaded?)";
  EXPECT_EQ(message_of([] { Device("auto"); }), none);
  EXPECT_EQ(message_of([] { Device("mlx5_0"); }), none);
}

TEST(Device, ThatIsDownSaysWhatToDo) {
  const FakeVerbs verbs(fake::DeviceSpec{.name = "mlx5_0", .ports = {down()}});
  EXPECT_EQ(message_of([] { Device("mlx5_0"); }),
            "mlx5_0 port 1 is PORT_DOWN: bring its link up first (cable, switch port, `ip link`)");
  EXPECT_EQ(
      message_of([] { Device("auto"); }),
      "no port of any RDMA device is active (there are: mlx5_0); bring a link up and see `assay machine`");
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(Gids, OfEthernetAreRoceV2AndIpv4First) {
  const FakeVerbs verbs(fake::DeviceSpec{.ports = {{.gids = {{gid_of("fe80::1"), IBV_GID_TYPE_ROCE_V1},
                                                             {gid_of("fe80::1")},
                                                             {},  // not in use
                                                             {gid_of("10.0.0.1"), IBV_GID_TYPE_ROCE_V1},
                                                             {gid_of("10.0.0.1")}}}}});
  const Device device("auto");
  EXPECT_EQ(device.gid(-1).index, 4);
  EXPECT_EQ(device.gid(-1).text(), "10.0.0.1");
  EXPECT_EQ(device.gid(-1).type, "RoCE v2");
  EXPECT_TRUE(device.gid(-1).ipv4());
  EXPECT_EQ(device.gid(0).text(), "fe80::1");
  EXPECT_EQ(device.gid(0).type, "RoCE v1");
  EXPECT_EQ(device.gids().size(), 4U);
}

TEST(Gids, WithoutIpv4AreTheFirstRoceV2) {
  const FakeVerbs verbs(fake::DeviceSpec{
      .ports = {
          {.gids = {{gid_of("fe80::1"), IBV_GID_TYPE_ROCE_V1}, {gid_of("fe80::2")}, {gid_of("fd00::3")}}}}});
  EXPECT_EQ(Device("auto").gid(-1).text(), "fe80::2");
}

TEST(Gids, OfInfiniBandAreIndexZero) {
  const FakeVerbs verbs(fake::DeviceSpec{.ports = {infiniband()}});
  EXPECT_EQ(Device("auto").gid(-1).index, 0);
  EXPECT_EQ(Device("auto").gid(-1).type, "IB");
}

TEST(Gids, ThatAreNotThereAreRefusedWithThoseThatAre) {
  const FakeVerbs verbs(fake::DeviceSpec{.ports = {{.gids = {{gid_of("fe80::1"), IBV_GID_TYPE_ROCE_V1}}}}});
  EXPECT_EQ(message_of([] { Device("auto").gid(3); }),
            "mlx5_0 port 1 has no GID index 3 (there are: 0: fe80::1 RoCE v1)");
  EXPECT_EQ(message_of([] { Device("auto").gid(-1); }),
            "mlx5_0 port 1 has no RoCE v2 GID (there are: 0: fe80::1 RoCE v1)");
}

TEST(Device, TellsEachAsynchronousEventOnceAndNeverWaits) {
  FakeVerbs verbs;
  {
    const Device device("auto");
    EXPECT_EQ(device.next_event(), "");
    verbs.raise(IBV_EVENT_PORT_ERR);
    EXPECT_EQ(device.next_event(), "port error");
    EXPECT_EQ(device.next_event(), "");
  }
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(DeviceLimits, RefuseWhatTheDeviceHasNot) {
  const FakeVerbs verbs(fake::DeviceSpec{.max_qp_wr = 1024, .max_qp = 64, .max_message_bytes = 1 << 20});
  const auto refusal = [](const tests::Asked& asked, int gid_index = -1) {
    Settings settings = tests::settings(asked);
    settings.path.gid_index = gid_index;
    const machine::Machine machine;
    return message_of([&] { refuse_beyond_limits({settings, {.machine = &machine}}); });
  };
  EXPECT_EQ(refusal({}), "nothing was thrown");
  EXPECT_EQ(refusal({.bytes = (1 << 20) + 1}), "bytes=1048577: mlx5_0 takes messages of up to 1MiB");
  EXPECT_EQ(refusal({.posting = {.qps = 65}}), "qps=65: mlx5_0 has 64 queue pairs");
  EXPECT_EQ(refusal({.posting = {.tx_depth = 1025}}),
            "tx_depth=1025: a queue pair of mlx5_0 holds 1024 work requests");
  EXPECT_EQ(refusal({}, 9),
            "mlx5_0 port 1 has no GID index 9 (there are: 0: fe80::1 RoCE v2, 1: 10.0.0.1 RoCE v2)");
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(CheckVerbs, TellsWhatWasDoneAndTheErrno) {
  try {
    check_verbs(ENOMEM, "create a thing");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "create a thing: Cannot allocate memory (errno 12)");
    EXPECT_EQ(error.code(), 12);
    EXPECT_EQ(error.kind(), core::ErrorKind::verbs);
  }
  EXPECT_THROW(check_verbs(EOPNOTSUPP, "create a thing"), core::Unsupported);
  EXPECT_THROW(check_verbs(ENOSYS, "create a thing"), core::Unsupported);
  errno = EAGAIN;
  EXPECT_EQ(message_of([] { check_verbs(-1, "poll"); }), "poll: Resource temporarily unavailable (errno 11)");
}

}  // namespace
}  // namespace assay::rdma
