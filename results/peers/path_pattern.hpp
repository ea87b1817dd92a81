// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Words that a path states about a file: by a pattern such as '{host}/{round}.log', and by their own form.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/peers/reader.hpp"

namespace assay::results::peers {

class PathPattern {
 public:
  /// Fields host, host1, host2, round, date, ranks, operation, tool, file; * matches anything but a slash.
  /// Throws a usage Error for another field, or for two fields without text between them.
  explicit PathPattern(const std::string& pattern);

  /// Facts of the path where the pattern matches all of `below`, the path below the folder that was named;
  /// where a file was named, its last parts. What does not match states nothing.
  PathFacts facts_of(const std::string& path, std::string_view below, bool was_folder) const;

 private:
  struct Part {
    std::string text;   // literal; empty: a field
    std::string field;  // "host"; "*"
  };
  bool match(std::size_t part, std::string_view rest, PathFacts& facts) const;

  std::vector<Part> parts_;
  std::size_t folders_ = 0;  // slashes of the pattern
};

/// Without a pattern: "16ranks" as a folder states ranks.
PathFacts plain_facts(const std::string& path);

/// "gx13-gx14" as two hosts: both halves have the same letters, and numbers of their own.
std::optional<std::pair<std::string, std::string>> two_hosts(std::string_view name);

/// Up to the first dot, in lower case: names of one host may differ in both.
std::string short_host(std::string_view name);

}  // namespace assay::results::peers
