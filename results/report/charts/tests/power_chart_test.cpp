// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "results/report/report.hpp"
#include "results/report/sections.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

class PowerChart : public testing::Test {
 protected:
  PowerChart() { builder_.begin(0, "gemm"); }

  /// The run began at 03:04:05.
  void add(const std::string& started, Fields conditions, std::vector<Metric> metrics,
           const std::string& case_name = "gemm.cuda.matmul") {
    auto record = builder_.point(case_name, {{"m", sequence_++}});
    record.started = started;
    record.conditions = std::move(conditions);
    record.conditions.emplace_back("power_by", "energy_counter");
    record.metrics = std::move(metrics);
    builder_.measured(std::move(record), 1e-3, {"tflops", "TFLOP/s", [](double s) { return 1 / s; }});
  }
  const Section& imported() {
    builder_.end();
    store_.add(builder_.take());
    return *std::ranges::find(sections(), std::string("power"), &Section::id);
  }
  nlohmann::ordered_json points() {
    const Section& section = imported();
    return section.figures.front().data(RunPoints(store_)).at("points");
  }

  static Metric power(double watts) { return {"power_w", "W", watts, {}, {}}; }
  static Metric clock(double mhz) { return {"sustained_sm_clock_mhz", "MHz", mhz, {}, {}}; }

  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
  test::RunBuilder builder_{"20260102T030405Z-power"};
  std::int64_t sequence_ = 0;
};

TEST_F(PowerChart, HasAPointForEachMeasurementAtItsTime) {
  const Fields one{{"gpu_pci_address", "0000:4b:00.0"},
                   {"nvml_sm_clock_min_mhz", 1410.0},
                   {"nvml_sm_clock_max_mhz", std::int64_t{1980}}};
  add("2026-01-02T03:04:15.500Z", one, {power(690), clock(1720)});
  add("2026-01-02T03:04:06.000Z", one, {power(120), clock(1980)});
  const auto all = points();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].at("from_s"), 1.0) << "in order of time";
  EXPECT_EQ(all[0].at("power_w"), 120.0);
  EXPECT_EQ(all[1].at("gpu"), "GPU 0000:4b:00.0");
  EXPECT_EQ(all[1].at("from_s"), 10.5);
  EXPECT_EQ(all[1].at("to_s"), 11.0) << "a measurement of the builder takes 0.5 s";
  EXPECT_EQ(all[1].at("clock_mhz"), 1720.0);
  EXPECT_EQ(all[1].at("lowest_mhz"), 1410.0);
  EXPECT_EQ(all[1].at("highest_mhz"), 1980.0);
}

TEST_F(PowerChart, NamesWhatHeldTheGpuBackAndNotThatItIdled) {
  add("2026-01-02T03:04:06.000Z",
      {{"throttle_gpu_idle_fraction", 0.2},
       {"throttle_sw_power_cap_fraction", 0.35},
       {"throttle_hw_slowdown_fraction", 0.0}},
      {power(700)});
  EXPECT_EQ(points()[0].at("held_back"), "sw_power_cap 35 %");
}

TEST_F(PowerChart, WithoutReadingsHasNeitherPointNorSection) {
  add("2026-01-02T03:04:06.000Z", {}, {});
  add("2026-01-02T03:04:07.000Z", {}, {power(200)}, "memory.host.copy");
  EXPECT_TRUE(points().empty());
  EXPECT_EQ(report_html(RunPoints(store_)).find("id=\"power\""), std::string::npos);
}

TEST_F(PowerChart, AMissingQuantityIsNoZero) {
  add("2026-01-02T03:04:06.000Z", {}, {clock(1500)});
  EXPECT_TRUE(points()[0].at("power_w").is_null());
}

TEST_F(PowerChart, OfAWindowThatWasTooShortIsNoneAndTheTableSaysWhy) {
  auto record = builder_.point("gemm.cuda.matmul", {{"m", sequence_++}});
  record.started = "2026-01-02T03:04:06.000Z";
  record.conditions = {{"telemetry_window_s", 0.0412}};
  record.metrics = {power(722), clock(1500)};
  builder_.measured(std::move(record), 1e-3, {"tflops", "TFLOP/s", [](double s) { return 1 / s; }});
  const Section& section = imported();
  EXPECT_TRUE(section.figures.front().data(RunPoints(store_)).at("points")[0].at("power_w").is_null());
  const std::string csv = to_csv(section.tables.front().table(RunPoints(store_)));
  EXPECT_THAT(csv, testing::Not(HasSubstr("722")));
  EXPECT_THAT(csv, HasSubstr("taken over 0.0412 s, and the energy counter needs 1 s"));
}

TEST_F(PowerChart, HasItsTableInTheReport) {
  add("2026-01-02T03:04:06.000Z", {{"temperature_max_c", 71.0}, {"throttle_sw_power_cap_fraction", 0.5}},
      {power(690), clock(1720)});
  const Table table = imported().tables.front().table(RunPoints(store_));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(to_csv(table), HasSubstr("GPU,gemm.cuda.matmul,m=0,690,,,1720,"));
  const std::string page = report_html(RunPoints(store_));
  for (const char* part : {"id=\"power\"", "Power and SM clock as a table (1 rows)", "sw_power_cap 50 %"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find("data-chart=\"power\"") != std::string::npos, report_has_charts());
}

}  // namespace
}  // namespace assay::results
