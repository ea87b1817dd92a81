// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/measured_unit.hpp"

#include <algorithm>

namespace assay::results {

PointIdentity identity_of(const std::string& case_name, const std::string& key) {
  // An RDMA case tells with its axis gpu where messages lie; what is measured is the host's adapter.
  if (case_name.starts_with("rdma.")) return {"", key};
  const auto at = key.starts_with("gpu=") ? 0 : key.find(",gpu=");
  if (at == std::string::npos) return {"", key};
  const std::size_t begin = at == 0 ? 4 : at + 5, end = std::min(key.find(',', begin), key.size());
  std::string rest = key.substr(0, at) + key.substr(end);
  if (rest.starts_with(",")) rest.erase(0, 1);
  return {key.substr(begin, end - begin), rest};
}

std::string unit_name(const std::string& host, const std::string& gpu) {
  return gpu.empty() ? host : host + "/gpu" + gpu;
}

std::string hardware_of(const nlohmann::ordered_json& machine, const std::string& gpu) {
  const auto word = [](const nlohmann::ordered_json& from, const char* key) {
    return from.is_object() && from.contains(key) && from[key].is_string() ? from[key].get<std::string>()
                                                                           : std::string();
  };
  if (gpu.empty()) return machine.contains("cpu") ? word(machine["cpu"], "model") : "";
  const auto index = static_cast<std::size_t>(std::stoul(gpu));
  if (!machine.contains("gpus") || index >= machine["gpus"].size()) return "";
  return word(machine["gpus"][index], "name");
}

}  // namespace assay::results
