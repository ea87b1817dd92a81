// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/tests/on_ranks.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "harness/team/thread_team.hpp"

namespace assay::rdma::tests {

std::vector<Ended> on_ranks(int n, const std::function<void(team::Team&)>& part) {
  std::vector<std::unique_ptr<team::Team>> teams = team::make_thread_teams(n);
  std::vector<Ended> ended(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < teams.size(); ++rank)
    threads.emplace_back([&, rank] {
      fake::this_thread_is(static_cast<int>(rank));
      try {
        part(*teams[rank]);
      } catch (const core::Error& error) {
        ended[rank] = {.threw = true,
                       .unsupported = dynamic_cast<const core::Unsupported*>(&error) != nullptr,
                       .lost = dynamic_cast<const team::PeerLost*>(&error) != nullptr,
                       .what = error.what(),
                       .kind = error.kind(),
                       .code = error.code()};
      } catch (const std::exception& error) {
        ended[rank] = {.threw = true, .what = std::string("no core::Error: ") + error.what()};
      }
    });
  for (std::thread& thread : threads) thread.join();
  return ended;
}

void all_well_on_ranks(int n, const std::function<void(team::Team&)>& part) {
  const std::vector<Ended> ended = on_ranks(n, part);
  for (std::size_t rank = 0; rank < ended.size(); ++rank)
    EXPECT_EQ(ended[rank].what, "") << "at rank " << rank;
}

Settings settings(const Asked& asked) {
  Settings made;
  made.message = {.operation = asked.operation, .transport = asked.transport, .bytes = asked.bytes};
  made.posting = asked.posting;
  made.placement.slots = asked.slots;
  return made;
}

Flow flow(int from, int to, const Settings& settings) {
  return {.from = from, .to = to, .message = settings.message, .posting = settings.posting};
}

TwoEnds::TwoEnds(const Settings& settings, Fault fault) : teams(team::make_thread_teams(2)) {
  std::thread other([&] {
    second = std::make_unique<Wiring>(*teams[1], settings, std::vector{flow(0, 1, settings)}, fault);
  });
  first = std::make_unique<Wiring>(*teams[0], settings, std::vector{flow(0, 1, settings)}, fault);
  other.join();
}

core::Point point_with(const std::vector<std::pair<std::string, core::Value>>& values) {
  core::Point point{{"operation", "write"}, {"bytes", std::int64_t{4096}}};
  for (const auto& axes : {posting_axes(), connection_axes()})
    for (const core::Axis& axis : axes) point.set(axis.name, axis.values.front());
  for (const auto& [name, value] : values) point.set(name, value);
  return point;
}

}  // namespace assay::rdma::tests
