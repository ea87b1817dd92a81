// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file of coefficients with a section for each kind.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/coefficients/evaluate.hpp"
#include "model/json/read_json.hpp"

namespace assay::model::fit {
namespace {

using testing::HasSubstr;

class AllCoefficientsFile : public testing::Test {
 protected:
  /// Timings of 16 x 6 shapes, the first of them with m of 64 x `first`.
  static std::string gemm_csv(int first) {
    std::string text = "m,n,k,dtype,time_us\n";
    for (int m = first; m < first + 16; ++m)
      for (const int n : {256, 1024, 4096})
        for (const int k : {512, 2048})
          text += fmt::format("{},{},{},bf16,{}\n", 64 * m, n, k, 4 + 2e-6 * m * 64 * n * k / 700);
    return text;
  }

  std::string fitted_gemm() const {
    const auto timings = read_gemm_timings(folder_.file("gemm.csv", gemm_csv(1)));
    write_coefficients(folder_.place("gemm.json"), section_of(Provenance{}, SeenRows::of(timings.rows),
                                                              fit_gemm(timings, {.trees = {.trees = 20}})));
    return folder_.place("gemm.json");
  }

  std::string fitted_collectives() const {
    std::string text = "op,ranks,size_bytes,dtype,time_us\n";
    for (int power = 10; power <= 24; ++power)
      text += fmt::format("all_reduce,8,{},fp16,{}\n", 1 << power, 10 + (1 << power) / 200e3);
    const auto timings = read_collective_timings(folder_.file("c.csv", text));
    write_coefficients(folder_.place("c.json"),
                       section_of(Provenance{}, SeenRows::of(timings.rows), fit_collectives(timings, 1)));
    return folder_.place("c.json");
  }

  std::string all_of(const char* name) const {
    AllCoefficients all;
    for (const auto& [kind, path] : {std::pair(CoefficientsKind::gemm, fitted_gemm()),
                                     std::pair(CoefficientsKind::collectives, fitted_collectives())})
      all.sections[kind] = model::read_ordered_json(path);
    all.timings[CoefficientsKind::gemm] = gemm_csv(1);
    all.system = {{"about", "a node"}};
    all.not_measured = {"links: no timing", "system: mem2: no copy"};
    write_coefficients(folder_.place(name), all);
    return folder_.place(name);
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(AllCoefficientsFile, IsReadSectionBySectionAsFilesOfOneKindAre) {
  const std::string all = all_of("all.json");
  EXPECT_THAT(sections_of_coefficients(all), testing::ElementsAre(all + "#collectives", all + "#gemm"));
  EXPECT_THAT(sections_of_coefficients(all + "#gemm"), testing::ElementsAre(all + "#gemm"));
  EXPECT_EQ(file_of_section(all + "#gemm"), all);
  EXPECT_EQ(kind_of_coefficients(all + "#collectives"), CoefficientsKind::collectives);
  const GemmShape shape{640, 1024, 512};
  EXPECT_EQ(read_gemm_coefficients(all + "#gemm").models.at("bf16").time_us(shape),
            read_gemm_coefficients(fitted_gemm()).models.at("bf16").time_us(shape));
  EXPECT_EQ(evaluate(all + "#gemm", folder_.file("more.csv", gemm_csv(15))).seen, 12u);
  EXPECT_EQ(read_collective_coefficients(all + "#collectives").models.families.size(), 1U);
  EXPECT_EQ(model::read_ordered_json(all)["not_measured"][0], "links: no timing");
}

TEST_F(AllCoefficientsFile, KeepsTheRowsOfItsSectionsAndWhatItsSystemLacks) {
  const std::string all = all_of("all.json");
  const auto kept = timings_in(all, CoefficientsKind::gemm);
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->name, all + "#gemm");
  EXPECT_EQ(kept->content, gemm_csv(1));
  EXPECT_FALSE(timings_in(all, CoefficientsKind::collectives).has_value());
  EXPECT_THAT(system_in(all).not_measured, testing::ElementsAre("mem2: no copy"));
  EXPECT_EQ(system_in(all).system["about"], "a node");
  EXPECT_EQ(core::tests::message_of([&] { timings_in(fitted_gemm(), CoefficientsKind::gemm); }),
            folder_.place("gemm.json") +
                ": timings: expected the rows of each section, as assay fit all and assay "
                "calibrate keep them");
}

TEST_F(AllCoefficientsFile, ThatIsTakenForOneKindOrHasNoSuchSectionIsOneLine) {
  const std::string all = all_of("all.json");
  const auto refused = [](const std::string& path) {
    return core::tests::message_of([&] { static_cast<void>(read_gemm_coefficients(path)); });
  };
  EXPECT_EQ(refused(all),
            all + ": kind: expected one kind, or " + all + "#KIND for one of the sections, got \"all\"");
  EXPECT_THAT(refused(all + "#loggp"), HasSubstr(": sections.loggp: this key is missing"));
  EXPECT_THAT(refused(all + "#collectives"),
              HasSubstr(": sections.collectives.kind: expected gemm, got \"collectives\""));
  EXPECT_THAT(refused(fitted_collectives() + "#gemm"), HasSubstr("c.json: kind: expected gemm"));
  const std::string later = folder_.file(
      "later.json",
      R"({"schema": "assay-coefficients", "schema_version": 1, "kind": "all", "sections": {"x": {}}})");
  EXPECT_THAT(core::tests::message_of([&] { sections_of_coefficients(later); }),
              HasSubstr(": sections: expected sections of gemm, collectives"));
}

}  // namespace
}  // namespace assay::model::fit
