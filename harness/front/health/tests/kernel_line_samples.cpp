// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/tests/kernel_line_samples.hpp"

#include <toml++/toml.h>

namespace assay::health {
namespace {

toml::table samples_of(const char* kind) {
  return toml::parse_file(std::string(ASSAY_SOURCE_DIR) + "/harness/front/health/tests/" + kind +
                          "_kernel_lines.toml");
}

}  // namespace

std::vector<GraveKernelLine> grave_kernel_lines() {
  std::vector<GraveKernelLine> all;
  const toml::table samples = samples_of("grave");
  for (const toml::node& row : *samples["lines"].as_array()) {
    const toml::array& line = *row.as_array();
    all.push_back(
        {*line[0].value<std::string>(), *line[1].value<std::string>(), *line[2].value<std::string>()});
  }
  return all;
}

std::vector<BenignKernelLine> benign_kernel_lines() {
  std::vector<BenignKernelLine> all;
  const toml::table samples = samples_of("benign");
  for (const toml::node& row : *samples["lines"].as_array()) {
    const toml::array& line = *row.as_array();
    all.push_back({static_cast<int>(*line[0].value<std::int64_t>()), *line[1].value<std::string>()});
  }
  return all;
}

}  // namespace assay::health
