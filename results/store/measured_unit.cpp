// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/measured_unit.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <sstream>

namespace assay::results {
namespace {

std::string metric_of(const std::string& case_name, const std::string& rest) {
  return rest.empty() ? case_name : case_name + "/" + rest;
}

const nlohmann::ordered_json& part_of(const nlohmann::ordered_json& machine, const std::string& gpu) {
  static const nlohmann::ordered_json none;
  if (gpu.empty()) return machine.contains("cpu") ? machine["cpu"] : none;
  const auto index = static_cast<std::size_t>(std::stoul(gpu));
  return machine.contains("gpus") && index < machine["gpus"].size() ? machine["gpus"][index] : none;
}

std::string word_in(const nlohmann::ordered_json& from, const char* key) {
  return from.is_object() && from.contains(key) && from[key].is_string() ? from[key].get<std::string>()
                                                                         : std::string();
}

std::int64_t integer_in(const nlohmann::ordered_json& from, const char* key) {
  return from.is_object() && from.contains(key) && from[key].is_number() ? from[key].get<std::int64_t>() : 0;
}

/// None at the ends, one between words.
std::string without_odd_blanks(const std::string& text) {
  std::istringstream words(text);
  std::string joined;
  for (std::string word; words >> word;) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

}  // namespace

PointIdentity identity_of(const std::string& case_name, const std::string& key) {
  const auto at = key.starts_with("gpu=") ? 0 : key.find(",gpu=");
  // The axis gpu of an RDMA case says where messages lie; what is measured is the host's adapter.
  if (at == std::string::npos || case_name.starts_with("rdma.")) return {"", metric_of(case_name, key)};
  const std::size_t begin = at == 0 ? 4 : at + 5, end = std::min(key.find(',', begin), key.size());
  std::string rest = key.substr(0, at) + key.substr(end);
  if (rest.starts_with(",")) rest.erase(0, 1);
  return {key.substr(begin, end - begin), metric_of(case_name, rest)};
}

std::string hardware_of(const nlohmann::ordered_json& machine, const std::string& gpu) {
  return without_odd_blanks(word_in(part_of(machine, gpu), gpu.empty() ? "model" : "name"));
}

std::string equals_of(const nlohmann::ordered_json& machine, const std::string& gpu) {
  const auto& part = part_of(machine, gpu);
  std::string name = hardware_of(machine, gpu);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (gpu.empty()) return name;
  const std::int64_t multiprocessors = integer_in(part, "sm_count"), bytes = integer_in(part, "memory_bytes");
  if (multiprocessors <= 0 || bytes <= 0) return name;
  constexpr std::int64_t step_gib = 4,
                         step = step_gib << 30;  // what drivers keep for themselves differs by less
  return "GPU of " + std::to_string(multiprocessors) + " multiprocessors, " +
         std::to_string(step_gib * ((bytes + step / 2) / step)) + " GiB, compute capability " +
         word_in(part, "compute_capability");
}

}  // namespace assay::results
