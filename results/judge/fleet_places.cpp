// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "results/judge/fleet_store.hpp"

namespace assay::results {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

}  // namespace

FleetPlaces read_places(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot be read", file));
  FleetPlaces places;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    std::vector<std::string> fields = fields_of(line);
    if (number == 1) {
      if (fields.size() < 2 || fields.front() != "host")
        throw std::runtime_error(fmt::format("{}:1: expected a header such as host,rack,switch", file));
      places.levels.assign(fields.begin() + 1, fields.end());
      continue;
    }
    if (fields.size() != places.levels.size() + 1)
      throw std::runtime_error(fmt::format("{}:{}: expected {} columns, found {}", file, number,
                                           places.levels.size() + 1, fields.size()));
    const std::string host = fields.front();
    fields.erase(fields.begin());
    if (!places.of_host.emplace(host, fields).second)
      throw std::runtime_error(fmt::format("{}:{}: host '{}' appears twice", file, number, host));
  }
  if (places.levels.empty()) throw std::runtime_error(fmt::format("{}: is empty", file));
  return places;
}

}  // namespace assay::results
