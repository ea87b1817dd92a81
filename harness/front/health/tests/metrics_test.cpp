// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/version.hpp"

namespace assay::health {
namespace {

using testing::HasSubstr;
using testing::Not;

Snapshot small_node() {
  Snapshot now;
  now.host = "n1";
  now.kernel_release = "6.8";
  now.pci_seen = true;
  now.pci_gpus = {"0000:4b:00.0"};
  GpuState gpu;
  gpu.index = 3;
  gpu.address = "0000:4b:00.0";
  gpu.name = "a \"GPU\"";
  gpu.serial = "1650";
  gpu.power_limit_w = 700;
  gpu.remapped_rows = machine::RemappedRows{.corrected = 2, .uncorrected = 1};
  gpu.nvlinks.emplace(2);
  gpu.nvlinks->front().active = true;
  now.gpus = {gpu};
  now.counters = {{gpu.unit(), "ecc_corrected", 5},
                  {gpu.unit(), "throttled_hw_thermal_ns", 2'500'000'000},
                  {gpu.unit(), "pcie_replays", std::nullopt},
                  {"host", "ce_count", 7}};
  now.ports = {
      {.device = "mlx5_0", .port = 1, .values = {{{link::CounterSource::hw, "", "out_of_sequence"}, 9}}}};
  return now;
}

std::vector<Finding> small_findings() {
  return {{.check = "gpu.sram", .unit = "GPU 3 0000:4b:00.0", .status = Status::passed},
          {.check = "gpu.sram", .unit = "GPU 3 0000:4b:00.0", .status = Status::failed},
          {.check = "host.clock", .status = Status::noticed},
          {.check = "kernel.log", .status = Status::unknown},
          {.check = "rdma.mtu", .status = Status::absent},
          {.check = "rdma.gids", .status = Status::waived}};
}

TEST(Metrics, AreThese) {
  EXPECT_THAT(
      to_metrics(small_node(), small_findings(),
                 {.unix_s = 1'795'763'894.5, .duration_s = 2.25, .origin = "simulated"}),
      testing::AllOf(
          HasSubstr("assay_check_info{node=\"n1\",version=\"" + core::version() +
                    "\",kernel=\"6.8\",origin=\"simulated\"} 1\n"),
          HasSubstr("assay_check_timestamp_seconds{node=\"n1\"} 1795763894.5\n"),
          HasSubstr("assay_check_duration_seconds{node=\"n1\"} 2.25\n"),
          HasSubstr("assay_check_verdict{node=\"n1\"} 4\n"),
          HasSubstr("assay_check_findings{node=\"n1\",status=\"absent\"} 1\n"),
          HasSubstr("assay_check_findings{node=\"n1\",status=\"failed\"} 1\n"),
          HasSubstr("assay_gpus{node=\"n1\",seen_by=\"driver\"} 1\n"),
          HasSubstr("assay_gpu_info{node=\"n1\",gpu=\"3\",serial=\"1650\",address=\"0000:4b:00.0\",uuid=\"\","
                    "name=\"a \\\"GPU\\\"\",vbios=\"\"} 1\n"),
          HasSubstr("assay_gpu_power_limit_watts{node=\"n1\",gpu=\"3\",serial=\"1650\"} 700\n"),
          HasSubstr(
              "assay_gpu_remapped_rows{node=\"n1\",gpu=\"3\",serial=\"1650\",errors=\"corrected\"} 2\n"),
          HasSubstr("assay_gpu_nvlinks_active{node=\"n1\",gpu=\"3\",serial=\"1650\"} 1\n"),
          HasSubstr(
              "# TYPE assay_gpu_ecc_errors_total counter\n"
              "assay_gpu_ecc_errors_total{node=\"n1\",gpu=\"3\",serial=\"1650\",errors=\"corrected\"} 5\n"),
          HasSubstr("assay_gpu_throttled_seconds_total{node=\"n1\",gpu=\"3\",serial=\"1650\","
                    "cause=\"hw_thermal\"} 2.5\n"),
          HasSubstr("assay_port_events_total{node=\"n1\",device=\"mlx5_0\",port=\"1\",source=\"hw\","
                    "counter=\"out_of_sequence\"} 9\n")));
}

TEST(Metrics, GiveTheWorstFindingOfACheckOnAUnitAndNoneOfWhatWasExcused) {
  const std::string text = to_metrics(small_node(), small_findings(), {});
  EXPECT_THAT(text, HasSubstr("assay_check_status{node=\"n1\",check=\"gpu.sram\",unit=\"GPU 3 0000:4b:00.0\","
                              "gpu=\"3\",serial=\"1650\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("check=\"host.clock\",unit=\"host\",gpu=\"\",serial=\"\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("check=\"kernel.log\",unit=\"host\",gpu=\"\",serial=\"\"} 2\n"));
  EXPECT_THAT(text, Not(HasSubstr("rdma.mtu")));
  EXPECT_THAT(text, Not(HasSubstr("rdma.gids")));
}

TEST(Metrics, HaveNoSeriesOfWhatWasNotRead) {
  EXPECT_THAT(to_metrics(small_node(), {}, {}), Not(HasSubstr("assay_gpu_pcie_replays_total")));
  Snapshot bare;
  bare.host = "n1";
  const std::string text = to_metrics(bare, {}, {});
  EXPECT_THAT(text, HasSubstr("assay_check_verdict{node=\"n1\"} 2\n"));
  EXPECT_THAT(text, Not(HasSubstr("assay_gpu_info")));
  EXPECT_THAT(text, Not(HasSubstr("seen_by=\"pci\"")));
}

}  // namespace
}  // namespace assay::health
