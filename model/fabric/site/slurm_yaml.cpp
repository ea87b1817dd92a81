// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/site/slurm_switches.hpp"

namespace assay::model::fabric::site {

namespace {

struct YamlLine {
  std::size_t indent = 0;
  bool is_item = false;  // begins with "- "
  std::string key, value, place;
};

struct YamlTopology {
  std::string name;
  bool is_default = false;
  SlurmSwitches found;
};

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \r") - first + 1));
}

/// Up to a '#' at the beginning or after a blank.
std::string_view without_yaml_remark(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at)
    if (line[at] == '#' && (at == 0 || line[at - 1] == ' ')) return line.substr(0, at);
  return line;
}

std::string word_of(const std::string& text, const std::string& place) {
  const bool is_quoted =
      text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  if (is_quoted) return text.substr(1, text.size() - 2);
  if (!text.empty() && std::string_view("&*!|>{\"'%@`").find(text.front()) != std::string_view::npos)
    core::usage_error(place + ": expected a plain word or one in quotes, got '" + text + "'");
  return text;
}

std::optional<YamlLine> read_line(const std::string& line, const std::string& place) {
  if (line.find('\t') != std::string::npos) core::usage_error(place + ": expected blanks, got a tab");
  std::string rest(without_yaml_remark(line));
  if (trimmed(rest).empty() || trimmed(rest) == "---" || trimmed(rest) == "...") return std::nullopt;
  YamlLine one;
  one.place = place;
  one.indent = rest.find_first_not_of(' ');
  rest = trimmed(rest);
  if (rest == "-" || rest.starts_with("- ")) {
    one.is_item = true;
    rest = trimmed(std::string_view(rest).substr(1));
  }
  const std::size_t colon = rest.ends_with(':') ? rest.size() - 1 : rest.find(": ");
  if (colon == std::string::npos || rest.empty()) {
    one.value = word_of(rest, place);
    return one;
  }
  one.key = word_of(rest.substr(0, colon), place);
  one.value = word_of(trimmed(std::string_view(rest).substr(std::min(colon + 1, rest.size()))), place);
  return one;
}

class SlurmYaml {
 public:
  void read(const YamlLine& line) {
    if (!top_) top_ = line.indent;
    if (line.is_item && line.indent == *top_) {
      topologies_.emplace_back();
      section_.clear();
    }
    if (topologies_.empty()) core::usage_error(line.place + ": expected '- topology: NAME'");
    if (line.is_item && line.indent > *top_ && (section_ == "switches" || section_ == "blocks"))
      switches().push_back({"", {}, {}, line.place, section_ == "blocks"});
    if (!line.key.empty())
      read_key(line);
    else if (!line.value.empty() && section_ != "block_sizes")
      core::usage_error(line.place + ": expected 'key: value', got '" + line.value + "'");
  }

  SlurmSwitches take() {
    if (topologies_.empty()) return {};
    auto chosen = std::ranges::find_if(topologies_, &YamlTopology::is_default);
    if (chosen == topologies_.end()) chosen = topologies_.begin();
    SlurmSwitches found = std::move(chosen->found);
    for (auto other = topologies_.begin(); other != topologies_.end(); ++other)
      if (other != chosen)
        found.notes.push_back("topology '" + other->name + "' is left out: '" + chosen->name + "' is read");
    return found;
  }

 private:
  std::vector<SlurmSwitch>& switches() { return topologies_.back().found.switches; }

  void read_key(const YamlLine& line) {
    YamlTopology& topology = topologies_.back();
    const std::string& key = line.key;
    const bool is_section = key == "switches" || key == "blocks" || key == "block_sizes";
    if (key == "topology") {
      topology.name = line.value;
    } else if (key == "cluster_default") {
      topology.is_default = line.value == "true" || line.value == "yes";
    } else if (is_section) {
      section_ = key;
    } else if (key != "tree" && key != "block" && key != "flat" && key != "switch" && key != "children" &&
               key != "nodes") {
      core::usage_error(line.place +
                        ": expected topology, cluster_default, tree, switches, switch, children, nodes, "
                        "block, blocks or block_sizes, got '" +
                        key + "'");
    } else if ((section_ == "switches" || section_ == "blocks") && !switches().empty()) {
      read_switch(line, topology.found);
    }
  }

  static void read_switch(const YamlLine& line, SlurmSwitches& found) {
    SlurmSwitch& one = found.switches.back();
    if (line.key == "switch" || line.key == "block") one.name = line.value;
    if (line.key == "nodes") one.nodes = slurm_names(line.value, line.place, found);
    if (line.key == "children") one.switches = slurm_names(line.value, line.place, found);
  }

  std::optional<std::size_t> top_;  // indent of the list of topologies
  std::string section_;
  std::vector<YamlTopology> topologies_;
};

}  // namespace

bool is_slurm_yaml(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string kept = trimmed(without_yaml_remark(line));
    if (!kept.empty()) return kept == "---" || kept.starts_with("- ") || kept == "-";
  }
  return false;
}

SlurmSwitches read_slurm_yaml(const std::string& text, const std::string& file) {
  SlurmYaml yaml;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);)
    if (const auto one = read_line(line, file + ":" + std::to_string(++number))) yaml.read(*one);
  SlurmSwitches found = yaml.take();
  for (const SlurmSwitch& one : found.switches)
    if (one.name.empty()) core::usage_error(one.place + ": expected 'switch: NAME' or 'block: NAME'");
  return found;
}

}  // namespace assay::model::fabric::site
