// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Byte-exact comparison with a file in results/tests/golden; ASSAY_APPROVE=1 in the environment rewrites the
// file.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "results/tests/sample_records.hpp"

namespace assay::results::test {

inline std::filesystem::path golden_file(const std::string& name) {
  return std::filesystem::path(ASSAY_SOURCE_DIR) / "results/tests/golden" / name;
}

inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path file = golden_file(name);
  const char* approve = std::getenv("ASSAY_APPROVE");
  if (approve && std::string(approve) == "1") write_text(file, text);
  ASSERT_TRUE(std::filesystem::exists(file)) << file << " is not there; ASSAY_APPROVE=1 writes it";
  EXPECT_EQ(text, read_text(file)) << "differs from " << file << "; ASSAY_APPROVE=1 rewrites it";
}

}  // namespace assay::results::test
