// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/point_outline.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/record/json/record_json.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

TEST(PointOutlines, AreFoundWhateverTheLengthOfTheRecordBefore) {
  const std::vector<std::size_t> lengths{0, 700, 0, 30, 60, 47, 48, 49, 700, 650, 20, 0};
  for (const std::size_t length : lengths) {
    PointRecord record = test::sample_point("r", 0);
    record.case_name = "memory.host.copy" + std::to_string(length);
    record.reason = std::string(length, 'r'), record.bytes_counted = std::string(length, 'b');
    record.verification.why = std::string(length, 'w'), record.verification.digest = std::to_string(length);
    auto json = to_json(record);
    json.erase("samples_s"), json.erase("sm_cycles");
    const std::string text = json.dump();
    const auto outline = outline_of(text);
    ASSERT_TRUE(outline) << length;
    EXPECT_EQ(outline->case_name, record.case_name);
    EXPECT_EQ(outline->work_bytes, json["work"]["bytes"].dump());
    EXPECT_EQ(outline->bytes_counted, record.bytes_counted);
    EXPECT_EQ(outline->verification_why, record.verification.why);
    EXPECT_EQ(outline->digest, record.verification.digest);
    EXPECT_EQ(outline->conditions, json["conditions"].dump());
  }
}

TEST(PointOutlines, HoldWhatJudgesReadWhateverStandsInTexts) {
  PointRecord record = test::sample_point("r", 0);
  record.reason = R"(,"work":{"bytes":1)";
  record.verification = {Verification::Result::wrong, R"(element "7",)", "0123"};
  record.conditions = {{"note", R"("ranks":7,)"}, {"ranks", std::int64_t{4}}, {"node", "h2"}};
  auto json = to_json(record);
  json.erase("samples_s"), json.erase("sm_cycles");
  const std::string text = json.dump();
  const auto outline = outline_of(text);
  ASSERT_TRUE(outline);
  EXPECT_EQ(outline->case_name, record.case_name);
  EXPECT_EQ(outline->quantile, "0.5");
  EXPECT_EQ(outline->work_bytes, json["work"]["bytes"].dump());
  EXPECT_EQ(outline->work_flops, json["work"]["flops"].dump());
  EXPECT_EQ(outline->verification, "wrong");
  EXPECT_EQ(outline->verification_why, R"(element \"7\",)");
  EXPECT_EQ(outline->digest, "0123");
  EXPECT_EQ(outline->conditions, json["conditions"].dump());
  EXPECT_EQ(field_in(outline->conditions, "ranks"), "4");
  EXPECT_EQ(field_in(outline->conditions, "node"), "h2");
  EXPECT_EQ(field_in(outline->conditions, "nodes"), "");
  for (std::size_t cut = 0; cut < text.size(); ++cut)
    EXPECT_FALSE(outline_of(std::string_view(text).substr(0, cut))) << cut;
}

}  // namespace
}  // namespace assay::results
