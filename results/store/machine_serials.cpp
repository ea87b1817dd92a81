// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/machine_serials.hpp"

#include <fmt/format.h>

namespace assay::results {

MachineSerials serials_of(const nlohmann::ordered_json& machine) {
  MachineSerials serials;
  const auto add = [&](const char* list, const std::string& prefix, const char* name, const char* serial) {
    if (!machine.is_object() || !machine.contains(list) || !machine[list].is_array()) return;
    for (const auto& part : machine[list])
      if (part.is_object() && part.contains(name) && part.contains(serial) && part[serial].is_string() &&
          !part[serial].get_ref<const std::string&>().empty())
        serials.emplace_back(
            prefix + (part[name].is_string() ? part[name].get<std::string>() : part[name].dump()),
            part[serial].get<std::string>());
  };
  add("gpus", "GPU ", "index", "uuid");
  add("gpus", "the board of GPU ", "index", "serial");
  add("hcas", "", "device", "node_guid");
  return serials;
}

std::string difference_text(const std::string& part, const std::string& one, const std::string& other) {
  return fmt::format("{} is {} in one and {} in the other", part, one, other);
}

SerialComparison compare(const MachineSerials& one, const MachineSerials& other) {
  SerialComparison found;
  for (const auto& [part, serial] : one)
    for (const auto& [part_of_other, serial_of_other] : other) {
      if (part != part_of_other) continue;
      if (serial == serial_of_other)
        found.any_same = true;
      else if (found.difference.empty())
        found.difference = difference_text(part, serial, serial_of_other);
    }
  return found;
}

}  // namespace assay::results
