// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How the chart of memory bandwidth names its rows.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "results/report/sections.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

TEST(BandwidthChart, HasARowForEachMannerOfMoving) {
  test::RunBuilder builder("20260102T030405Z-movers");
  builder.begin(0, "memory");
  const auto add = [&](const char* name, Fields axes) {
    axes.insert(axes.begin(), {"bytes", std::int64_t{1} << 30});
    builder.measured(builder.point(name, std::move(axes)), 1e-3,
                     {"bandwidth_gb_per_s", "GB/s", [](double s) { return 1 / s; }});
  };
  for (const char* cache : {"hot", "cold"}) {
    add("memory.cuda.read", {{"cache_state", cache}});
    for (const char* mover : {"sm", "tma"})
      add("memory.cuda.copy", {{"cache_state", cache}, {"mover", mover}});
  }
  builder.end();
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(builder.take());
  const auto points = report_data(RunPoints(store)).at("bandwidth").at("points");
  std::map<std::string, std::set<std::string>> series;
  for (const auto& point : points) series[point.at("kernel")].insert(point.at("series"));
  const std::set<std::string> states{"cold", "hot"};
  EXPECT_EQ(series, (std::map<std::string, std::set<std::string>>{
                        {"read", states}, {"copy, sm", states}, {"copy, tma", states}}));
}

}  // namespace
}  // namespace assay::results
