// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/socket_mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <filesystem>
#include <functional>
#include <latch>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "collectives/algorithms/table.hpp"
#include "collectives/tests/one_run.hpp"
#include "collectives/transport/executor.hpp"
#include "harness/core/error.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

/// Threads that talk over sockets, as processes would. What each threw, by rank.
std::vector<std::string> run_mesh(int n, double limit_s, const std::function<void(Transport&)>& body) {
  auto teams = team::make_thread_teams(n);
  std::vector<std::string> failures(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < teams.size(); ++rank)
    threads.emplace_back([&, rank] {
      try {
        const auto mesh = make_socket_mesh(*teams[rank], limit_s);
        body(*mesh);
        teams[rank]->barrier(20);
      } catch (const core::Error& error) {
        failures[rank] = error.what();
        teams[rank]->barrier(20);
      }
    });
  for (std::thread& thread : threads) thread.join();
  return failures;
}

TEST(SocketMesh, CarriesEveryAlgorithmOf5Ranks) {
  constexpr Content content{DataType::int64, Operator::max, 5};
  const auto failures = run_mesh(5, 20, [&](Transport& mesh) {
    for (const Algorithm& row : algorithms())
      for (const std::int64_t count : {3, 200'001}) {
        Problem problem{.operation = row.operation, .ranks = 5, .count = count, .root = 2};
        if (row.operation == Operation::all_to_all_v)
          problem.counts = std::make_shared<const CountsMatrix>(
              std::vector(5, std::vector<std::int64_t>{0, 1, 900, 3, 40'000}));
        Executor executor(schedule_of(row, problem, mesh.rank()), content.type, content.reduction, mesh);
        EXPECT_EQ(
            wrong_with(problem, content, mesh.rank(), [&](auto in, auto out) { executor.run(in, out); }), "")
            << to_text(row.operation) << " " << row.name;
      }
  });
  EXPECT_THAT(failures, testing::Each(""));
}

std::ptrdiff_t open_descriptors() {
  return std::ranges::distance(std::filesystem::directory_iterator("/proc/self/fd"));
}

/// Sends one number to the next rank, and receives that of the one before.
int passed_around(Transport& mesh) {
  const int own = mesh.rank(), n = mesh.size();
  int received = -1;
  mesh.send((own + 1) % n, std::as_bytes(std::span(&own, 1)));
  mesh.receive((own + n - 1) % n, std::as_writable_bytes(std::span(&received, 1)));
  mesh.wait();
  return received;
}

TEST(SocketMesh, OfManyRanksConnectsOnlyThoseThatExchangeMessages) {
  constexpr int n = 40;
  const std::ptrdiff_t before = open_descriptors();
  std::atomic<std::ptrdiff_t> most = 0;
  std::barrier all_passed(n);
  const auto failures = run_mesh(n, 20, [&](Transport& mesh) {
    for (int round = 0; round < 2; ++round) EXPECT_EQ(passed_around(mesh), (mesh.rank() + n - 1) % n);
    all_passed.arrive_and_wait();
    if (mesh.rank() == 0) most = open_descriptors();
    all_passed.arrive_and_wait();
    // Rank 0 waits for ranks that come later, one after another.
    int number = mesh.rank();
    for (int rank = 1; rank < n; ++rank) {
      if (mesh.rank() == 0) mesh.receive(rank, std::as_writable_bytes(std::span(&number, 1)));
      if (mesh.rank() == rank) mesh.send(0, std::as_bytes(std::span(&number, 1)));
      mesh.wait();
      if (mesh.rank() == 0) {
        EXPECT_EQ(number, rank);
      }
    }
  });
  EXPECT_THAT(failures, testing::Each(""));
  EXPECT_LE(most - before, 5 * n) << "a rank: two for the team, one that listens, two of connections";
}

TEST(SocketMesh, NamesARankThatKeepsAnotherWaiting) {
  const auto failures = run_mesh(2, 0.2, [](Transport& mesh) {
    std::byte byte{};
    if (mesh.rank() == 1) return;
    mesh.receive(1, {&byte, 1});
    mesh.wait();
  });
  EXPECT_THAT(failures[0], HasSubstr("rank 1 kept rank 0 waiting for 0.2 s"));
}

TEST(SocketMesh, NamesAMessageOfAnotherSize) {
  const auto failures = run_mesh(2, 5, [](Transport& mesh) {
    std::array<std::byte, 3> three{};
    if (mesh.rank() == 0)
      mesh.send(1, three);
    else
      mesh.receive(0, {three.data(), 2});
    mesh.wait();
  });
  EXPECT_THAT(failures[1], HasSubstr("rank 0 sent 3 bytes where 2 were expected"));
}

TEST(SocketMesh, EndsAWaitThatIsGivenUp) {
  auto teams = team::make_thread_teams(2);
  std::atomic<bool> given_up{false};
  std::unique_ptr<Transport> other;
  std::thread peer([&] { other = make_socket_mesh(*teams[1], 30); });
  const auto mesh = make_socket_mesh(*teams[0], 30, given_up);
  peer.join();
  std::byte byte{};
  mesh->receive(1, {&byte, 1});
  given_up = true;
  try {
    mesh->wait();
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "given up while rank 1 kept rank 0 waiting");
  }
}

TEST(SocketMesh, NamesARankThatEnded) {
  auto teams = team::make_thread_teams(2);
  std::thread gone([&] { make_socket_mesh(*teams[1], 5); });
  const auto mesh = make_socket_mesh(*teams[0], 5);
  gone.join();
  std::byte byte{};
  mesh->receive(1, {&byte, 1});
  try {
    mesh->wait();
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "rank 1 closed its connection");
  }
}

TEST(SocketMesh, TellsOfALossThoseThatWaitForOthers) {
  std::array<std::string, 2> seen;
  std::latch both_saw{2};
  const auto failures = run_mesh(3, 30, [&](Transport& mesh) {
    if (mesh.rank() == 2) throw core::Error(core::ErrorKind::team, "its connections end with it");
    std::byte byte{};
    mesh.receive(mesh.rank() + 1, {&byte, 1});
    try {
      mesh.wait();
    } catch (const core::Error& error) {
      seen[static_cast<std::size_t>(mesh.rank())] = error.what();
    }
    both_saw.arrive_and_wait();  // so that rank 1's connections do not end with it
  });
  EXPECT_THAT(failures, testing::ElementsAre("", "", "its connections end with it"));
  EXPECT_THAT(seen, testing::ElementsAre("rank 1 closed its connection", "rank 2 closed its connection"));
}

}  // namespace
}  // namespace assay::collectives
