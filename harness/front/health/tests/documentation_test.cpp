// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/describe.hpp"
#include "results/table/table.hpp"

namespace assay::health {
namespace {

TEST(Documentation, HoldsTheTableOfChecks) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/docs/reference/health-checks.md");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::string titled = results::to_markdown(table_of(all_checks()));
  const std::string table = titled.substr(titled.find('|'));
  EXPECT_NE(text.find(table), std::string::npos) << "docs/reference/health-checks.md must hold this table:\n"
                                                 << table;
}

}  // namespace
}  // namespace assay::health
