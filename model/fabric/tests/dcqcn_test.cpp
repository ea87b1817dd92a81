// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/dcqcn.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {
namespace {

DcqcnSettings settings_of(const nlohmann::json& of, const nlohmann::json& one) {
  return {.link_gbit_per_s = one.at("link_gbit_per_s").get<double>(),
          .flows = one.at("flows").get<int>(),
          .packet_bytes = of.at("packet_bytes").get<double>(),
          .additive_gbit_per_s = of.at("r_ai_gbit_per_s").get<double>(),
          .byte_counter_bytes = of.at("byte_counter_bytes").get<double>(),
          .timer_s = of.at("timer_s").get<double>(),
          .notification_interval_s = of.at("cnp_interval_s").get<double>(),
          .alpha_interval_s = of.at("alpha_interval_s").get<double>(),
          .fast_recovery_steps = of.at("fast_recovery_steps").get<double>(),
          .gain = of.at("g").get<double>(),
          .mark_from_bytes = of.at("k_min_bytes").get<double>(),
          .mark_all_from_bytes = of.at("k_max_bytes").get<double>(),
          .most_marked = of.at("p_max").get<double>(),
          .feedback_delay_s = of.at("feedback_delay_s").get<double>()};
}

TEST(Dcqcn, FixedPointAndMeanQueueOfTheVectors) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const nlohmann::json vectors = vector_json("dcqcn.json");
  for (const nlohmann::json& one : vectors.at("cases")) {
    const DcqcnSettings settings = settings_of(vectors.at("parameters"), one);
    const DcqcnFixedPoint point = dcqcn_fixed_point(settings);
    const double marked = one.at("p_fixed_point").get<double>();
    EXPECT_NEAR(point.marked, marked, 1e-6 * marked);
    const double small = one.at("p_small_p_formula").get<double>();
    EXPECT_NEAR(dcqcn_small_share(settings), small, 1e-6 * small);
    const nlohmann::json& queue = one.at("queue_fixed_point_bytes");
    ASSERT_EQ(point.queue_bytes.has_value(), !queue.is_null());
    if (point.queue_bytes) {
      EXPECT_NEAR(*point.queue_bytes, queue.get<double>(), 1e-6 * *point.queue_bytes);
    }
    const DcqcnRun run = integrate_dcqcn(settings);
    const double mean = one.at("ode_mean_queue_bytes").get<double>();
    EXPECT_NEAR(run.mean_queue_bytes, mean, 0.01 * mean) << settings.flows << " flows";
    EXPECT_NEAR(run.utilisation, one.at("ode_utilisation").get<double>(), 0.01);
  }
}

TEST(Dcqcn, MoreFlowsMarkMoreAndLowerThresholdsQueueLess) {
  const DcqcnSettings two, eight{.flows = 8};
  EXPECT_LT(dcqcn_fixed_point(two).marked, dcqcn_fixed_point(eight).marked);
  DcqcnSettings tight = two;
  tight.mark_all_from_bytes = 50000;
  EXPECT_LT(*dcqcn_fixed_point(tight).queue_bytes, *dcqcn_fixed_point(two).queue_bytes);
}

/// Served bytes and idle time make up the time; what is lost does not fall with more to carry.
TEST(Dcqcn, FlowsThatStartAtLineRateLoseTimeOnceAndNoneAlone) {
  DcqcnSettings settings{.flows = 8};
  const double link = settings.link_gbit_per_s * 1e9 / 8;
  double before_s = 0;
  for (const double carried_s : {1e-4, 1e-3, 1e-2, 0.1}) {
    const DcqcnStart start = start_of_dcqcn(settings, carried_s * link);
    EXPECT_GE(start.lost_s, before_s);
    before_s = start.lost_s;
  }
  EXPECT_GT(before_s, 1e-4);
  EXPECT_NEAR(start_of_dcqcn(settings, 0.5 * link).lost_s, before_s, 0.1 * before_s) << "settled: none more";
  EXPECT_GT(start_of_dcqcn(settings, link).most_queued_bytes, settings.mark_all_from_bytes);
  settings.flows = 1;
  EXPECT_DOUBLE_EQ(start_of_dcqcn(settings, link).lost_s, 0);
}

TEST(Dcqcn, RefusesSettingsThatMeanNothing) {
  EXPECT_THROW(dcqcn_fixed_point({.flows = 0}), core::Error);
  EXPECT_THROW(dcqcn_fixed_point({.timer_s = -1}), core::Error);
  EXPECT_THROW(dcqcn_fixed_point({.mark_all_from_bytes = 5000}), core::Error);
}

}  // namespace
}  // namespace assay::model::fabric
