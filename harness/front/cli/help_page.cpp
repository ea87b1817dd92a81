// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/help_page.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>
#include <vector>

namespace assay::cli {
namespace {

/// An option with the lines that continue it, or one other line.
std::vector<std::string> help_entries(const std::string& help) {
  std::vector<std::string> entries;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const bool continues = !entries.empty() && entries.back().starts_with("  -") && line.starts_with("     ");
    if (continues)
      entries.back() += line + "\n";
    else
      entries.push_back(line + "\n");
  }
  return entries;
}

/// "--filter" of "  --filter GLOB ...  only cases"; of "  -o,--output FILE" the long name.
std::string long_name(const std::string& entry) {
  const std::size_t begin = entry.find("--");
  return entry.substr(begin, entry.find_first_of(" \n", begin) - begin);
}

/// One line for each command whose options this one repeats.
std::string repeated_options(const std::vector<std::pair<std::string, std::string>>& names_by_command) {
  std::string text;
  for (const auto& [command, names] : names_by_command) text += fmt::format("  as {}: {}\n", command, names);
  return text;
}

}  // namespace

void HelpPage::add(const std::string& command, const std::string& help) {
  std::vector<std::pair<std::string, std::string>> repeated;
  text_ += fmt::format("\n## {}\n\n```\n", command);
  for (const std::string& entry : help_entries(help)) {
    if (!entry.starts_with("  -")) {
      if (entry == "\n") text_ += repeated_options(std::exchange(repeated, {}));
      text_ += entry;
      continue;
    }
    const auto [known, fresh] = first_.emplace(entry, command);
    if (fresh)
      text_ += entry;
    else if (const std::string name = long_name(entry); name == "--help")
      continue;
    else if (repeated.empty() || repeated.back().first != known->second)
      repeated.emplace_back(known->second, name);
    else
      repeated.back().second += ", " + name;
  }
  text_ += repeated_options(repeated) + "```\n";
}

}  // namespace assay::cli
