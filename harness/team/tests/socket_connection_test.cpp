// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/socket_connection.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::team {
namespace {

struct Ends {
  Ends() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    mine = std::make_unique<SocketConnection>(Descriptor(ends[0]));
    raw = Descriptor(ends[1]);
  }
  void say(std::string_view bytes) const {
    ASSERT_EQ(::send(raw.get(), bytes.data(), bytes.size(), 0), ssize_t(bytes.size()));
  }
  std::size_t heard() const {
    std::string bytes(std::size_t{1} << 20, '\0');
    return static_cast<std::size_t>(recv(raw.get(), bytes.data(), bytes.size(), MSG_DONTWAIT));
  }

  std::unique_ptr<SocketConnection> mine;
  Descriptor raw;
};

TEST(SocketConnection, ALongFrameWaitsUntilThePeerAsksForIt) {
  const Ends ends;
  ends.mine->send({FrameType::gather, std::string(100'000, 'x')});
  ends.mine->send({FrameType::arrive, ""});
  EXPECT_EQ(ends.heard(), 5u) << "only the announcement";
  EXPECT_FALSE(ends.mine->all_sent());
  ends.say(to_bytes({FrameType::pull, ""}));
  ends.mine->progress();
  EXPECT_EQ(ends.heard(), 100'005u + 5u);
  EXPECT_TRUE(ends.mine->all_sent());
}

TEST(SocketConnection, GarbageClosesItInWords) {
  const Ends ends;
  ends.say("SSH-2.0-OpenSSH_9.2\r\n");
  EXPECT_FALSE(receive_within(*ends.mine, 5).has_value());
  EXPECT_EQ(ends.mine->why_closed(), "does not speak assay's protocol (a frame of unknown type 50)");
}

TEST(SocketConnection, ARequestForNothingIsIgnored) {
  const Ends ends;
  ends.say(to_bytes({FrameType::pull, ""}) + to_bytes({FrameType::arrive, ""}));
  const std::optional<Frame> frame = receive_within(*ends.mine, 5);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->type, FrameType::arrive);
}

TEST(SocketConnection, FramesBeforeTheEndAreStillReceived) {
  Ends ends;
  ends.say(to_bytes({FrameType::broadcast, "last order"}));
  ends.raw.reset();
  const std::optional<Frame> frame = receive_within(*ends.mine, 5);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->payload, "last order");
  EXPECT_FALSE(receive_within(*ends.mine, 5).has_value());
  EXPECT_EQ(ends.mine->why_closed(), "closed the connection: its process ended");
}

TEST(SocketConnection, AnEndInsideAMessageSaysSo) {
  Ends ends;
  ends.say(std::string_view("\0\0\0\3\5a", 6));
  ends.raw.reset();
  EXPECT_FALSE(receive_within(*ends.mine, 5).has_value());
  EXPECT_EQ(ends.mine->why_closed(), "closed the connection in the middle of a message: its process ended");
}

/// Two links over one pair, with a key, and a way to put bytes between.
struct KeyedEnds {
  KeyedEnds() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    injecting = dup(ends[0]);
    const TeamKey key{.source = KeySource::file, .secret = "sixteen bytes at least"};
    caller = std::make_unique<SocketConnection>(Descriptor(ends[0]),
                                                Handshake::of_caller({.purpose = "lead"}, key));
    listener = std::make_unique<SocketConnection>(Descriptor(ends[1]),
                                                  Handshake::of_listener({.purpose = "lead"}, key));
  }
  ~KeyedEnds() { close(injecting); }
  void meet() const {
    for (int look = 0; look < 8; ++look) {
      listener->progress();
      caller->progress();
    }
    ASSERT_TRUE(caller->is_authenticated() && listener->is_authenticated());
  }

  int injecting = -1;  // writes as the caller's socket does
  std::unique_ptr<SocketConnection> caller, listener;
};

TEST(SocketConnection, NothingIsSaidBeforeBothHaveProvenTheKey) {
  const KeyedEnds ends;
  ends.caller->send({FrameType::hello, "a secret plan"});
  EXPECT_FALSE(ends.caller->all_sent());
  EXPECT_FALSE(ends.listener->receive().has_value());
  ends.meet();
  const std::optional<Frame> frame = receive_within(*ends.listener, 5);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->payload, "a secret plan");
  ends.listener->trust();
  ends.caller->send({FrameType::gather, std::string(300'000, 'x')});
  for (int look = 0; look < 50 && !ends.caller->all_sent(); ++look) {
    ends.listener->progress();
    ends.caller->progress();
  }
  EXPECT_EQ(receive_within(*ends.listener, 5)->payload.size(), 300'000u);
}

TEST(SocketConnection, AFrameThatSomebodyElsePutsInClosesIt) {
  const KeyedEnds ends;
  ends.meet();
  const std::string order = to_bytes({FrameType::broadcast, std::string(64, 'o')});
  ASSERT_EQ(::send(ends.injecting, order.data(), order.size(), 0), ssize_t(order.size()));
  EXPECT_FALSE(receive_within(*ends.listener, 5).has_value());
  EXPECT_EQ(ends.listener->why_closed(),
            "does not speak assay's protocol (a frame whose seal is wrong: it was changed on its way, or "
            "comes from "
            "someone else)");
}

TEST(SocketConnection, AFrameWithoutAHandshakeClosesIt) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const Descriptor raw(ends[1]);
  SocketConnection listener{
      Descriptor(ends[0]), Handshake::of_listener({.purpose = "lead"}, {.source = KeySource::file,
                                                                        .secret = "sixteen bytes at least"})};
  const std::string order = to_bytes({FrameType::broadcast, "go"});
  ASSERT_EQ(::send(raw.get(), order.data(), order.size(), 0), ssize_t(order.size()));
  EXPECT_FALSE(receive_within(listener, 5).has_value());
  EXPECT_EQ(listener.why_closed(), "sent 'broadcast' where 'hail' was due");
}

TEST(SocketConnection, ATextOverTheLimitIsRefusedBeforeItIsSent) {
  const Ends ends;
  EXPECT_EQ(core::tests::message_of(
                [&] { ends.mine->send({FrameType::gather, std::string(frame_limit_bytes + 1, 'x')}); }),
            "a text of 268435457 bytes is over the limit of 268435456 bytes for one message of a team");
}

TEST(SocketConnection, NothingWithinTheLimitIsNothing) {
  const Ends ends;
  EXPECT_FALSE(receive_within(*ends.mine, 0.01).has_value());
  EXPECT_EQ(ends.mine->why_closed(), "");
}

}  // namespace
}  // namespace assay::team
