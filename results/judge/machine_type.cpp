// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/machine_type.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <vector>

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

const Json& member(const Json& from, const char* key) {
  static const Json nothing;
  return from.is_object() && from.contains(key) ? from[key] : nothing;
}

std::string word(const Json& from, const char* key) {
  const Json& value = member(from, key);
  return value.is_string() ? value.get<std::string>() : "";
}

std::vector<Json> list(const Json& from, const char* key) {
  const Json& value = member(from, key);
  return value.is_array() ? value.get<std::vector<Json>>() : std::vector<Json>{};
}

std::optional<std::string> other_word(const std::string& what, const std::string& pattern,
                                      const std::string& found) {
  if (pattern.empty() || glob_matches(pattern, found)) return std::nullopt;
  return fmt::format("{} '{}' (expected '{}')", what, found, pattern);
}

std::optional<std::string> other_count(const std::string& what, const std::optional<std::int64_t>& expected,
                                       std::int64_t found) {
  if (!expected || *expected == found) return std::nullopt;
  return fmt::format("{} {} (expected {})", found, what, *expected);
}

std::optional<std::string> other_gpus(const MachineType& type, const std::vector<Json>& gpus) {
  if (auto other = other_count("GPUs", type.gpus, static_cast<std::int64_t>(gpus.size()))) return other;
  if (gpus.empty() && (!type.gpu.empty() || type.nvlinks))
    return fmt::format("no GPU (expected '{}')", type.gpu);
  for (std::size_t at = 0; at < gpus.size(); ++at) {
    if (auto other = other_word(fmt::format("GPU {}", at), type.gpu, word(gpus[at], "name"))) return other;
    const Json& links = member(gpus[at], "nvlinks_active");
    if (auto other = other_count(fmt::format("NVLinks of GPU {}", at), type.nvlinks,
                                 links.is_number_integer() ? links.get<std::int64_t>() : 0))
      return other;
  }
  return std::nullopt;
}

std::optional<std::string> other_hcas(const MachineType& type, const std::vector<Json>& hcas) {
  const auto other = [&](const Json& hca) {
    auto found = other_word("HCA", type.hca, word(hca, "part"));
    return found ? found : other_word("rate", type.rate, word(hca, "rate"));
  };
  if (type.hca.empty() && type.rate.empty()) return std::nullopt;
  if (hcas.empty()) return "no HCA";
  if (std::ranges::any_of(hcas, [&](const Json& hca) { return !other(hca); })) return std::nullopt;
  return other(hcas.front());
}

}  // namespace

bool glob_matches(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::optional<std::string> mismatch(const MachineType& type, const Json& machine) {
  if (auto other = other_gpus(type, list(machine, "gpus"))) return other;
  if (auto other = other_hcas(type, list(machine, "hcas"))) return other;
  if (auto other = other_word("CPU", type.cpu, word(member(machine, "cpu"), "model"))) return other;
  return other_word("product", type.product, word(machine, "product"));
}

}  // namespace assay::results
