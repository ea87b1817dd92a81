// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/tests/approved.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace assay::machine {

testing::AssertionResult is_approved(const std::string& name, const std::string& text) {
  const std::string path = std::string(ASSAY_SOURCE_DIR) + "/harness/machine/tests/golden/" + name;
  const char* approve = std::getenv("ASSAY_APPROVE");
  if (approve != nullptr && std::string_view(approve) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return testing::AssertionSuccess();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return testing::AssertionFailure() << path << " does not exist; ASSAY_APPROVE=1 writes it";
  const std::string approved((std::istreambuf_iterator<char>(file)), {});
  if (approved == text) return testing::AssertionSuccess();
  const auto [wanted, got] = std::mismatch(approved.begin(), approved.end(), text.begin(), text.end());
  const auto line = 1 + std::count(approved.begin(), wanted, '\n');
  return testing::AssertionFailure() << path << " differs first in line " << line << ": approved \""
                                     << std::string(wanted, std::find(wanted, approved.end(), '\n'))
                                     << "\", got \"" << std::string(got, std::find(got, text.end(), '\n'))
                                     << "\"";
}

}  // namespace assay::machine
