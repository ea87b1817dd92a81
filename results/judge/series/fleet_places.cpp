// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "results/judge/series/fleet_store.hpp"

namespace assay::results {
namespace {

std::vector<std::string> places_fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  if (line.ends_with(',')) fields.emplace_back();
  return fields;
}

/// A row of the file: the host, what part of it, and the places.
class PlacesReader {
 public:
  explicit PlacesReader(const std::string& file) : file_(file) {}

  FleetPlaces read(std::istream& stream) {
    for (std::string line; std::getline(stream, line);) {
      ++number_;
      if (line.ends_with('\r')) line.pop_back();
      if (line.empty()) continue;
      if (number_ == 1)
        take_header(places_fields_of(line));
      else
        take_row(places_fields_of(line));
    }
    if (places_.levels.empty()) throw std::runtime_error(fmt::format("{}: is empty", file_));
    return std::move(places_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}:{}: {}", file_, number_, what));
  }

  void take_header(const std::vector<std::string>& fields) {
    for (std::size_t at = 1; at < fields.size() && (fields[at] == "gpu" || fields[at] == "port"); ++at)
      parts_.push_back(fields[at]);
    if (fields.front() != "host" || fields.size() < 2 + parts_.size())
      refuse("expected a header such as host,rack,switch or host,gpu,port,rail");
    places_.levels.assign(fields.begin() + static_cast<std::ptrdiff_t>(1 + parts_.size()), fields.end());
    for (auto level = places_.levels.begin(); level != places_.levels.end(); ++level) refuse_bad_level(level);
  }

  /// Units are levels too, and levels are distinguished by their names.
  void refuse_bad_level(std::vector<std::string>::const_iterator level) const {
    constexpr std::array taken{"host", "gpu", "port", "link"};
    if (level->find_first_not_of(" \t") == std::string::npos)
      refuse("a column without a name: expected a header such as host,rack,switch");
    if (std::ranges::find(taken, *level) != taken.end())
      refuse(fmt::format("'{}' cannot be the name of a place: expected a header such as host,gpu,rack,switch",
                         *level));
    if (std::find(places_.levels.begin(), level, *level) != level)
      refuse(fmt::format("'{}' appears twice in the header", *level));
  }

  void take_row(const std::vector<std::string>& fields) {
    const std::size_t expected = places_.levels.size() + parts_.size() + 1;
    if (fields.size() != expected)
      refuse(fmt::format("expected {} columns, found {}", expected, fields.size()));
    const std::vector<std::string> places(fields.begin() + static_cast<std::ptrdiff_t>(1 + parts_.size()),
                                          fields.end());
    bool whole = true;
    for (std::size_t at = 0; at < parts_.size(); ++at)
      if (!fields[1 + at].empty()) {
        whole = false;
        take_part(fields.front(), parts_[at] == "gpu" ? "gpu" + fields[1 + at] : fields[1 + at], places);
      }
    if (!whole) return;
    if (!places_.of_host.emplace(fields.front(), places).second)
      refuse(fmt::format("host '{}' appears twice", fields.front()));
  }

  void take_part(const std::string& host, const std::string& part, const std::vector<std::string>& places) {
    if (!places_.of_part.emplace(std::pair(host, part), places).second)
      refuse(fmt::format("'{}' of host '{}' appears twice", part, host));
  }

  std::string file_;
  int number_ = 0;
  std::vector<std::string> parts_;  // columns "gpu" and "port", as far as the header has them
  FleetPlaces places_;
};

/// A host of which only parts are listed is where all of them are.
void place_hosts_by_their_parts(FleetPlaces& places) {
  std::map<std::string, std::vector<std::string>> common;
  for (const auto& [part, at] : places.of_part) {
    const auto [host, fresh] = common.try_emplace(part.first, at);
    for (std::size_t level = 0; level < at.size(); ++level)
      if (host->second[level] != at[level]) host->second[level].clear();
  }
  for (auto& [host, at] : common) places.of_host.try_emplace(host, at);
}

FleetPlaces places_from(std::istream& stream, const std::string& where) {
  FleetPlaces places = PlacesReader(where).read(stream);
  place_hosts_by_their_parts(places);
  return places;
}

}  // namespace

std::vector<std::string> FleetPlaces::of(const std::string& host, const std::string& part) const {
  std::vector<std::string> places(levels.size());
  if (const auto found = of_host.find(host); found != of_host.end()) places = found->second;
  if (const auto found = of_part.find({host, part}); found != of_part.end())
    for (std::size_t level = 0; level < places.size(); ++level)
      if (!found->second[level].empty()) places[level] = found->second[level];
  return places;
}

FleetPlaces read_places(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot be read", file));
  return places_from(stream, file);
}

FleetPlaces places_in(const std::string& text, const std::string& where) {
  std::istringstream stream(text);
  return places_from(stream, where);
}

}  // namespace assay::results
