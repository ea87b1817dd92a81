// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/orders.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/core/error.hpp"

namespace assay::team {
namespace {

using Result = core::Verification::Result;

TEST(Orders, AreTheSameAfterTheirWayAsText) {
  const Order order =
      order_from(to_text(Order{.act = Act::prepare,
                               .iterations = std::int64_t{1} << 40,
                               .case_name = "rdma.verbs.latency",
                               .point = {{"bytes", std::int64_t{64}}, {"operation", "se\"nd"}}}));
  EXPECT_EQ(order.act, Act::prepare);
  EXPECT_EQ(order.iterations, std::int64_t{1} << 40);
  EXPECT_EQ(order.case_name, "rdma.verbs.latency");
  EXPECT_EQ(order.point.key(), "bytes=64,operation=se\"nd");
  EXPECT_EQ(order_from(to_text(Order{.act = Act::dismiss})).act, Act::dismiss);
}

TEST(Timings, KeepEverySampleToTheLastBit) {
  const core::Timing timing =
      timing_from(to_text(core::Timing{.seconds = 0.1, .each_s = {1e-9, 1.0 / 3, 0}}));
  EXPECT_EQ(timing.seconds, 0.1);
  EXPECT_EQ(timing.each_s, (std::vector<double>{1e-9, 1.0 / 3, 0}));
}

TEST(Timings, ThatAreNoNumberStaySo) {
  const core::Timing timing =
      timing_from(to_text(core::Timing{.seconds = std::nan(""), .each_s = {std::nan("")}}));
  EXPECT_TRUE(std::isnan(timing.seconds));
  EXPECT_TRUE(std::isnan(timing.each_s.at(0)));
}

TEST(Verifications, AreTheSameAfterTheirWayAsText) {
  for (const Result result : {Result::right, Result::wrong, Result::not_checked}) {
    const auto found = verification_from(to_text(core::Verification{result, "why", "abc"}));
    EXPECT_EQ(found.result, result);
    EXPECT_EQ(found.why, "why");
    EXPECT_EQ(found.digest, "abc");
  }
}

TEST(Reports, KeepLinksAndFlows) {
  core::Report sent;
  sent.links = {{.link_class = core::LinkClass::lossy,
                 .watched = 43,
                 .counters = {{.counter = "mlx5_0 out_of_sequence",
                               .outcome = core::CounterReport::Outcome::moved_at_least,
                               .moved = ~std::uint64_t{0},
                               .speaks_for = core::LinkClass::lossy,
                               .about = "packets arrived in another order"}}}};
  sent.flows = {{.from = 1, .to = 2, .gb_per_s = 48.5},
                {.from = 3, .to = 0, .alone_gb_per_s = 32, .queue_pairs = {{49153, 17}, {49154, 18}}}};
  const core::Report read = report_from(to_text(sent));
  ASSERT_EQ(read.links.size(), 1U);
  EXPECT_EQ(describe(read.links[0]), describe(sent.links[0]));
  EXPECT_EQ(read.links[0].watched, 43);
  EXPECT_EQ(read.links[0].counters.at(0).moved, ~std::uint64_t{0});
  ASSERT_EQ(read.flows.size(), 2U);
  EXPECT_EQ(read.flows[0].to, 2);
  EXPECT_EQ(read.flows[0].gb_per_s, 48.5);
  EXPECT_EQ(read.flows[1].gb_per_s, std::nullopt);
  EXPECT_EQ(read.flows[1].alone_gb_per_s, 32);
  EXPECT_EQ(read.flows[1].queue_pairs, sent.flows[1].queue_pairs);
}

TEST(Reports, KeepTypesBoundsAndWhatIsNoNumber) {
  core::Report told;
  told.metrics = {{"rate_gb_per_s", "GB/s", 7.0, 6.5, 7.5}, {"ratio", "", std::nan("")}};
  told.facts = {{"qps", std::int64_t{7}}, {"share", 7.0}, {"device", "mlx5_0"}, {"odd", "\xff"}};
  const core::Report read = report_from(to_text(told));
  ASSERT_EQ(read.metrics.size(), 2U);
  EXPECT_EQ(read.metrics[0].name, "rate_gb_per_s");
  EXPECT_EQ(read.metrics[0].value, 7.0);
  EXPECT_EQ(read.metrics[0].lower, 6.5);
  EXPECT_EQ(read.metrics[0].upper, 7.5);
  EXPECT_TRUE(std::isnan(read.metrics[1].value));
  EXPECT_FALSE(read.metrics[1].lower.has_value());
  ASSERT_EQ(read.facts.size(), 4U);
  EXPECT_EQ(std::get<std::int64_t>(read.facts[0].second), 7);
  EXPECT_EQ(std::get<double>(read.facts[1].second), 7.0);
  EXPECT_EQ(std::get<std::string>(read.facts[2].second), "mlx5_0");
  EXPECT_EQ(std::get<std::string>(read.facts[3].second), "\xef\xbf\xbd");
}

TEST(Texts, ThatMakeNoSenseAreRefused) {
  for (const char* text :
       {"", "garbage", "{", "[]", "{}", R"({"act":"run"})", R"({"act":0,"iterations":"x"})",
        R"({"act":99,"iterations":1,"case":"","point":[]})",
        R"({"act":-1,"iterations":1,"case":"","point":[]})",
        R"({"act":0,"iterations":1,"case":"","point":[["bytes"]]})"})
    EXPECT_THROW(order_from(text), core::Error) << text;
  for (const char* text : {"", "{}", R"({"seconds":"x","each_s":[]})", R"({"seconds":1,"each_s":["x"]})"})
    EXPECT_THROW(timing_from(text), core::Error) << text;
  for (const char* text : {"", "{}", R"({"result":3,"why":"","digest":""})"})
    EXPECT_THROW(verification_from(text), core::Error) << text;
  for (const char* text :
       {"", "{}", R"({"metrics":[{}],"facts":[]})", R"({"metrics":[],"facts":[["a",[]]]})"})
    EXPECT_THROW(report_from(text), core::Error) << text;
}

}  // namespace
}  // namespace assay::team
