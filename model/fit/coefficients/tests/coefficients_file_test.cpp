// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file holds what was fitted, is evaluated on rows it has not seen, and is refused where it is damaged.
#include "model/fit/coefficients/coefficients_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/fit/coefficients/evaluate.hpp"
#include "model/json/read_json.hpp"

namespace assay::model::fit {
namespace {

using testing::HasSubstr;

std::string gemm_csv(int first_m, int last_m) {
  std::string text = "m,n,k,dtype,time_us\n";
  for (int m = first_m; m <= last_m; ++m)
    for (const int n : {256, 1024, 4096})
      for (const int k : {512, 2048})
        text += fmt::format("{},{},{},bf16,{}\n", 64 * m, n, k, 4 + 2e-6 * m * 64 * n * k / 700);
  return text;
}

std::string collective_csv(int last_power) {
  std::string text = "op,ranks,size_bytes,dtype,time_us\n";
  for (int power = 10; power <= last_power; ++power)
    text += fmt::format("all_reduce,8,{},fp16,{}\n", 1 << power, 10 + (1 << power) / 200e3);
  return text;
}

class CoefficientsFile : public testing::Test {
 protected:
  std::string fitted_gemm() const {
    const auto timings = read_gemm_timings(folder_.file("gemm.csv", gemm_csv(1, 16)));
    write_coefficients(folder_.place("gemm.json"),
                       section_of(provenance_of(timings.table, "", timings.rows.size(), 1, "today"),
                                  SeenRows::of(timings.rows), fit_gemm(timings, {.trees = {.trees = 50}})));
    return folder_.place("gemm.json");
  }

  std::string fitted_collectives() const {
    const auto timings = read_collective_timings(folder_.file("c.csv", collective_csv(24)));
    write_coefficients(folder_.place("c.json"),
                       section_of(provenance_of(timings.table, "", timings.rows.size(), 1, "today"),
                                  SeenRows::of(timings.rows), fit_collectives(timings, 1)));
    return folder_.place("c.json");
  }

  static std::string complaint(const std::string& coefficients, const std::string& csv) {
    try {
      evaluate(coefficients, csv);
    } catch (const core::Error& error) {
      return error.kind() == core::ErrorKind::usage ? error.what() : "not a usage error";
    }
    return "nothing";
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(CoefficientsFile, OfGemmIsJudgedOnRowsNotSeenAlone) {
  const Evaluation evaluation = evaluate(fitted_gemm(), folder_.file("more.csv", gemm_csv(15, 18)));
  EXPECT_EQ(evaluation.seen, 12u);
  EXPECT_EQ(evaluation.all.whole().rows, 12u);
  EXPECT_LT(evaluation.all.whole().mape_percent, 15);
}

TEST_F(CoefficientsFile, OfGemmKeepsModelAndProvenance) {
  const auto timings = read_gemm_timings(folder_.file("gemm.csv", gemm_csv(1, 16)));
  const auto fits = fit_gemm(timings, {.trees = {.trees = 50}});
  const GemmCoefficients read = read_gemm_coefficients(fitted_gemm());
  EXPECT_NEAR(read.models.at("bf16").time_us({640, 1024, 512}),
              fits.groups.at("bf16").model.time_us({640, 1024, 512}), 1e-3);
  EXPECT_EQ(read.provenance.source_sha256, timings.table.sha256());
  EXPECT_EQ(read.provenance.rows, 96u);
}

TEST_F(CoefficientsFile, OfGemmSaysWhichShapesWereMeasured) {
  const auto measured = read_gemm_coefficients(fitted_gemm()).models.at("bf16").measured;
  ASSERT_TRUE(measured.has_value());
  EXPECT_EQ(measured->least.m, 64);
  EXPECT_EQ(measured->most.m, 1024);
  EXPECT_EQ(measured->least.n, 256);
  EXPECT_EQ(measured->most.k, 2048);
}

TEST_F(CoefficientsFile, OfCollectivesKeepsIntervalsAndSupportOfEachSegment) {
  const auto timings = read_collective_timings(folder_.file("c.csv", collective_csv(24)));
  const CollectiveModels fitted = fit_collectives(timings, 1).models;
  const CollectiveModels read = read_collective_coefficients(fitted_collectives()).models;
  const std::string& family = fitted.families.begin()->first;
  const Segment &was = fitted.curve(family, "fp16")->segments.back(),
                &is = read.curve(family, "fp16")->segments.back();
  EXPECT_EQ(is.bandwidth.lower, was.bandwidth.lower);
  EXPECT_EQ(is.bandwidth.upper, was.bandwidth.upper);
  EXPECT_EQ(is.latency.value, was.latency.value);
  EXPECT_EQ(is.latency.supported, was.latency.supported);
}

TEST_F(CoefficientsFile, OfCollectivesIsJudgedOnRowsNotSeenAlone) {
  const Evaluation evaluation = evaluate(fitted_collectives(), folder_.file("more.csv", collective_csv(26)));
  EXPECT_EQ(evaluation.seen, 15u);
  EXPECT_EQ(evaluation.all.whole().rows, 2u);
  EXPECT_LT(evaluation.all.whole().mape_percent, 2);
}

TEST_F(CoefficientsFile, ThatHasSeenEveryRowIsNotJudged) {
  const std::string coefficients = fitted_gemm();
  EXPECT_THAT(complaint(coefficients, folder_.place("gemm.csv")), HasSubstr("has seen all of its 96 rows"));
}

TEST_F(CoefficientsFile, WithoutTheAskedDtypeOrCollectiveSaysTheRow) {
  EXPECT_THAT(complaint(fitted_gemm(), folder_.file("x.csv", "m,n,k,dtype,time_us\n1,2,3,fp16,1\n")),
              HasSubstr("x.csv:2: column 'dtype'"));
  EXPECT_THAT(complaint(fitted_collectives(),
                        folder_.file("y.csv", "op,ranks,size_bytes,dtype,time_us\nall_reduce,4,64,fp16,5\n")),
              HasSubstr("y.csv:2: column 'op'"));
}

TEST_F(CoefficientsFile, JudgesRowsOfAnotherDtypeOnlyWhereThatIsAskedFor) {
  const std::string gemm = fitted_gemm();
  const std::string other = folder_.file("fp8.csv", "m,n,k,dtype,time_us\n640,1024,512,fp8_e4m3,4.5\n");
  EXPECT_THAT(complaint(gemm, other),
              HasSubstr("has no coefficients for 'fp8_e4m3'; --coefficients-dtype takes another dtype's"));
  const Evaluation judged = evaluate(gemm, other, "bf16");
  ASSERT_EQ(judged.rows.size(), 1u);  // no row of its dtype was seen, though the shape was
  EXPECT_EQ(judged.rows[0].predicted_us,
            read_gemm_coefficients(gemm).models.at("bf16").time_us({640, 1024, 512}));
  const std::string collectives = fitted_collectives();
  const std::string bytes =
      folder_.file("int8.csv", "op,ranks,size_bytes,dtype,time_us\nall_reduce,8,65536,int8,10\n");
  EXPECT_THAT(complaint(collectives, bytes), HasSubstr("--coefficients-dtype takes another dtype's"));
  EXPECT_NEAR(evaluate(collectives, bytes, "fp16").rows.at(0).predicted_us, 10.33, 0.3);
}

TEST_F(CoefficientsFile, SaysThatItIsOfOneMachineAndDtype) {
  const nlohmann::json gemm = core::json_from<nlohmann::json>(core::read_whole_file(fitted_gemm()));
  EXPECT_THAT(gemm.at("scope").get<std::string>(), HasSubstr("this machine, software and dtype only"));
  EXPECT_THAT(gemm.at("scope").get<std::string>(),
              HasSubstr("were 19 to 101 % off, a roofline without any fit 40 to 72 %"));
}

TEST_F(CoefficientsFile, OfCollectivesKeepsItsLawBeyondTheSizesMeasured) {
  const auto timings = read_collective_timings(folder_.file("c.csv", collective_csv(24)));
  const CollectiveModels fitted = fit_collectives(timings, 1).models;
  const CollectiveModels read = read_collective_coefficients(fitted_collectives()).models;
  const std::string& family = fitted.families.begin()->first;
  for (const double bytes : {1.0, 600.0, 5e4, 1e8, 1e10})
    EXPECT_NEAR(read.time_us(family, "fp16", bytes) / fitted.time_us(family, "fp16", bytes), 1, 1e-12);
  EXPECT_NEAR(read.time_us(family, "fp16", 1e10), 10 + 1e10 / 200e3, 1500);
}

TEST_F(CoefficientsFile, OfGemmSaysHowFarRowsOfOneShapeAreFromEachOther) {
  std::string rows = gemm_csv(1, 16);
  EXPECT_TRUE(fit_gemm(read_gemm_timings(folder_.file("g.csv", rows)), {.trees = {.trees = 5}})
                  .groups.at("bf16")
                  .held_out.repeats.empty());
  rows += "77,256,512,bf16,10\n77,256,512,bf16,11\n";
  const Errors repeats = fit_gemm(read_gemm_timings(folder_.file("g.csv", rows)), {.trees = {.trees = 5}})
                             .groups.at("bf16")
                             .held_out.repeats;
  EXPECT_EQ(repeats.whole().rows, 2u);
  EXPECT_NEAR(repeats.whole().mape_percent, 100 * (1.0 / 10 + 1.0 / 11) / 2, 1e-9);
}

TEST_F(CoefficientsFile, ThatIsDamagedIsRefusedByName) {
  const std::string csv = folder_.file("gemm.csv", gemm_csv(1, 16));
  EXPECT_THAT(complaint(folder_.place("none.json"), csv), HasSubstr("none.json: cannot be read"));
  EXPECT_THAT(complaint(folder_.file("a.json", "{"), csv),
              HasSubstr("a.json: not JSON: line 1, column 2: expected a key in quotes"));
  EXPECT_THAT(complaint(folder_.file("b.json", "{\"schema\": \"assay-coefficients\"}"), csv),
              HasSubstr("schema_version"));
  EXPECT_THAT(complaint(folder_.file("c.json", R"({"schema":"assay-coefficients","schema_version":9})"), csv),
              HasSubstr("c.json: schema_version: expected 1 to 2, got 9"));
  EXPECT_THAT(
      complaint(folder_.file("d.json", R"({"schema":"assay-coefficients","schema_version":1,"kind":"soup"})"),
                csv),
      HasSubstr("d.json: kind: expected one of gemm, collectives,"));
  EXPECT_THAT(complaint(folder_.file("e.json", "{\"hidden\": 4}"), csv),
              HasSubstr("e.json: schema: expected \"assay-coefficients\", as in every file of assay fit"));
}

TEST_F(CoefficientsFile, OfGemmWithAPartMissingOrOfAnotherTypeIsRefusedByKey) {
  const std::string csv = folder_.file("more.csv", gemm_csv(15, 18));
  const nlohmann::json good = core::json_from<nlohmann::json>(core::read_whole_file(fitted_gemm()));
  for (const auto& [patch, says] :
       {std::pair{R"({"surfaces": null})", "bad.json: surfaces: this key is missing"},
        {R"({"surfaces": {"bf16": null}})", "bad.json: surfaces.bf16: this key is missing"},
        {R"({"surfaces": {"bf16": [3]}})", "surfaces.bf16[0]: expected a list of one node or more, got 3"},
        {R"({"surfaces": {"bf16": [[1], [[0, 1.5, 9], 1, 2]]}})",
         "surfaces.bf16[1][0]: expected a number, or [feature, threshold, the first of two nodes behind it], "
         "got [0,1.5,9]"},
        {R"({"models": 3})", "bad.json: models: expected a JSON object, got 3"},
        {R"({"models": {"bf16": {"formula": 3}}})", "models.bf16.formula: expected a word, got 3"},
        {R"({"models": {"bf16": {"coefficients": {"launch_us": {"value": "fast"}}}}})",
         "models.bf16.coefficients.launch_us.value: expected a number above 0, got \"fast\""},
        {R"({"seen_rows": ["none"]})", "seen_rows: expected whole numbers of 32 bits, got \"none\""},
        {R"({"provenance": {"split_seed": -1}})", "provenance.split_seed: expected a whole number from 0"}}) {
    nlohmann::json bad = good;
    bad.merge_patch(core::json_from<nlohmann::json>(patch));
    EXPECT_THAT(complaint(folder_.file("bad.json", bad.dump()), csv), HasSubstr(says)) << patch;
  }
}

TEST_F(CoefficientsFile, OfCollectivesWithAPartMissingOrOfAnotherTypeIsRefusedByKey) {
  const std::string csv = folder_.file("more.csv", collective_csv(26));
  const nlohmann::json good = core::json_from<nlohmann::json>(core::read_whole_file(fitted_collectives()));
  for (const auto& [patch, says] :
       {std::pair{R"({"surfaces": null})", "bad.json: surfaces: this key is missing"},
        {R"({"models": {",all_reduce,8,": {"surface": "none"}}})", "surfaces.none: this key is missing"},
        {R"({"models": {",all_reduce,8,": {"curves": {"fp16": {"segments": []}}}}})",
         "models.,all_reduce,8,.curves.fp16.segments: expected one segment or more, got []"},
        {R"({"models": {",all_reduce,8,": {"curves": {"fp16": {"segments": [{"from_bytes": 1}]}}}}})",
         "segments[0].to_bytes: this key is missing"},
        {R"({"kind": "memory"})", "models.,all_reduce,8,: expected a list, got {"}}) {
    nlohmann::json bad = good;
    bad.merge_patch(core::json_from<nlohmann::json>(patch));
    EXPECT_THAT(complaint(folder_.file("bad.json", bad.dump()), csv), HasSubstr(says)) << patch;
  }
}

TEST_F(CoefficientsFile, WithShapesMeasuredFromMoreToLessIsRefused) {
  nlohmann::json json = core::json_from<nlohmann::json>(core::read_whole_file(fitted_gemm()));
  for (const auto& wrong : {nlohmann::json{9, 3}, nlohmann::json{9}, nlohmann::json("9")}) {
    json["models"]["bf16"]["measured"]["k"] = wrong;
    EXPECT_THAT(
        complaint(folder_.file("k.json", json.dump()), folder_.place("gemm.csv")),
        HasSubstr("k.json: models.bf16.measured.k: expected [least, most] above 0, got " + wrong.dump()));
  }
}

TEST_F(CoefficientsFile, ThatCannotBeWrittenLeavesNothing) {
  const auto timings = read_gemm_timings(folder_.file("gemm.csv", gemm_csv(1, 16)));
  EXPECT_THROW(write_coefficients(folder_.place("no/such/folder.json"),
                                  section_of(Provenance{}, SeenRows{}, GemmFits{})),
               core::Error);
  std::filesystem::create_directories(folder_.place("taken/by/a/folder"));
  EXPECT_THROW(write_coefficients(folder_.place("taken"), section_of(Provenance{}, SeenRows{}, GemmFits{})),
               core::Error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);
}

TEST_F(CoefficientsFile, NeedsEnoughRowsOfEachGroup) {
  const auto gemm = read_gemm_timings(folder_.file("few.csv", gemm_csv(1, 1)));
  EXPECT_THAT([&] { fit_gemm(gemm, {}); },
              testing::ThrowsMessage<core::Error>(HasSubstr(
                  "few.csv: too few shapes for a fit; expected 12 or more of one dtype and layout")));
  const auto unknown = read_gemm_timings(folder_.file("odd.csv", "m,n,k,dtype,time_us\n1,2,3,fp5,1\n"));
  EXPECT_THAT([&] { fit_gemm(unknown, {}); },
              testing::ThrowsMessage<core::Error>(HasSubstr("unknown dtype 'fp5'")));
  const auto sizes = read_collective_timings(folder_.file("sizes.csv", collective_csv(12)));
  EXPECT_THAT([&] { fit_collectives(sizes, 1); },
              testing::ThrowsMessage<core::Error>(HasSubstr("sizes.csv: too few sizes for a fit")));
}

TEST_F(CoefficientsFile, NamesTheGroupsThatAreLeftOut) {
  std::string rows = gemm_csv(1, 16);
  rows += "64,64,64,fp16,5\n128,64,64,fp16,6\n";
  const auto gemm = read_gemm_timings(folder_.file("two.csv", rows));
  const GemmFits fits = fit_gemm(gemm, {.trees = {.trees = 5}});
  EXPECT_THAT(fits.left_out, testing::ElementsAre("fp16: 2 different shapes; expected 12 or more"));
  EXPECT_EQ(fits.groups.size(), 1U);
  write_coefficients(folder_.place("two.json"), section_of(Provenance{}, SeenRows{}, fits));
  EXPECT_EQ(model::read_ordered_json(folder_.place("two.json"))["left_out"][0], fits.left_out[0]);

  const std::string sizes = collective_csv(20);
  const std::string last = sizes.substr(sizes.rfind('\n', sizes.size() - 2) + 1);
  std::string other = last;
  other.replace(other.find("fp16"), 4, "int8");
  const auto timings = read_collective_timings(folder_.file("sizes.csv", sizes + other));
  const CollectiveFit fit = fit_collectives(timings, 1);
  ASSERT_EQ(fit.left_out.size(), 1U);
  EXPECT_THAT(fit.left_out[0], testing::EndsWith(",int8: 1 sizes; expected 4 or more"));
  write_coefficients(folder_.place("sizes.json"), section_of(Provenance{}, SeenRows{}, fit));
  EXPECT_EQ(model::read_ordered_json(folder_.place("sizes.json"))["left_out"][0], fit.left_out[0]);
}

TEST_F(CoefficientsFile, OfADozenShapesIsARooflineWithItsErrorOnShapesHeldOut) {
  const GemmFits fits = fit_gemm(read_gemm_timings(folder_.file("dozen.csv", gemm_csv(1, 2))), {});
  const GemmFit& fit = fits.groups.at("bf16");
  EXPECT_EQ(fit.shapes, 12U);
  EXPECT_EQ(fit.model.formula, GemmFormula::roofline);
  EXPECT_TRUE(fit.model.surface.trees().empty());
  EXPECT_EQ(fit.held_out.rows.whole().rows, 12U);  // each of them once
  EXPECT_THAT(warnings_of(fits), testing::Contains(HasSubstr("bf16: 12 shapes allow a roofline alone, ")));
  write_coefficients(folder_.place("dozen.json"), section_of(Provenance{}, SeenRows{}, fits));
  EXPECT_NEAR(read_gemm_coefficients(folder_.place("dozen.json")).models.at("bf16").time_us({64, 256, 512}),
              fit.model.core_us({64, 256, 512}), 1e-6);
}

}  // namespace
}  // namespace assay::model::fit
