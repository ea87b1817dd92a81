// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Public NCCL timings of an H100 node through each tool's formula: its error on all rows must be near the one
// that was stated from held-out rows, so that what is stated is what a user of the file gets.
#include <gtest/gtest.h>

#include <cmath>

#include "model/exporters/network_rows.hpp"
#include "model/exporters/tests/made_timings.hpp"

namespace assay::model::exporters {
namespace {

class PublicCollectives : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(ASSAY_SHARED_DATA).empty())
      GTEST_SKIP() << "configure with -DASSAY_SHARED_DATA_DIR: public H100 timings";
  }

  static ExportRequest request() {
    return {.collectives = std::string(ASSAY_SHARED_DATA) + "/h100-public/collectives_a.csv",
            .ranks = 8,
            .dtype = "fp16"};
  }
};

double number_after(const std::string& text, const std::string& key) {
  return std::stod(text.substr(text.find(key) + key.size()));
}

TEST_F(PublicCollectives, ComeBackFromAstraSimWithinTheStatedError) {
  const Exported made = made_by("astra-sim", request());
  const double b_per_ns = number_after(made.files[0].text, "\nbandwidth: [ ") * 1073741824 / 1e9;
  const double hop_ns = number_after(made.files[0].text, "\nlatency: [ ");
  fit::Errors errors;
  for (const fit::CollectiveRow& row :
       network_rows(request(), "test", {"all_reduce", "all_gather", "reduce_scatter"})) {
    const double messages = row.operation == "all_reduce" ? 14 : 7;
    errors.add(row.size_bytes, messages * (2 * hop_ns + row.size_bytes / 8 / b_per_ns) * 1e-3, row.time_us);
  }
  const double stated = made.fits[0].second.held_out.whole().mape_percent;
  EXPECT_LE(errors.whole().mape_percent, 1.1 * stated);
  EXPECT_LE(stated, 45);
}

TEST_F(PublicCollectives, ComeBackFromSimaiWithinTheStatedError) {
  const Exported made = made_by("simai", request());
  const double busbw = number_after(made.files[0].text, "-nv ");
  ExportRequest large = request();
  large.least_bytes = 1048576;
  fit::Errors errors;
  for (const fit::CollectiveRow& row : network_rows(large, "test", {"all_reduce"}))
    errors.add(row.size_bytes, row.size_bytes / 1073741824 / busbw * 1e6 * 2 * 7 / 8.0, row.time_us);
  const double stated = made.fits[0].second.held_out.whole().mape_percent;
  EXPECT_EQ(made.fits[0].first, "all_reduce of one server");
  EXPECT_LE(errors.whole().mape_percent, 1.2 * stated);
  EXPECT_LE(stated, 60);
}

}  // namespace
}  // namespace assay::model::exporters
