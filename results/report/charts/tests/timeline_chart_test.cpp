// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "results/report/charts/charts.hpp"
#include "results/tests/fixed_timeline.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TimelineChart, SpansReachFromTheirBeginningToHowTheyEnded) {
  const auto spans = timeline_chart(test::fixed_timeline())["spans"];
  ASSERT_EQ(spans.size(), 5U);
  EXPECT_EQ(spans[0].dump(),
            R"({"lane":"gemm","label":"gemm","how":"ended","text":"ended","from_s":3.0,"to_s":1200.0})");
  EXPECT_EQ(spans[1]["how"], "no_answer");
  EXPECT_EQ(spans[1]["text"], "no answer: killed after 60 s");
  EXPECT_EQ(spans[2]["lane"], "rounds");
  EXPECT_EQ(spans[2]["label"], "round 1 turn");
  EXPECT_EQ(spans[3]["how"], "cut") << "nothing ended the second module";
  EXPECT_EQ(spans[3]["to_s"], 3595.0);
  EXPECT_EQ(spans[4]["how"], "cut") << "nor the second round";
}

TEST(TimelineChart, ARoundThatBeginsAnewEndsTheOldOneAsCut) {
  Timeline timeline;
  timeline.entries = {{"t", 0, "round", "round 1 turn", std::string("began")},
                      {"t", 50, "round", "round 1 turn", std::string("began")},
                      {"t", 90, "round", "round 1 turn", std::string("ended")}};
  const auto spans = timeline_chart(timeline)["spans"];
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0]["how"], "cut");
  EXPECT_EQ(spans[0]["to_s"], 50.0);
  EXPECT_EQ(spans[1]["from_s"], 50.0);
}

TEST(TimelineChart, CurvesKeepAShortPeak) {
  const auto curves = timeline_chart(test::fixed_timeline())["curves"];
  ASSERT_EQ(curves.size(), 3U);
  EXPECT_EQ(curves[1]["kind"], "temperature_c");
  EXPECT_EQ(curves[1]["unit"], "GPU 1");
  EXPECT_LE(curves[1]["points"].size(), 300U);
  double highest = 0;
  for (const auto& point : curves[1]["points"]) highest = std::max(highest, point[1].get<double>());
  EXPECT_EQ(highest, 91);
  EXPECT_EQ(curves[2]["unit"], "GPU 0") << "an unknown reading is not a point";
}

TEST(TimelineSection, TellsFindingsAndWhatWasNotTold) {
  const std::string html = timeline_section(test::fixed_timeline());
  EXPECT_THAT(html, HasSubstr("1 rounds ended and 2 checks were made in 0.9986 h, in 1 session."));
  EXPECT_THAT(html, HasSubstr("1 damaged lines were skipped."));
  EXPECT_THAT(html, HasSubstr("link_downed 4 to 6 &lt;once&gt;"));
  EXPECT_THAT(html, HasSubstr("round 1 turn, before rdma.verbs.bandwidth"));
  EXPECT_THAT(html, HasSubstr("power_w of GPU 1: unknown: NVML has no such reading"));
  EXPECT_THAT(html, Not(HasSubstr("<once>")));
}

TEST(TimelineSection, WithoutATimelineIsNone) { EXPECT_EQ(timeline_section(std::nullopt), ""); }

}  // namespace
}  // namespace assay::results
