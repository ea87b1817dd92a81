// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/stored_pairs.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "model/fabric/presets.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;

/// Pairs of a store whose only point has these flows, on a star of four hosts with these names.
locate::MeasuredPairs pairs_of(const std::vector<results::FlowReport>& flows, std::vector<std::string> names,
                               const std::vector<results::RankReport>& ranks = {}) {
  const results::test::TemporaryFolder folder;
  results::Store store(folder / "store.db");
  store.add(results::test::sample_context());
  auto point = results::test::sample_point("run-1", 1);
  point.case_name = "rdma.verbs.pairs";
  point.flows = flows;
  point.ranks = ranks;
  point.conditions = {{core::names::host, "node-a"}, {core::names::rail, std::int64_t{0}}};
  store.add(point);
  const fabric::Topology topology = fabric::star(4);
  if (!names.empty()) names.emplace_back("leaf");
  return answers::stored_pairs(store, std::nullopt, "rdma.verbs.pairs", topology,
                               locate::NodeNames(topology, std::move(names)));
}

TEST(StoredPairs, AreRatesOfFlowsAndOfSuspectsThoseAlone) {
  const locate::MeasuredPairs pairs = pairs_of({{.from = 0, .to = 1, .gb_per_s = 46},
                                                {.from = 1, .to = 3, .gb_per_s = 30, .alone_gb_per_s = 32},
                                                {.from = 2, .to = 3}},
                                               {});
  ASSERT_EQ(pairs.measurements.size(), 2U);
  EXPECT_DOUBLE_EQ(pairs.measurements[0].rate, 46'000);
  EXPECT_DOUBLE_EQ(pairs.measurements[1].rate, 32'000);
  EXPECT_EQ(pairs.measurements[1].flows.front().destination, 3U);
  EXPECT_EQ(pairs.known_paths, 0U);
  EXPECT_EQ(pairs.origin, "measured");
}

TEST(StoredPairs, HaveTheQueuePairsOfTheRecordsAndRunTogetherInRounds) {
  const locate::MeasuredPairs pairs =
      pairs_of({{.from = 0, .to = 1, .gb_per_s = 46, .queue_pairs = {{49153, 17}, {49154, 18}}},
                {.from = 2, .to = 3, .gb_per_s = 46, .queue_pairs = {{49155, 19}}},
                {.from = 0, .to = 2, .gb_per_s = 46, .queue_pairs = {{49156, 20}}},
                {.from = 1, .to = 3, .gb_per_s = 30, .alone_gb_per_s = 32, .queue_pairs = {{49157, 21}}}},
               {});
  ASSERT_EQ(pairs.measurements.size(), 4U);
  EXPECT_EQ(pairs.known_paths, 4U);
  EXPECT_EQ(pairs.concurrency, locate::Concurrency::together);
  const auto& queue_pairs = pairs.measurements[0].flows.front().queue_pairs;
  ASSERT_EQ(queue_pairs.size(), 2U);
  EXPECT_EQ(queue_pairs[1].ports, (fabric::QueuePairPorts{49154, 18}));
  EXPECT_EQ(pairs.measurements[0].round, pairs.measurements[1].round);
  EXPECT_NE(pairs.measurements[0].round, pairs.measurements[2].round);
  EXPECT_NE(pairs.measurements[2].round, pairs.measurements[3].round);
}

TEST(StoredPairs, OfWhichOneHasNoPortsCountAsAlone) {
  const locate::MeasuredPairs pairs =
      pairs_of({{.from = 0, .to = 1, .gb_per_s = 46, .queue_pairs = {{49153, 17}}},
                {.from = 2, .to = 3, .gb_per_s = 46}},
               {});
  EXPECT_EQ(pairs.known_paths, 1U);
  EXPECT_EQ(pairs.concurrency, locate::Concurrency::alone);
}

TEST(StoredPairs, RanksAreFoundByNodeAndRail) {
  const std::vector<results::RankReport> ranks = {
      {1, {{core::names::host, "node-b"}, {core::names::rail, std::int64_t{1}}}}};
  const locate::MeasuredPairs pairs = pairs_of({{.from = 0, .to = 1, .gb_per_s = 46}},
                                               {"node-b rail0", "node-b rail1", "node-x", "node-a"}, ranks);
  EXPECT_EQ(pairs.measurements.front().flows.front().source, 3U);
  EXPECT_EQ(pairs.measurements.front().flows.front().destination, 1U);
}

TEST(StoredPairs, RefusesWhatTheFabricHasNot) {
  const std::vector<results::FlowReport> flow = {{.from = 0, .to = 9, .gb_per_s = 46}};
  EXPECT_THROW(pairs_of(flow, {}), core::Error);
  EXPECT_THROW(pairs_of(flow, {"node-a", "b", "c", "d"}), core::Error);
  EXPECT_THROW(pairs_of({}, {}), core::Error);
}

}  // namespace
}  // namespace assay::cli
