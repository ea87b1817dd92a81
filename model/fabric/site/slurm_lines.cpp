// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/site/host_list.hpp"
#include "model/fabric/site/slurm_switches.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

constexpr std::size_t most_includes = 64;

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char one) { return std::tolower(one); });
  return text;
}

bool is_blank(char one) { return one == ' ' || one == '\t'; }

/// Up to a remark, which begins with a '#' that has no backslash before it.
std::string without_remark(const std::string& line) {
  std::string kept;
  for (std::size_t at = 0; at < line.size() && line[at] != '#'; ++at) {
    if (line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '#') ++at;
    kept += line[at];
  }
  return kept;
}

/// Of lines that a backslash continues, the number of the first.
std::vector<std::pair<std::size_t, std::string>> whole_lines(const std::string& text) {
  std::vector<std::pair<std::size_t, std::string>> lines;
  std::istringstream in(text);
  bool continued = false;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    line = without_remark(line);
    if (!continued) lines.emplace_back(number, "");
    continued = line.ends_with('\\');
    if (continued) line.back() = ' ';
    lines.back().second += line;
  }
  return lines;
}

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
  explicit SlurmLines(bool may_include) : may_include_(may_include) {}

  void read(const std::string& text, const std::string& file) {
    for (const auto& [number, line] : whole_lines(text)) {
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      const std::string place = file + ":" + std::to_string(number);
      if (const auto included = included_in(line))
        include(*included, file, place);
      else
        add(line, place);
    }
  }

  SlurmSwitches take() { return std::move(found_); }

 private:
  static std::optional<std::string> included_in(const std::string& line) {
    constexpr std::string_view word = "include";
    const std::size_t at = line.find_first_not_of(" \t");
    if (lower_case(line.substr(at, word.size())) != word) return std::nullopt;
    if (at + word.size() >= line.size() || !is_blank(line[at + word.size()])) return std::nullopt;
    std::string file = line.substr(std::min(line.find_first_not_of(" \t", at + word.size()), line.size()));
    file.resize(file.find_last_not_of(" \t") + 1);
    if (file.empty() || file.starts_with('=')) return std::nullopt;
    return file;
  }

  void include(const std::string& name, const std::string& file, const std::string& place) {
    if (!may_include_)
      core::usage_error(place + ": include: expected a single file here, got one that needs '" + name + "'");
    if (++includes_ > most_includes)
      core::usage_error(place + ": expected at most " + std::to_string(most_includes) + " included files");
    const std::string path = (std::filesystem::path(file).parent_path() / name).string();
    read(read_text(path, "a file that " + place + " includes"), path);
  }

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

  bool may_include_;
  std::size_t includes_ = 0;
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

SlurmSwitches read_slurm_lines(const std::string& text, const std::string& file, bool may_include) {
  SlurmLines lines(may_include);
  lines.read(text, file);
  return lines.take();
}

}  // namespace assay::model::fabric::site
