// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Coefficients that assay fit wrote are read back from the CSV with their intervals and units.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/exporters/tests/made_timings.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"

namespace assay::model::exporters {
namespace {

using core::tests::message_of;
using testing::HasSubstr;

class CoefficientsCsv : public testing::Test {
 protected:
  std::string written(const std::string& file, const fit::Coefficient& coefficient) const {
    fit::Provenance provenance;
    provenance.source_file = "rows.csv";
    provenance.origin = "measured";
    provenance.machine = "node-a";
    fit::write_coefficients(
        folder_.place(file),
        fit::section_of(provenance, fit::SeenRows{},
                        std::map<std::string, fit::Coefficient>{{"copy, under load", coefficient}}));
    return folder_.place(file);
  }
  Exported made(const std::vector<std::string>& files) const {
    return made_by("coefficients-csv", {.coefficients = files});
  }
  core::tests::TemporaryFolder folder_;
};

TEST_F(CoefficientsCsv, HasARowForEachCoefficientOfEachFile) {
  const std::string a = written("a.json", {"slowdown", 0.25, 0.125, 0.5}),
                    b = written("b.json", {"g_us", 2, 1, 3});
  const Exported both = made({a, b});
  ASSERT_EQ(both.files.size(), 1U);
  EXPECT_EQ(both.files[0].suffix, "");
  EXPECT_EQ(both.files[0].text,
            "name,value,lower,upper,unit,source\n"
            "\"copy, under load/slowdown\",0.25,0.125,0.5,1,\"" +
                a +
                ": interference, measured of node-a\"\n"
                "\"copy, under load/g_us\",2.0,1.0,3.0,us,\"" +
                b + ": interference, measured of node-a\"\n");
  EXPECT_TRUE(both.notes.empty());
}

TEST_F(CoefficientsCsv, NamesSegmentsByTheirBytesAndRatesByTheirUnit) {
  std::string rows = "operation,size_bytes,machine,time_us\n";
  for (int power = 10; power < 26; ++power)
    rows += fmt::format("copy,{},node-a,{}\n", 1 << power, 2 + std::exp2(power) / 50e3);
  const auto timings = fit::read_size_timings({"rows", rows});
  const std::string path = folder_.place("memory.json");
  fit::write_coefficients(path, fit::section_of(fit::CoefficientsKind::memory,
                                                fit::provenance_of(timings.table, timings.machine,
                                                                   timings.rows.size(), 1, "today"),
                                                fit::SeenRows::of(timings.rows), fit::fit_sizes(timings, 1)));
  const std::string text = made({path}).files[0].text;
  EXPECT_THAT(text, HasSubstr("bytes/latency,"));
  EXPECT_THAT(text, HasSubstr("bytes/gb_per_s,"));
  EXPECT_THAT(text, HasSubstr(",GB/s,"));
  EXPECT_THAT(text, HasSubstr(",us,"));
}

TEST_F(CoefficientsCsv, SaysWhichCoefficientTheRowsDoNotDetermine) {
  EXPECT_THAT(made({written("a.json", {"slowdown", 0.25, 0, 1, false})}).notes,
              testing::ElementsAre("copy, under load/slowdown: the rows do not determine it"));
}

TEST_F(CoefficientsCsv, LeavesTheValueOfABandwidthThatNothingShowsEmpty) {
  const Exported csv = made({written("a.json", {"gb_per_s", 0, 1e12, 1e12, false})});
  EXPECT_THAT(csv.files[0].text, HasSubstr("gb_per_s\",,,,GB/s,"));
}

TEST_F(CoefficientsCsv, RefusesNoFileAndAFileThatIsNotOfAssayFit) {
  EXPECT_THAT(message_of([&] { made({}); }), HasSubstr("expected --coefficients FILE"));
  EXPECT_THAT(message_of([&] { made({folder_.file("x.json", "{}")}); }), HasSubstr("x.json: "));
  EXPECT_THAT(message_of([&] {
                made({folder_.file(
                    "y.json", R"({"schema": "assay-coefficients", "schema_version": 1, "kind": "gemm"})")});
              }),
              HasSubstr("y.json: key 'models': missing"));
  EXPECT_THAT(message_of([&] { made({folder_.place("none.json")}); }), HasSubstr("none.json: "));
}

}  // namespace
}  // namespace assay::model::exporters
