// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/stored_value.hpp"

#include <gtest/gtest.h>

#include "harness/core/names.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::model::claims {
namespace {

using results::Store;

/// Two runs; the later one has only copies.
class StoredValueOf : public testing::Test {
 protected:
  StoredValueOf() {
    add("run-1", "offload.cuda.copy", "h2d", 50, {{core::names::gpu_name, "H100"}});
    add("run-1", "offload.cuda.copy", "both", 90, {{core::names::gpu_name, "H100"}});
    add("run-1", "offload.cuda.copy", "d2h", 55, {{core::names::gpu_name, "H100"}});
    add("run-1", "memory.host.copy", "one", 7, {});
    add("run-2", "memory.host.copy", "one", 8, {{core::names::not_a_performance_measurement, "planted"}});
  }

  void add(const std::string& run, const std::string& name, const std::string& way, double value,
           const results::Fields& conditions) {
    if (runs_.empty() || runs_.back() != run) {
      results::ContextRecord context = results::test::sample_context(run);
      context.host = "node7";
      store_.add(context);
      runs_.push_back(run);
    }
    results::PointRecord point = results::test::sample_point(run, sequence_++);
    point.case_name = name;
    point.point = {{"direction", way}};
    point.key = "direction=" + way;
    point.metrics = {{"bandwidth_gb_per_s", "GB/s", value, {}, {}}};
    point.conditions = conditions;
    store_.add(point);
  }

  std::optional<StoredValue> find(const std::string& glob, Pick pick = Pick::median,
                                  const std::string& metric = "bandwidth_gb_per_s") {
    const results::RunPoints first(store_, "run-1"), second(store_, "run-2");
    const std::vector<const results::RunPoints*> runs{&second, &first};
    return stored_value(
        runs, {.given = {}, .command = {}, .value = {}, .point = glob, .metric = metric, .pick = pick});
  }

  Store store_{""};
  std::vector<std::string> runs_;
  std::int64_t sequence_ = 0;
};

TEST_F(StoredValueOf, PointsIsTheMedianOrWhatIsPicked) {
  EXPECT_EQ(find("offload.cuda.copy/*")->value, 55);
  EXPECT_EQ(find("offload.cuda.copy/*", Pick::most)->value, 90);
  EXPECT_EQ(find("offload.cuda.copy/*", Pick::least)->value, 50);
  EXPECT_EQ(find("offload.cuda.copy/direction=both")->value, 90);
}

TEST_F(StoredValueOf, ARunNamesItsOriginAndTheGpuOrElseTheHost) {
  EXPECT_EQ(find("offload.*")->origin, "measured");
  EXPECT_EQ(find("offload.*")->on, "H100");
  EXPECT_EQ(find("memory.*")->on, "node7");
}

TEST_F(StoredValueOf, WhatIsNoPerformanceMeasurementDoesNotCount) { EXPECT_EQ(find("memory.*")->value, 7); }

TEST_F(StoredValueOf, NoSuchPointOrMetricIsNothing) {
  EXPECT_FALSE(find("rdma.*"));
  EXPECT_FALSE(find("offload.*", Pick::median, "latency_us"));
}

TEST_F(StoredValueOf, ATimeIsThatOfAnIterationWhereTheHeadlineIsARate) {
  const double time_s = results::test::sample_point("run-1", 0).time->value_s;
  EXPECT_DOUBLE_EQ(find("offload.*", Pick::median, core::names::time_us)->value, 1e6 * time_s);
}

}  // namespace
}  // namespace assay::model::claims
