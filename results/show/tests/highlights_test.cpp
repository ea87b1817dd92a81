// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The card's highlights of the fabric, and how its devices are told.
#include "results/show/highlights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/show/card.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string fact(const Facts& facts, const std::string& name) {
  for (const auto& [key, value] : facts)
    if (key == name) return value;
  return "";
}

TEST(FabricHighlights, AreLatencyAtTheSmallestSizeAndBandwidthAtTheLargest) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  std::string lines;
  for (const Record& record : test::fixed_run()) lines += to_line(record) + "\n";
  test::write_text(folder / "run.jsonl", lines);
  store.import_journal(folder / "run.jsonl");
  const Highlights highlights = highlights_of(RunPoints(store));
  ASSERT_EQ(highlights.rdma_latency.size(), 3u);
  EXPECT_EQ(highlights.rdma_latency[0].label, "write");
  EXPECT_EQ(highlights.rdma_latency[0].detail, "2 B");
  ASSERT_EQ(highlights.rdma_bandwidth.size(), 3u);
  EXPECT_THAT(highlights.rdma_bandwidth[0].detail, testing::StartsWith("1 MiB"));
  EXPECT_NEAR(highlights.rdma_bandwidth[0].efficiency->value, 0.995, 1e-9);
  EXPECT_EQ(highlights.rdma_bandwidth[0].link_class, "");
  EXPECT_EQ(highlights.rdma_bandwidth[2].label, "read");
  EXPECT_EQ(highlights.rdma_bandwidth[2].efficiency, std::nullopt);
  EXPECT_EQ(highlights.rdma_bandwidth[2].link_class, "unknown");
  ASSERT_EQ(highlights.rdma_rate.size(), 1u);
  EXPECT_EQ(highlights.rdma_unclean, "5 of 25 points not clean: 2 lossy, 1 unknown, 2 congested");
}

TEST(ProductHighlights, NameTheSizesThatAreMeant) {
  test::RunBuilder builder("r");
  builder.begin(0, "gemm");
  auto square = builder.point(
      "gemm.host.matmul",
      {{"m", std::int64_t{1024}}, {"n", std::int64_t{0}}, {"k", std::int64_t{0}}, {"dtype", "fp32"}});
  square.work_flops = 2.0 * 1024 * 1024 * 1024;
  builder.measured(std::move(square), 1e-3,
                   {"tflops", "TFLOP/s", [](double s) { return 2.147483648e-3 / s; }});
  builder.end();
  Store store("");
  store.add(builder.take());
  const Highlights highlights = highlights_of(RunPoints(store));
  ASSERT_EQ(highlights.gemm.size(), 1u);
  EXPECT_THAT(highlights.gemm[0].detail, HasSubstr("m 1024, n 1024, k 1024"));
}

TEST(HcaFacts, EqualPortsAreToldOnceWithTheirDevices) {
  const Json port{{"device", "mlx5_0"},
                  {"port", 1},
                  {"part", "ConnectX-7"},
                  {"firmware", "28.39.1002"},
                  {"state", "ACTIVE"},
                  {"link_layer", "Ethernet"},
                  {"rate", "400 Gb/sec (4X NDR)"},
                  {"mtu_bytes", 4096}};
  Json second = port, down = port;
  second["device"] = "mlx5_1";
  second["port"] = 2;
  down["state"] = "DOWN";
  EXPECT_EQ(fact(machine_facts({{"hcas", {port, second}}}), "HCA"),
            "2 x ConnectX-7, Ethernet, 400 Gb/sec (4X NDR), ACTIVE, MTU 4096, firmware 28.39.1002: mlx5_0, "
            "mlx5_1:2");
  EXPECT_THAT(fact(machine_facts({{"hcas", {down}}}), "HCA"), HasSubstr("DOWN"));
}

TEST(HcaFacts, TheRateOfASoftwareDeviceIsNotTold) {
  const Json hca{{"device", "rxe0"},
                 {"port", 1},
                 {"software", true},
                 {"state", "ACTIVE"},
                 {"rate", "2.5 Gb/sec (1X SDR)"}};
  EXPECT_EQ(fact(machine_facts({{"hcas", {hca}}}), "HCA"), "1 x software device, ACTIVE: rxe0");
}

TEST(HcaFacts, ADocumentOfAnotherShapeIsNoFact) {
  EXPECT_EQ(fact(machine_facts({{"hcas", "none"}}), "HCA"), "");
}

TEST(Card, AnIntervalIsNotBroken) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  auto point = test::sample_point();
  point.metrics[0] = {"bandwidth_gb_per_s", "GB/s", 21.4, 21.3, 23.9};
  store.add(point);
  EXPECT_THAT(node_card(RunPoints(store), 40), HasSubstr("[21.30, 23.90]"));
}

}  // namespace
}  // namespace assay::results
