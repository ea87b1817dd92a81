// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/file_name.hpp"

#include <string>

namespace assay::cli {

CLI::Validator file_name() {
  return {[](const std::string& text) {
            return std::string(text.empty() ? "expected the name of a file, got an empty one" : "");
          },
          ""};
}

}  // namespace assay::cli
