// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/shared_parts.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "results/store/database.hpp"
#include "results/store/machine_serials.hpp"

namespace assay::results {
namespace {

/// Virtual functions without a GUID of their own tell zeros.
bool tells_nothing(const std::string& serial) { return serial.find_first_not_of("0:-") == std::string::npos; }

struct PartPlace {
  std::string host, part;
};

class SharedParts {
 public:
  void take(const std::string& host, const MachineSerials& serials) {
    std::map<std::string, std::string> within;  // part, by serial: an adapter stands there once a port
    for (const auto& [part, serial] : serials) {
      if (tells_nothing(serial)) continue;
      if (const auto [place, fresh] = within.try_emplace(serial, part); !fresh && place->second != part)
        tell(host, host,
             fmt::format("host {}: {} and {} tell one serial number, {}", host, place->second, part, serial));
      const auto [place, fresh] = first_.try_emplace(serial, PartPlace{host, part});
      if (!fresh && place->second.host != host)
        tell(place->second.host, host,
             fmt::format(
                 "hosts {} and {} are one machine under two names, or a part moved between them: {} of "
                 "one and {} of the other is {}",
                 place->second.host, host, place->second.part, part, serial));
    }
  }
  std::vector<std::string> finish() { return std::move(lines_); }

 private:
  void tell(const std::string& one, const std::string& other, std::string line) {
    if (told_.emplace(one, other).second) lines_.push_back(std::move(line));
  }

  std::map<std::string, PartPlace> first_;
  std::set<std::pair<std::string, std::string>> told_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> shared_parts_of(const Store& store) {
  Statement rows = store.database().prepare(
      "SELECT DISTINCT host, json_extract(record, '$.machine') FROM contexts ORDER BY host, id");
  SharedParts shared;
  while (rows.step())
    if (!rows.is_null(1)) shared.take(rows.text(0), serials_of(nlohmann::ordered_json::parse(rows.text(1))));
  return shared.finish();
}

}  // namespace assay::results
