// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "collectives/tests/thread_ranks.hpp"
#include "collectives/transport/transport.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

std::string failure_of_wait(Transport& transport) {
  try {
    transport.wait();
  } catch (const core::Error& error) {
    return error.what();
  }
  return "done";
}

TEST(ThreadTransport, KeepsTheOrderOfMessagesBetweenTwoRanks) {
  run_ranks(2, [](int rank, Transport& transport) {
    std::array<std::byte, 2> bytes{std::byte{1}, std::byte{2}};
    std::array<std::byte, 2> arrived{};
    if (rank == 0) {
      transport.send(1, {bytes.data(), 1});
      transport.send(1, {bytes.data() + 1, 1});
      transport.wait();
      return;
    }
    transport.receive(0, {arrived.data(), 1});
    transport.receive(0, {arrived.data() + 1, 1});
    transport.wait();
    EXPECT_EQ(arrived, bytes);
  });
}

TEST(ThreadTransport, NamesARankThatDoesNotSend) {
  const auto transports = make_thread_transports(2, 0.05);
  std::byte byte{};
  transports[0]->receive(1, {&byte, 1});
  EXPECT_THAT(failure_of_wait(*transports[0]),
              HasSubstr("rank 1 did not send a message to rank 0 within 0.05 s"));
}

TEST(ThreadTransport, NamesARankThatDoesNotTake) {
  const auto transports = make_thread_transports(2, 0.05);
  const std::byte byte{};
  transports[0]->send(1, {&byte, 1});
  EXPECT_THAT(failure_of_wait(*transports[0]), HasSubstr("rank 1 did not take a message of rank 0"));
}

TEST(ThreadTransport, NamesAMessageOfAnotherSize) {
  const auto transports = make_thread_transports(2, 0.05);
  const std::array<std::byte, 3> three{};
  std::byte one{};
  transports[0]->send(1, three);
  transports[1]->receive(0, {&one, 1});
  EXPECT_THAT(failure_of_wait(*transports[1]), HasSubstr("rank 0 sent 3 bytes where rank 1 expected 1"));
}

}  // namespace
}  // namespace assay::collectives
