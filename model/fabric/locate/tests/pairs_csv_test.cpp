// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/pairs_csv.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/path/udp_port.hpp"
#include "model/fabric/locate/location_report.hpp"
#include "model/fabric/presets.hpp"

namespace assay::model::fabric::locate {
namespace {

Topology two_leaves() { return ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 2}); }

MeasuredPairs read(const std::string& text) {
  const Topology topology = two_leaves();
  return read_pairs({"pairs.csv", text}, topology, NodeNames(topology));
}

TEST(PairsCsv, ReadsRatesErrorsAndPorts) {
  const MeasuredPairs pairs =
      read("from,to,gb_per_s,error_gb_per_s,source_port,destination_qpn\nhost0,3,40,0.4,49152;49153,17;18\n");
  ASSERT_EQ(pairs.measurements.size(), 1U);
  const Measurement& one = pairs.measurements.front();
  EXPECT_EQ(one.flows.front().source, 0U);
  EXPECT_EQ(one.flows.front().destination, 3U);
  EXPECT_DOUBLE_EQ(one.rate, 40'000);
  EXPECT_DOUBLE_EQ(one.relative_error, 0.01);
  ASSERT_EQ(one.flows.front().queue_pairs.size(), 2U);
  EXPECT_EQ(one.flows.front().queue_pairs[1].ports, (QueuePairPorts{49153, 18}));
  EXPECT_EQ(pairs.concurrency, Concurrency::alone);
  EXPECT_EQ(pairs.known_paths, 1U);
  EXPECT_EQ(pairs.origin, "imported");
}

TEST(PairsCsv, PortsFollowFromQueuePairNumbers) {
  const MeasuredPairs pairs = read("from,to,gb_per_s,source_qpn,destination_qpn\n0,3,40,291,1110\n");
  EXPECT_EQ(pairs.measurements.front().flows.front().queue_pairs.front().ports,
            (QueuePairPorts{path::udp_source_port(0, 291, 1110), 1110}));
}

TEST(PairsCsv, ReadsTheAddressesOfHosts) {
  const MeasuredPairs pairs =
      read("from,to,gb_per_s,from_address,to_address\n0,3,40,10.1.0.1,10.1.0.9\n3,1,40,10.1.0.9,\n");
  EXPECT_EQ(pairs.addresses, (std::map<NodeId, std::string>{{0, "10.1.0.1"}, {3, "10.1.0.9"}}));
}

TEST(PairsCsv, BytesAndTimeAreARate) {
  EXPECT_DOUBLE_EQ(read("from,to,bytes,time_us\n0,3,1000000,25\n").measurements.front().rate, 40'000);
}

TEST(PairsCsv, RowsOfOneMeasurementAreAStepWhoseSlowestDecides) {
  const MeasuredPairs pairs =
      read("from,to,gb_per_s,measurement,round\n0,3,40,a,1\n1,2,30,a,1\n0,1,45,b,2\n");
  ASSERT_EQ(pairs.measurements.size(), 2U);
  EXPECT_EQ(pairs.measurements.front().flows.size(), 2U);
  EXPECT_DOUBLE_EQ(pairs.measurements.front().rate, 30'000);
  EXPECT_EQ(pairs.measurements.back().round, 2U);
  EXPECT_EQ(pairs.concurrency, Concurrency::together);
  EXPECT_EQ(pairs.known_paths, 0U);
}

TEST(PairsCsv, ATracedPathIsTaken) {
  const Topology topology = two_leaves();
  const MeasuredPairs pairs = read("from,to,gb_per_s,via\n0,3,40,leaf0;spine1;leaf1\n0,1,40,leaf0\n");
  const std::vector<LinkId>& path = pairs.measurements.front().flows.front().queue_pairs.front().path;
  ASSERT_EQ(path.size(), 4U);
  EXPECT_EQ(topology.name_of_link(path[1]), "leaf0>spine1");
  EXPECT_EQ(pairs.measurements.back().flows.front().queue_pairs.front().path.size(), 2U);
}

TEST(PairsCsv, RefusesWithFileLineAndColumn) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"from,to,gb_per_s\n0,host9,40\n", "pairs.csv:2: column 'to': the fabric has no node 'host9'"},
      {"from,to,gb_per_s\nleaf0,1,40\n", "pairs.csv:2: column 'from': expected a host"},
      {"from,to,gb_per_s\n1,1,40\n", "pairs.csv:2: column 'to': expected another host"},
      {"from,to,gb_per_s\n0,1,-4\n", "pairs.csv:2: column 'gb_per_s': expected a number above 0"},
      {"from,to\n0,1\n", "expected a column 'gb_per_s', or 'bytes' and 'time_us'"},
      {"from,to,bytes\n0,1,8\n", "expected a column 'gb_per_s', or 'bytes' and 'time_us'"},
      {"from,to,gb_per_s,source_port\n0,3,40,70000\n",
       "column 'source_port': expected a whole number from 0"},
      {"from,to,gb_per_s,source_qpn\n0,3,40,7\n", "column 'destination_qpn': expected 1 numbers"},
      {"from,to,gb_per_s,via\n0,3,40,leaf0;leaf1\n", "column 'via': no cable leads to 'leaf1'"},
      {"from,to,gb_per_s,via\n0,3,40,leaf0;spine1\n", "column 'via': the path does not end at"},
      {"from,to,gb_per_s,queue_pairs\n0,3,40,257\n", "column 'queue_pairs': expected at most 256"},
      {"from,to,gb_per_s,round\n0,3,40,x\n", "column 'round': expected a whole number"},
      {"from,to,gb_per_s,from_address\n0,3,40,10.1.0\n",
       "pairs.csv:2: column 'from_address': expected an IPv4 or IPv6 address, got '10.1.0'"},
      {"from,to,gb_per_s,from_address\n0,3,40,10.1.0.1\n0,2,40,10.1.0.2\n",
       "pairs.csv:3: column 'from_address': expected the address that the host had before"},
      {"from,to,rate\n0,3,40\n", "pairs.csv"}};
  for (const auto& [text, why] : cases) try {
      read(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const core::Error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what() << "\n" << text;
    }
}

TEST(LocationReport, AnswersInTheFirstLineAndAsJson) {
  const Topology topology = two_leaves();
  const Router router(topology, {});
  std::string csv = "from,to,gb_per_s,via\n";
  for (int repeat = 0; repeat < 6; ++repeat)
    for (int from = 0; from < 4; ++from)
      for (int to = 0; to < 4; ++to) {
        if (from == to) continue;
        const bool crosses = from / 2 != to / 2;
        const std::string rate = from == 2 ? "30" : repeat % 2 == 0 ? "49" : "48.9";
        csv += std::to_string(from) + "," + std::to_string(to) + "," + rate + ",leaf" +
               std::to_string(from / 2) +
               (crosses ? ";spine" + std::to_string(repeat % 2) + ";leaf" + std::to_string(to / 2) : "") +
               "\n";
      }
  const MeasuredPairs pairs = read_pairs({"pairs.csv", csv}, topology, NodeNames(topology));
  const Elements elements(topology);
  const Incidence incidence(router, elements, pairs.measurements, pairs.concurrency);
  const LocationReport report = locate_and_report(router, elements, incidence, pairs.measurements);
  EXPECT_TRUE(to_text(report).starts_with("host2>leaf1 keeps 0.61")) << to_text(report);
  EXPECT_NE(to_json(report).find(R"("element": "host2>leaf1")"), std::string::npos) << to_json(report);
}

TEST(NodeNames, KnowsWhatElseNodesAreCalled) {
  const Topology topology = star(2, {});
  const NodeNames names(topology, {"n1", "n2", "leaf"}, {{"n2 mlx5_0", 1}, {"n1", 1}});
  EXPECT_EQ(names.host("n2 mlx5_0", ""), 1U);
  EXPECT_EQ(names.find_port("n2", "mlx5_0"), 1U);
  EXPECT_EQ(names.host("n1", ""), 0U) << "a node's own name comes first";
}

}  // namespace
}  // namespace assay::model::fabric::locate
