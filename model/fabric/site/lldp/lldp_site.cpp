// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/lldp/lldp_site.hpp"

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/files/folder_text.hpp"
#include "model/fabric/site/lldp/lldpcli.hpp"
#include "model/fabric/site/neighbour_csv.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

namespace fs = std::filesystem;

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

LldpLists lists_of(const std::vector<core::NamedText>& files, const std::string& folder) {
  std::map<std::string, LldpcliSystem> systems;
  for (const auto& [name, text] : files) {
    const std::string file = folder + "/" + fs::path(name).filename().string();
    if (text.find_first_not_of(" \t\r\n") != std::string::npos && !is_lldpcli(text))
      core::usage_error(file + ": expected what lldpcli prints with -f json, json0 or keyvalue");
    add_lldpcli(systems[system_of(file)], text, file);
  }
  LldpLists lists;
  lists.file = folder;
  for (const auto& [name, system] : systems) add_system(lists, system, name);
  return lists;
}

}  // namespace

SiteFabric parse_lldp(const std::string& text, const std::string& file, LinkSpeed speed,
                      const ChoosePort& choose) {
  if (const std::vector<core::NamedText> files = core::files_in_text(text); !files.empty())
    return lldp_fabric(lists_of(files, file), speed, choose);
  if (!is_lldpcli(text)) return read_neighbours({file, text}, speed, choose);
  LldpcliSystem system;
  add_lldpcli(system, text, file);
  LldpLists lists;
  lists.file = file;
  add_system(lists, system, system_of(file));
  return lldp_fabric(lists, speed, choose);
}

SiteFabric read_lldp(const std::string& path, LinkSpeed speed, const ChoosePort& choose) {
  const std::optional<std::string> folder = core::folder_as_text(path);
  return parse_lldp(folder ? *folder : read_text(path, "a list of LLDP neighbours"), path, speed, choose);
}

}  // namespace assay::model::fabric::site
