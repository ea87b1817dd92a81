// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/shared_memory_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "collectives/transport/shared_ring.hpp"
#include "harness/core/error.hpp"
#include "harness/core/tests/eventually.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

std::vector<std::byte> numbered(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
  return bytes;
}

/// Threads of which each has mapped the memory for itself, as processes would. What each threw, by rank.
std::vector<std::string> run_pair(int ranks, Waiting waiting, double limit_s,
                                  const std::function<void(Transport&)>& body,
                                  const std::atomic<bool>& given_up = never_given_up) {
  auto teams = team::make_thread_teams(ranks);
  std::vector<std::string> failures(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < teams.size(); ++rank)
    threads.emplace_back([&, rank] {
      try {
        const auto pair = make_shared_memory_pair(*teams[rank], limit_s, waiting, given_up);
        EXPECT_EQ(pair != nullptr, rank < 2);
        if (pair) body(*pair);
      } catch (const core::Error& error) {
        failures[rank] = error.what();
      }
      teams[rank]->barrier(20);
    });
  for (std::thread& thread : threads) thread.join();
  return failures;
}

std::set<std::string> shared_names() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
    if (const std::string name = entry.path().filename(); name.starts_with("assay-")) names.insert(name);
  return names;
}

TEST(SharedMemoryPair, CarriesMessagesOfEverySizeBothWays) {
  for (const Waiting waiting : {Waiting::sleeping, Waiting::polling}) {
    const auto failures = run_pair(3, waiting, 20, [](Transport& pair) {
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, SharedRing::capacity - 8,
                                     SharedRing::capacity + 1, 5 * SharedRing::capacity + 13}) {
        const std::vector<std::byte> out = numbered(size);
        std::vector<std::byte> in(size), again(size);
        pair.receive(1 - pair.rank(), in);
        pair.receive(1 - pair.rank(), again);
        pair.send(1 - pair.rank(), out);
        pair.send(1 - pair.rank(), out);
        pair.wait();
        EXPECT_EQ(in, out) << size;
        EXPECT_EQ(again, out) << size;
      }
    });
    EXPECT_THAT(failures, testing::Each(""));
  }
}

TEST(SharedMemoryPair, LeavesNoNameBehind) {
  const auto before = shared_names();
  run_pair(2, Waiting::polling, 5, [&](Transport&) {});
  std::set<std::string> left = shared_names();
  std::erase_if(left, [&](const std::string& name) { return before.contains(name); });
  core::tests::eventually([&] {  // those of other tests go soon
    const auto now = shared_names();
    std::erase_if(left, [&](const std::string& name) { return !now.contains(name); });
    return left.empty();
  });
  EXPECT_THAT(left, testing::IsEmpty());
}

TEST(SharedMemoryPair, NamesARankThatKeepsAnotherWaiting) {
  for (const Waiting waiting : {Waiting::sleeping, Waiting::polling}) {
    const auto failures = run_pair(2, waiting, 0.2, [](Transport& pair) {
      std::byte byte{};
      if (pair.rank() == 1) return;
      pair.receive(1, {&byte, 1});
      pair.wait();
    });
    EXPECT_THAT(failures[0], HasSubstr("rank 1 kept rank 0 waiting for 0.2 s"));
  }
}

TEST(SharedMemoryPair, NamesAMessageOfAnotherSize) {
  const auto failures = run_pair(2, Waiting::sleeping, 5, [](Transport& pair) {
    std::array<std::byte, 3> three{};
    if (pair.rank() == 0)
      pair.send(1, three);
    else
      pair.receive(0, {three.data(), 2});
    pair.wait();
  });
  EXPECT_THAT(failures[1], HasSubstr("rank 0 sent 3 bytes where 2 were expected"));
}

TEST(SharedMemoryPair, EndsAWaitThatIsGivenUp) {
  std::atomic<bool> given_up{false};
  const auto failures = run_pair(
      2, Waiting::sleeping, 30,
      [&](Transport& pair) {
        std::byte byte{};
        if (pair.rank() == 1) {
          given_up = true;
          return;
        }
        pair.receive(1, {&byte, 1});
        pair.wait();
      },
      given_up);
  EXPECT_THAT(failures[0], HasSubstr("given up while rank 1 kept rank 0 waiting"));
}

}  // namespace
}  // namespace assay::collectives
