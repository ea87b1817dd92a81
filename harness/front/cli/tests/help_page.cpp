// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tests/help_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace assay::cli::tests {
namespace {

struct HelpEntry {
  std::string text;  // with the lines that continue it
  bool is_named;     // an option or an argument; else a heading, a blank line or prose
};

bool is_option(const std::string& line) { return line.starts_with("  -"); }

std::vector<HelpEntry> help_entries(const std::string& help) {
  std::vector<HelpEntry> entries;
  bool arguments = false;  // between "Positionals:" and the next blank line
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    arguments = line == "Positionals:" || (arguments && !line.empty());
    if (!entries.empty() && entries.back().is_named && line.starts_with("     "))
      entries.back().text += line + "\n";
    else
      entries.push_back({line + "\n", is_option(line) || (arguments && line.starts_with("  "))});
  }
  return entries;
}

/// "--filter" of "  --filter GLOB ...  only cases"; of "  -o,--output FILE" the long name; else the first
/// word.
std::string name_in(const std::string& entry) {
  const std::size_t begin = is_option(entry) ? entry.find("--") : entry.find_first_not_of(' ');
  return entry.substr(begin, entry.find_first_of(" \n", begin) - begin);
}

/// One line for each command whose options or arguments this one repeats.
class Repeated {
 public:
  void add(const std::string& command, const std::string& name) {
    const auto same = [&](const auto& one) { return one.first == command; };
    const auto found = std::find_if(names_.begin(), names_.end(), same);
    if (found == names_.end())
      names_.emplace_back(command, name);
    else
      found->second += ", " + name;
  }
  std::string take() {
    std::string text;
    for (const auto& [command, names] : std::exchange(names_, {}))
      text += fmt::format("  as {}: {}\n", command, names);
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> names_;  // of the command that printed them first
};

}  // namespace

void HelpPage::add(const std::string& command, const std::string& help) {
  Repeated repeated;
  std::string section;
  bool adds = false;
  for (const auto& [text, is_named] : help_entries(help)) {
    const bool closes = !is_named && text.ends_with(".\n");  // a sentence below the options
    if (!is_named && !closes) {
      if (text == "\n") section += repeated.take();
      section += text;
      continue;
    }
    const auto [known, fresh] = first_.emplace(text, command);
    adds = adds || fresh;
    if (fresh)
      section += text;
    else if (is_named && name_in(text) != "--help")
      repeated.add(known->second, name_in(text));
  }
  if (adds) text_ += fmt::format("\n## {}\n\n```\n{}{}```\n", command, section, repeated.take());
}

}  // namespace assay::cli::tests
