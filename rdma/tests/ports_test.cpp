// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ports of two nodes at once, on the fake verbs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "harness/core/error.hpp"
#include "rdma/cases.hpp"
#include "rdma/tests/on_ranks.hpp"
#include "rdma/trials/stream_trial.hpp"

namespace assay::rdma {
namespace {

using fake::FakeVerbs;
using testing::HasSubstr;

core::Case ports_case(const Surroundings& around) {
  const auto all = cases(around);
  return *std::ranges::find(all, "rdma.verbs.ports", &core::Case::name);
}

core::Point ports_point(std::int64_t ports) {
  return tests::point_with({{"ports", ports}, {"bytes", std::int64_t{65536}}});
}

TEST(Ports, RunAgainAloneWhereEachIsASuspect) {
  const FakeVerbs verbs;
  const machine::Machine machine;
  const Settings settings = tests::settings({.bytes = 4096});
  std::vector<core::FlowReport> flows;
  tests::all_well_on_ranks(4, [&](team::Team& team) {
    StreamTrial trial(machine, team, settings,
                      {.rounds = {{tests::flow(0, 2, settings), tests::flow(1, 3, settings)}},
                       .suspect_share = std::numeric_limits<double>::infinity()});
    trial.enqueue(2);
    trial.sampling_begins();
    trial.enqueue(100);
    trial.sampling_ends();
    if (team.rank() == 0) flows = trial.flows();
  });
  ASSERT_EQ(flows.size(), 2U);
  for (const core::FlowReport& one : flows) {
    EXPECT_GT(one.gb_per_s.value_or(0), 0);
    EXPECT_GT(one.alone_gb_per_s.value_or(0), 0);
  }
}

TEST(Ports, NeedARankEach) {
  const FakeVerbs verbs;
  const machine::Machine machine;
  const auto ended = tests::on_ranks(2, [&](team::Team& team) {
    ports_case({.machine = &machine, .ranks = 2, .team = &team}).prepare(ports_point(2));
  });
  EXPECT_TRUE(ended.front().unsupported);
  EXPECT_THAT(ended.front().what,
              HasSubstr("ports=2: between the nodes of ranks 0 and 1 are 1 pairs of ranks; "
                        "each port needs one"));
}

TEST(Ports, AreTwoOrMore) {
  const FakeVerbs verbs;
  const machine::Machine machine;
  EXPECT_THROW(ports_case({.machine = &machine}).work(ports_point(1)), core::Error);
}

}  // namespace
}  // namespace assay::rdma
