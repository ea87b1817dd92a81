// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Strangers at a listening socket: slow, silent, many, or with another key.
#include "harness/team/handshake/reception.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/tests/message_of.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

using testing::HasSubstr;

const TeamKey house_key{.source = KeySource::file, .secret = "sixteen bytes at least"};
const TeamKey wrong_key{.source = KeySource::file, .secret = "sixteen other bytes, too"};
const Errand lead_purpose{.purpose = "lead"};

struct House {
  explicit House(ReceptionOptions options = {}) {
    options.log = [this](const std::string& line) { log += line + "\n"; };
    reception.emplace(
        listen_at("127.0.0.1", 0), [] { return Handshake::of_listener(lead_purpose, house_key); },
        std::move(options));
    port = port_of(reception->listening());
  }
  Descriptor call() const { return connect_to({"127.0.0.1", port}, "", 5, ""); }
  std::unique_ptr<SocketConnection> call_with(const TeamKey& key) const {
    return std::make_unique<SocketConnection>(call(), Handshake::of_caller(lead_purpose, key));
  }
  /// Looks until somebody is let in, or for `limit_s`.
  std::vector<Guest> guests(const std::vector<SocketConnection*>& callers, double limit_s) {
    const Deadline deadline(limit_s);
    while (!deadline.passed()) {
      for (SocketConnection* caller : callers) caller->progress();
      std::vector<Guest> found = reception->look();
      if (!found.empty()) return found;
      std::vector<pollfd> waiting;
      reception->add_to(waiting);
      poll(waiting.data(), waiting.size(), 5);
    }
    return {};
  }

  std::string log;
  std::optional<Reception> reception;
  std::uint16_t port = 0;
};

TEST(Reception, HandsOverWhoProvesTheKeyWithItsFirstFrame) {
  House house;
  const auto caller = house.call_with(house_key);
  caller->send({FrameType::hello, "it is me"});
  std::vector<Guest> guests = house.guests({caller.get()}, 10);
  ASSERT_EQ(guests.size(), 1u);
  EXPECT_EQ(guests[0].first.payload, "it is me");
  EXPECT_EQ(guests[0].link->secret(), house_key.secret);
  guests[0].link->send({FrameType::broadcast, "welcome"});
  EXPECT_EQ(receive_within(*caller, 10)->payload, "welcome");
  EXPECT_EQ(house.log, "");
}

TEST(Reception, TurnsAwayWhoHoldsAnotherKey) {
  House house;
  const auto caller = house.call_with(wrong_key);
  caller->send({FrameType::hello, "it is me"});
  EXPECT_TRUE(house.guests({caller.get()}, 0.3).empty());
  caller->progress();
  EXPECT_TRUE(caller->is_refused_for_good());
  EXPECT_THAT(caller->why_closed(), HasSubstr("turned this host away: it holds another key"));
  EXPECT_THAT(house.log, HasSubstr("refused a caller from 127.0.0.1: it does not hold the key of this host"));
}

TEST(Reception, ReadsNoMoreThanAHandshakeFromAStranger) {
  House house;
  const Descriptor stranger = house.call();
  const std::string hail_of_5000_bytes("\0\0\x13\x88\x0c", 5);
  ASSERT_EQ(::send(stranger.get(), hail_of_5000_bytes.data(), hail_of_5000_bytes.size(), 0), 5);
  EXPECT_TRUE(house.guests({}, 0.2).empty());
  EXPECT_THAT(house.log, HasSubstr("a frame of 5000 bytes, over the limit of 4096"));
}

TEST(Reception, DropsASilentStrangerAtTheLimit) {
  House house({.greeting_limit_s = 0.1});
  const Descriptor silent = house.call();
  EXPECT_TRUE(house.guests({}, 0.3).empty());
  EXPECT_EQ(house.log, "refused a caller from 127.0.0.1: it did not introduce itself within 0.1 s\n");
  EXPECT_TRUE(house.reception->is_empty());
}

TEST(Reception, DropsAStrangerThatDripsBytesAtTheLimit) {
  House house({.greeting_limit_s = 0.2});
  const Descriptor slow = house.call();
  for (int drip = 0; drip < 10; ++drip) {
    static_cast<void>(::send(slow.get(), "\0", drip < 4 ? 1 : 0, MSG_NOSIGNAL));
    EXPECT_TRUE(house.guests({}, 0.05).empty());
  }
  EXPECT_THAT(house.log, HasSubstr("did not introduce itself within 0.2 s"));
}

TEST(Reception, LetsMembersInWhileStrangersHoldEveryPlace) {
  House house({.greeting_limit_s = 60, .most_callers = 8, .grace_s = 0.05});
  std::vector<Descriptor> strangers;
  for (int i = 0; i < 100; ++i) strangers.push_back(house.call());
  const auto caller = house.call_with(house_key);
  caller->send({FrameType::hello, "it is me"});
  EXPECT_EQ(house.guests({caller.get()}, 20).size(), 1u);
  EXPECT_THAT(house.log, HasSubstr("too many callers at a time"));
}

TEST(Reception, NeverKeepsMoreThanItsPlaces) {
  House house({.greeting_limit_s = 60, .most_callers = 8, .grace_s = 60});
  std::vector<Descriptor> strangers;
  for (int i = 0; i < 30; ++i) strangers.push_back(house.call());
  EXPECT_TRUE(house.guests({}, 0.2).empty());
  std::vector<pollfd> waiting;
  house.reception->add_to(waiting);
  EXPECT_EQ(waiting.size(), 8u) << "and nobody is waited for at the door";
}

TEST(Reception, WritesFewLinesAboutManyStrangers) {
  House house;
  for (int i = 0; i < 60; ++i) {
    const Descriptor stranger = house.call();
    ASSERT_GT(::send(stranger.get(), "GET / HTTP/1.1\r\n", 16, MSG_NOSIGNAL), 0);
    house.guests({}, 0.005);
  }
  EXPECT_EQ(std::count(house.log.begin(), house.log.end(), '\n'), 20);
}

TEST(Reception, HangsUpOnWhoCallsTooOftenBeforeAByteIsRead) {
  House house({.rates = {.per_s = 0, .burst = 3}});
  std::vector<Descriptor> strangers;
  for (int i = 0; i < 10; ++i) strangers.push_back(house.call());
  EXPECT_TRUE(house.guests({}, 0.2).empty());
  std::vector<pollfd> waiting;
  house.reception->add_to(waiting);
  EXPECT_EQ(waiting.size(), 1u + 3u);
  EXPECT_LE(house.reception->wait_ms(-1), 200) << "it has still to say how many they were";
  int hung_up = 0;
  for (const Descriptor& stranger : strangers) {
    char byte = 0;
    hung_up += recv(stranger.get(), &byte, 1, MSG_DONTWAIT) < 0 && errno == ECONNRESET ? 1 : 0;
  }
  EXPECT_EQ(hung_up, 7);
  EXPECT_EQ(std::count(house.log.begin(), house.log.end(), '\n'), 1) << house.log;
  house.reception->close();
  EXPECT_THAT(house.log, HasSubstr("6 more callers were refused"));
}

TEST(Reception, HearsOtherAddressesBesideAStorm) {
  House house({.greeting_limit_s = 60, .rates = {.per_s = 0, .burst = 5}});
  std::vector<Descriptor> strangers;
  for (int i = 0; i < 200; ++i)
    strangers.push_back(connect_to({"127.0.0.1", house.port}, "127.0.0.2", 5, ""));
  const auto caller = house.call_with(house_key);
  caller->send({FrameType::hello, "it is me"});
  EXPECT_EQ(house.guests({caller.get()}, 10).size(), 1u);
  EXPECT_FALSE(caller->was_hung_up_on());
}

TEST(Reception, TakesNoTokenOfWhoProvesTheKey) {
  House house({.rates = {.per_s = 0, .burst = 2, .all_per_s = 0, .all_burst = 2}});
  for (int i = 0; i < 10; ++i) {
    const auto caller = house.call_with(house_key);
    caller->send({FrameType::hello, "it is me"});
    EXPECT_EQ(house.guests({caller.get()}, 10).size(), 1u) << i;
  }
}

TEST(Reception, TellsACallerThatItWasHungUpOn) {
  House house({.rates = {.per_s = 0, .burst = 0}});
  const auto caller = house.call_with(house_key);
  EXPECT_TRUE(house.guests({caller.get()}, 0.1).empty());
  caller->progress();
  EXPECT_TRUE(caller->was_hung_up_on());
  EXPECT_FALSE(caller->is_refused_for_good());
}

TEST(Reception, GoesOnWhereTheProcessHasNoMoreDescriptors) {
  House house({.greeting_limit_s = 60, .grace_s = 0.05});
  std::vector<Descriptor> strangers;
  for (int i = 0; i < 20; ++i) strangers.push_back(house.call());
  const auto caller = house.call_with(house_key);
  caller->send({FrameType::hello, "it is me"});
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  // Space for four of them; those that are open already stay open.
  const Descriptor next(dup(0));
  const rlimit few{static_cast<rlim_t>(next.get() + 4), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::vector<Guest> guests = house.guests({caller.get()}, 20);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(guests.size(), 1u);
}

TEST(Reception, HandsASocketOverWithNothingReadBeyondTheHandshake) {
  House house({.with_first_frame = false});
  const auto caller = house.call_with(house_key);
  std::vector<Guest> guests = house.guests({caller.get()}, 10);
  ASSERT_EQ(guests.size(), 1u);
  const Descriptor theirs = guests[0].link->release();
  ASSERT_EQ(::send(theirs.get(), "data", 4, 0), 4) << "before the caller has read that it was let in";
  const Deadline deadline(10);
  while (!caller->is_authenticated() && !deadline.passed()) caller->progress();
  ASSERT_TRUE(caller->is_authenticated());
  const Descriptor ours = caller->release();
  char bytes[8] = {};
  pollfd waiting{ours.get(), POLLIN, 0};
  poll(&waiting, 1, 5000);
  EXPECT_EQ(recv(ours.get(), bytes, sizeof bytes, 0), 4);
  EXPECT_STREQ(bytes, "data");
}

TEST(Reception, ListensOnLoopbackAloneWithoutAKey) {
  const TeamKey none;
  const Descriptor listening = listen_with_key(none, "", 0);
  SocketAddress address;
  address.length = sizeof address.storage;
  ASSERT_EQ(getsockname(listening.get(), address.get(), &address.length), 0);
  EXPECT_TRUE(is_loopback(address));
  EXPECT_THAT(core::tests::message_of([&] { listen_with_key(none, "0.0.0.0", 0); }),
              HasSubstr("0.0.0.0 is not a loopback address, and there is no key"));
  EXPECT_NO_THROW(listen_with_key(house_key, "", 0));
}

}  // namespace
}  // namespace assay::team
