// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/measured_unit.hpp"

#include <algorithm>

namespace assay::results {
namespace {

std::string metric_of(const std::string& case_name, const std::string& rest) {
  return rest.empty() ? case_name : case_name + "/" + rest;
}

}  // namespace

PointIdentity identity_of(const std::string& case_name, const std::string& key) {
  const auto at = key.starts_with("gpu=") ? 0 : key.find(",gpu=");
  // An RDMA case tells with its axis gpu where messages lie; what is measured is the host's adapter.
  if (at == std::string::npos || case_name.starts_with("rdma.")) return {"", metric_of(case_name, key)};
  const std::size_t begin = at == 0 ? 4 : at + 5, end = std::min(key.find(',', begin), key.size());
  std::string rest = key.substr(0, at) + key.substr(end);
  if (rest.starts_with(",")) rest.erase(0, 1);
  return {key.substr(begin, end - begin), metric_of(case_name, rest)};
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
