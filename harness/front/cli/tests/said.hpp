// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The output of `assay` for a command line, for tests.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "harness/front/suite/processes/child.hpp"

namespace assay::cli::tests {

struct Said {
  int exit_code;
  std::string text;
};

/// Runs `assay ARGUMENTS` in `folder` (as the shell writes it) with standard error joined to standard output.
inline Said assay_in(const std::string& folder, const std::string& arguments) {
  const suite::Output output = suite::run_and_read(
      {"/bin/sh", "-c", "cd " + folder + " && " + ASSAY_BIN_DIR + "/assay " + arguments + " 2>&1"});
  return {output.ending.exit_code, output.text};
}

/// What stands before the last line, and that line.
inline std::pair<std::string, std::string> parted_at_last_line(const std::string& text) {
  const std::size_t from = text.size() < 2 ? 0 : text.rfind('\n', text.size() - 2) + 1;
  return {text.substr(0, from), text.substr(from)};
}

inline std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace assay::cli::tests
