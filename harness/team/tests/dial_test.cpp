// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Hosts that cannot be reached: one line each, with what to do.
#include "harness/team/handshake/dial.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "harness/team/tests/test_server.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

using tests::failure_to_dial;
using tests::hello_of;
using tests::TestServer;

const DialOptions hasty{.connect_limit_s = 0.5};
const DialOptions patient{.connect_limit_s = 10};

/// A port of loopback where nobody listens.
std::uint16_t free_port() { return port_of(listen_at("127.0.0.1", 0)); }

TEST(Dial, APortWhereNothingRunsIsOneLine) {
  const std::string port = std::to_string(free_port());
  EXPECT_EQ(failure_to_dial({"127.0.0.1:" + port}, hello_of("h0"), hasty),
            "127.0.0.1: connection refused: is `assay-rdma serve` running there? (port " + port + ")");
}

TEST(Dial, ANameThatDoesNotResolveIsOneLine) {
  const std::string failure = failure_to_dial({"no-such-host.invalid"}, hello_of("h0"), hasty);
  EXPECT_EQ(failure.find("no-such-host.invalid: this name does not resolve to an address ("), 0u) << failure;
}

TEST(Dial, AHostThatDoesNotAnswerIsOneLine) {
  // A full listening queue answers as a host that is down: not at all.
  const Descriptor listening(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(bind(listening.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any), 0);
  ASSERT_EQ(listen(listening.get(), 0), 0);
  const std::uint16_t port = port_of(listening);
  any.sin_port = htons(port);
  std::vector<Descriptor> queue;
  for (int i = 0; i < 4; ++i) {
    queue.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    connect(queue.back().get(), reinterpret_cast<const sockaddr*>(&any), sizeof any);
  }
  EXPECT_EQ(failure_to_dial({"127.0.0.1:" + std::to_string(port)}, hello_of("h0"), hasty),
            "127.0.0.1: no answer within 0.5 s: is `assay-rdma serve` running there? (port " +
                std::to_string(port) + ")");
}

TEST(Dial, AProgramThatSaysNothingIsOneLine) {
  const Descriptor mute = listen_at("127.0.0.1", 0);
  const std::string port = std::to_string(port_of(mute));
  EXPECT_EQ(failure_to_dial({"127.0.0.1:" + port}, hello_of("h0"), hasty),
            "127.0.0.1 did not introduce itself within 0.5 s: is `assay-rdma serve` running there? (port " +
                port + ")");
}

TEST(Dial, HostsThatFailAreAllNamedAndTheOthersTold) {
  const TestServer h1(hello_of("h1"));
  const std::string port = std::to_string(free_port());
  const std::string failure =
      failure_to_dial({"127.0.0.2:" + port, h1.address(), "127.0.0.3:" + port}, hello_of("h0"), hasty);
  EXPECT_EQ(failure, "127.0.0.2: connection refused: is `assay-rdma serve` running there? (port " + port +
                         ") (nor could these be used: 127.0.0.3)");
  EXPECT_NE(
      h1.log_with("ready").find("the run led by h0: rank 0 (h0) called the run off: 127.0.0.2: connection"),
      std::string::npos)
      << h1.log();
}

TEST(Dial, WithoutAKeyNoOtherHostIsCalled) {
  EXPECT_EQ(failure_to_dial({"192.0.2.1"}, hello_of("h0"), hasty)
                .find("192.0.2.1 is not a loopback address, and there is no key: give all members the same "
                      "--key-file"),
            0u);
}

TEST(Dial, AHostNamedTwiceIsRefused) {
  EXPECT_EQ(failure_to_dial({"h1", "h1:18540"}, hello_of("h0"), hasty),
            "h1:18540 is named twice; a host takes part once");
  EXPECT_EQ(failure_to_dial({}, hello_of("h0"), hasty),
            "a team needs at least one other host, as in `assay-rdma h1`");
}

TEST(Dial, WorksOverIpv6AndFromAChosenInterface) {
  const Descriptor probe(socket(AF_INET6, SOCK_STREAM, 0));
  sockaddr_in6 loopback{};
  loopback.sin6_family = AF_INET6;
  loopback.sin6_addr = in6addr_loopback;
  if (!probe || bind(probe.get(), reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback) != 0)
    GTEST_SKIP() << "this machine has no IPv6 loopback";
  const TestServer h1(hello_of("h1"), {.interface = "::1"});
  EXPECT_EQ(failure_to_dial({"[::1]:" + std::to_string(h1.port())}, hello_of("h0"), patient), "");
}

TEST(Dial, LeavesFromAChosenInterface) {
  const TestServer h1(hello_of("h1"), {.interface = "lo"});
  EXPECT_EQ(failure_to_dial({h1.address()}, hello_of("h0"), {.connect_limit_s = 10, .interface = "lo"}), "");
  const std::string failure =
      failure_to_dial({h1.address()}, hello_of("h0"), {.connect_limit_s = 10, .interface = "eth-none"});
  EXPECT_EQ(failure.find("eth-none: this name does not resolve to an address ("), 0u) << failure;
}

}  // namespace
}  // namespace assay::team
