// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/neighbour_csv.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "model/fabric/site/lldp/lldp_rows.hpp"

namespace assay::model::fabric::site {

namespace {

/// Words and letters of switches' lists ("show lldp neighbors", RFC 2922).
constexpr std::array<std::string_view, 4> forwarding = {"bridge", "b", "router", "r"};
constexpr std::array<std::string_view, 16> others = {
    "station", "s",     "wlan",     "w", "telephone",    "tel",          "t",   "o", "docsis",
    "c",       "other", "repeater", "p", "access-point", "station-only", "none"};

std::string text_in(const fit::CsvTable& table, std::size_t row, const std::string& column) {
  const std::string text = table.text(row, column);
  if (text.empty()) table.complain(row, column, "expected a name, got nothing");
  return text;
}

/// "Bridge Router" or "B;R": one that forwards counts.
std::optional<bool> forwards_in(const fit::CsvTable& table, std::size_t row) {
  const std::string column = "capabilities";
  if (!table.has(column)) return std::nullopt;
  std::optional<bool> forwards;
  std::string word;
  for (const char letter : table.text(row, column) + ",") {
    const auto one = static_cast<unsigned char>(letter);
    if (std::isalpha(one) != 0 || one == '-') {
      word += static_cast<char>(std::tolower(one));
      continue;
    }
    if (std::ranges::find(forwarding, word) != forwarding.end())
      forwards = true;
    else if (std::ranges::find(others, word) != others.end())
      forwards = forwards.value_or(false);
    else if (!word.empty())
      table.complain(row, column, "expected words such as bridge, router or station, got '" + word + "'");
    word.clear();
  }
  return forwards;
}

}  // namespace

SiteFabric read_neighbours(const fit::CsvSource& source, LinkSpeed speed, const ChoosePort& choose) {
  const fit::CsvTable table = fit::CsvTable::read(
      source, {{"system", "port", "neighbour", "neighbour_port"}, {"gbit_per_s", "capabilities"}});
  LldpLists lists;
  lists.file = table.path();
  lists.list_is_of_a_switch = true;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const bool rated = table.has("gbit_per_s") && !table.text(row, "gbit_per_s").empty();
    lists.rows.push_back({{text_in(table, row, "system"), {text_in(table, row, "port")}},
                          {text_in(table, row, "neighbour"), {text_in(table, row, "neighbour_port")}},
                          rated ? table.positive(row, "gbit_per_s") : 0,
                          forwards_in(table, row),
                          table.path() + ":" + std::to_string(table.line(row))});
  }
  return lldp_fabric(lists, speed, choose);
}

}  // namespace assay::model::fabric::site
