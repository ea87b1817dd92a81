// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The page of the command line (docs/reference/cli.md): what --help prints of every command. What several
// commands share (an option, an argument, a closing line) is printed once; options and arguments are named
// afterwards.
#pragma once

#include <map>
#include <string>

namespace assay::cli::tests {

class HelpPage {
 public:
  /// Adds what `--help` of this command prints; an option or argument in the very words of an earlier command
  /// becomes its name. A command with nothing else gets no section.
  void add(const std::string& command, const std::string& help);
  const std::string& text() const { return text_; }

 private:
  std::map<std::string, std::string> first_;  // an entry as printed, and the command that printed it first
  std::string text_;
};

}  // namespace assay::cli::tests
