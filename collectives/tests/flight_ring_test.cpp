// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/flight_ring.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "collectives/tests/thread_ranks.hpp"
#include "collectives/watch/noting_transport.hpp"

namespace assay::collectives {
namespace {

TEST(FlightRing, IsEmptyBeforeTheFirstOperation) { EXPECT_TRUE(FlightRing().latest().empty()); }

TEST(FlightRing, TellsTheTransferUnderWay) {
  FlightRing ring;
  ring.begins(Operation::all_reduce, 1024, 5.5);
  const std::array ranks{3, 1};
  ring.waits(ranks);
  ring.moves();
  ring.waits(ranks);
  const auto latest = ring.latest();
  ASSERT_EQ(latest.size(), 1U);
  EXPECT_EQ(latest[0].sequence, 1);
  EXPECT_EQ(latest[0].operation, Operation::all_reduce);
  EXPECT_EQ(latest[0].bytes, 1024);
  EXPECT_EQ(latest[0].began_s, 5.5);
  EXPECT_EQ(latest[0].state, FlightState::waits);
  EXPECT_EQ(latest[0].step, 2);
  EXPECT_EQ(latest[0].awaited, (std::vector<int>{3, 1}));
}

TEST(FlightRing, KeepsTheLatestOperationsInOrder) {
  FlightRing ring;
  for (int i = 0; i < 100; ++i) {
    ring.begins(Operation::barrier, 0, i);
    ring.done();
  }
  const auto latest = ring.latest();
  ASSERT_EQ(latest.size(), FlightRing::kept);
  EXPECT_EQ(latest.front().sequence, 69);
  EXPECT_EQ(latest.back().sequence, 100);
  EXPECT_EQ(latest.back().state, FlightState::done);
}

TEST(FlightRing, NamesNoMoreRanksThanItHasPlaceFor) {
  FlightRing ring;
  ring.begins(Operation::all_to_all, 8, 0);
  const std::array ranks{1, 2, 3, 4, 5, 6};
  ring.waits(ranks);
  EXPECT_EQ(ring.latest().at(0).awaited, (std::vector<int>{1, 2, 3, 4}));
}

TEST(FlightRing, CountsAnewForEveryPoint) {
  FlightRing ring;
  ring.begins(Operation::barrier, 0, 0);
  ring.restart();
  EXPECT_TRUE(ring.latest().empty());
  ring.begins(Operation::barrier, 0, 0);
  EXPECT_EQ(ring.latest().at(0).sequence, 1);
}

TEST(FlightRing, IsReadWholeWhileItIsWritten) {
  FlightRing ring;
  std::atomic<bool> ends{false};
  std::thread writer([&] {
    for (std::int64_t i = 1; !ends; ++i) ring.begins(Operation::gather, i, static_cast<double>(i));
  });
  for (int look = 0; look < 2000; ++look)
    for (const FlightEntry& entry : ring.latest()) {
      EXPECT_EQ(entry.bytes, entry.sequence);
      EXPECT_EQ(entry.began_s, static_cast<double>(entry.sequence));
    }
  ends = true;
  writer.join();
}

TEST(NotingTransport, NotesWhomARankWaitsFor) {
  auto transports = make_thread_transports(2);
  FlightRing ring;
  NotingTransport noting(std::move(transports[0]), ring);
  std::thread other([&] {
    std::byte byte{7};
    transports[1]->send(0, {&byte, 1});
    transports[1]->receive(0, {&byte, 1});
    transports[1]->wait();
  });
  ring.begins(Operation::send_receive, 1, 0);
  std::byte byte{};
  noting.receive(1, {&byte, 1});
  noting.wait();
  EXPECT_EQ(ring.latest().at(0).awaited, (std::vector<int>{1}));
  EXPECT_EQ(ring.latest().at(0).state, FlightState::computes);
  noting.send(1, {&byte, 1});
  noting.wait();
  EXPECT_EQ(ring.latest().at(0).step, 2);
  other.join();
}

}  // namespace
}  // namespace assay::collectives
