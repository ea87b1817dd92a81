// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Step times measured on Selene (A100; Korthikanti et al. 2022, arXiv 2205.05198, table 5) against both
// models: the table of docs/evidence/data/calculon-selene.txt.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "model/predict/answer/prediction.hpp"

namespace assay::model {
namespace {

using nlohmann::json;

struct Row {
  std::string name;
  double measured_s, calculon_s, fixed_s, assay_s;
};

double seconds(const json& application, const json& line, Model model) {
  const Configuration configuration = read_configuration(application, line.at("execution"), line.at("system"),
                                                         {"APP", "EXE", "SYS"}, {.model = model});
  return predict(configuration).step.time.total_s;
}

std::vector<Row> rows() {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/model/examples/selene.jsonl");
  std::vector<Row> found;
  for (std::string text; std::getline(file, text);) {
    const json line = core::json_from<json>(text);
    const json& whole = line.at("application");
    json blocks = whole;
    blocks.erase("vocabulary"), blocks.erase("tied_embedding");
    found.push_back({whole.at("name"), line.at("measured_s"), seconds(blocks, line, Model::calculon),
                     seconds(blocks, line, Model::assay), seconds(whole, line, Model::assay)});
  }
  return found;
}

struct Error {
  double mean_percent = 0, most_percent = 0;
};

Error error_of(const std::vector<Row>& rows, double Row::* predicted_s) {
  Error error;
  for (const Row& row : rows) {
    const double percent = 100 * std::abs(1 - row.*predicted_s / row.measured_s);
    error.mean_percent += percent / static_cast<double>(rows.size());
    error.most_percent = std::max(error.most_percent, percent);
  }
  return error;
}

TEST(Selene, IsAsFarOffAsTheDocumentationSays) {
  const std::vector<Row> found = rows();
  ASSERT_EQ(found.size(), 8U);
  fmt::print("{:<16} {:>9} {:>9} {:>9} {:>9}\n", "s", "measured", "calculon", "fixed", "assay");
  for (const Row& row : found)
    fmt::print("{:<16} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f}  {:+.1f} % {:+.1f} %\n", row.name, row.measured_s,
               row.calculon_s, row.fixed_s, row.assay_s, 100 * (row.calculon_s / row.measured_s - 1),
               100 * (row.assay_s / row.measured_s - 1));
  const Error calculon = error_of(found, &Row::calculon_s);
  EXPECT_NEAR(calculon.mean_percent, 3.65, 0.005);  // as the original's own validation prints
  EXPECT_NEAR(calculon.most_percent, 8.87, 0.005);
  const Error assay = error_of(found, &Row::assay_s);
  EXPECT_NEAR(assay.mean_percent, 2.30, 0.005);
  EXPECT_NEAR(assay.most_percent, 6.01, 0.005);
}

}  // namespace
}  // namespace assay::model
