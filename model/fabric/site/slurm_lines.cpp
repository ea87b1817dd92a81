// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/text/slurm_text.hpp"
#include "model/fabric/site/host_list.hpp"
#include "model/fabric/site/slurm_switches.hpp"

namespace assay::model::fabric::site {

namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char one) { return std::tolower(one); });
  return text;
}

bool is_blank(char one) { return one == ' ' || one == '\t'; }

struct Setting {
  std::string key, value;
};

/// `Key=value`, with blanks around '=' and quotes around the value or not.
std::vector<Setting> settings_of(const std::string& line, const std::string& place) {
  std::vector<Setting> settings;
  std::size_t at = 0;
  const auto skip_blanks = [&] {
    while (at < line.size() && is_blank(line[at])) ++at;
  };
  for (skip_blanks(); at < line.size(); skip_blanks()) {
    Setting one;
    while (at < line.size() && line[at] != '=' && !is_blank(line[at])) one.key += line[at++];
    skip_blanks();
    const bool has_value = at < line.size() && line[at] == '=';
    if (has_value) ++at;
    skip_blanks();
    const bool is_quoted = at < line.size() && line[at] == '"';
    const std::size_t end =
        is_quoted ? line.find('"', at + 1) : std::min(line.find_first_of(" \t", at), line.size());
    if (!has_value || one.key.empty() || end == std::string::npos || end == at)
      core::usage_error(place + ": expected Key=value, got '" + one.key + "'");
    one.value = is_quoted ? line.substr(at + 1, end - at - 1) : line.substr(at, end - at);
    at = is_quoted ? end + 1 : end;
    one.key = lower_case(one.key);
    settings.push_back(std::move(one));
  }
  return settings;
}

bool is_ignored(const std::string& key) {
  // Numbers that say nothing of cables; those with an index are of scontrol.
  return key == "linkspeed" || key == "level" || key == "blocksizes" || key == "blocksize" ||
         key == "blockindex";
}

class SlurmLines {
 public:
  void add(const std::string& line, const std::string& place) {
    SlurmSwitch one;
    one.place = place;
    bool has_sizes = false;
    for (const Setting& setting : settings_of(line, place)) {
      has_sizes = has_sizes || setting.key == "blocksizes";
      one.is_block = one.is_block || setting.key == "blockname";
      if (setting.key == "switchname" || setting.key == "blockname")
        one.name = setting.value;
      else if (setting.key == "nodes")
        one.nodes = slurm_names(setting.value, place, found_);
      else if (setting.key == "switches")
        one.switches = slurm_names(setting.value, place, found_);
      else if (!is_ignored(setting.key))
        core::usage_error(
            place + ": expected SwitchName, Nodes, Switches, LinkSpeed, BlockName or BlockSizes, got '" +
            setting.key + "'");
    }
    if (one.name.empty() && has_sizes) return;
    if (one.name.empty()) core::usage_error(place + ": expected SwitchName=... or BlockName=...");
    found_.switches.push_back(std::move(one));
  }

  SlurmSwitches take() { return std::move(found_); }

 private:
  SlurmSwitches found_;
};

}  // namespace

std::vector<std::string> slurm_names(const std::string& list, const std::string& place, SlurmSwitches& into) {
  std::string plain;
  bool is_inside = false;
  for (const char one : list) {
    if (one == '[' || one == ']') is_inside = one == '[';
    const bool is_break = !is_inside && (one == ',' || is_blank(one));
    if (!is_break)
      plain += one;
    else if (!plain.empty() && !plain.ends_with(','))
      plain += ',';
  }
  if (plain.ends_with(',')) plain.pop_back();
  if (plain.empty()) return {};
  std::vector<std::string> names;
  std::set<std::string> seen;
  std::string repeated;
  for (std::string& name : expand_host_list(plain, place)) {
    if (seen.insert(name).second)
      names.push_back(std::move(name));
    else if (repeated.empty())
      repeated = name;
  }
  if (!repeated.empty()) into.notes.push_back(place + ": '" + repeated + "' is named twice: counted once");
  return names;
}

SlurmSwitches read_slurm_lines(const std::string& text, const std::string& file) {
  SlurmLines lines;
  for (const core::SlurmLine& line : core::slurm_lines(text, file)) lines.add(line.text, line.place);
  return lines.take();
}

}  // namespace assay::model::fabric::site
