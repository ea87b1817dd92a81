// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/lldp_site.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

#include "harness/core/error.hpp"
#include "model/fabric/site/lldpcli.hpp"
#include "model/fabric/site/neighbour_csv.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 1U << 16U;
constexpr const char* expected = "a list of LLDP neighbours";

std::string system_of(const std::string& file) {
  std::string name = fs::path(file).filename().string();
  const auto cut = [&](std::initializer_list<std::string_view> endings) {
    for (const std::string_view ending : endings)
      if (name.ends_with(ending) && name.size() > ending.size())
        return name.resize(name.size() - ending.size());
  };
  cut({".json", ".json0", ".keyvalue", ".kv", ".txt", ".out"});
  cut({"-chassis", ".chassis", "-neighbors", ".neighbors"});
  return name;
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with('.')) continue;
    files.push_back(at->path().string());
    if (files.size() > most_files)
      core::usage_error(folder + ": expected at most " + std::to_string(most_files) + " files");
  }
  if (error) core::usage_error(folder + ": cannot be read: " + error.message());
  if (files.empty()) core::usage_error(folder + ": expected a file of each system, got an empty folder");
  std::ranges::sort(files);
  return files;
}

}  // namespace

SiteFabric parse_lldp(const std::string& text, const std::string& file, LinkSpeed speed,
                      const ChoosePort& choose) {
  if (!is_lldpcli(text)) return read_neighbours({file, text}, speed, choose);
  LldpcliSystem system;
  add_lldpcli(system, text, file);
  LldpLists lists;
  lists.file = file;
  add_system(lists, system, system_of(file));
  return lldp_fabric(lists, speed, choose);
}

SiteFabric read_lldp(const std::string& path, LinkSpeed speed, const ChoosePort& choose) {
  std::error_code none;
  if (!fs::is_directory(path, none)) return parse_lldp(read_text(path, expected), path, speed, choose);
  std::map<std::string, LldpcliSystem> systems;
  for (const std::string& file : files_in(path)) {
    const std::string text = read_text(file, expected);
    if (text.find_first_not_of(" \t\r\n") != std::string::npos && !is_lldpcli(text))
      core::usage_error(file + ": expected what lldpcli prints with -f json, json0 or keyvalue");
    add_lldpcli(systems[system_of(file)], text, file);
  }
  LldpLists lists;
  lists.file = path;
  for (const auto& [name, system] : systems) add_system(lists, system, name);
  return lldp_fabric(lists, speed, choose);
}

}  // namespace assay::model::fabric::site
