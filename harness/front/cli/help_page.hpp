// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The page of the command line: what --help prints of every command, where an option that several commands
// share is printed once and named afterwards.
#pragma once

#include <map>
#include <string>

namespace assay::cli {

class HelpPage {
 public:
  /// Adds what `--help` of this command prints; an option in the very words of an earlier command becomes its
  /// name.
  void add(const std::string& command, const std::string& help);
  const std::string& text() const { return text_; }

 private:
  std::map<std::string, std::string> first_;  // an option as printed, and the command that printed it first
  std::string text_;
};

}  // namespace assay::cli
