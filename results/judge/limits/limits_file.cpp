// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/limits/limits_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/text/glob.hpp"

namespace assay::results {
namespace {

MachineType machine_in(const core::TomlSection& root) {
  const auto section = root.table("machine");
  if (!section) root.missing("machine", "a table [machine]: what machine these limits are for");
  MachineType machine;
  core::read_fields(*section, machine);
  if (section->keys().empty()) section->missing("gpu", "what machine these limits are for");
  return machine;
}

/// Words and whole numbers, as text.
std::vector<std::pair<std::string, std::string>> point_in(const core::TomlSection& limit) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto section = limit.table("point");
  if (!section) return all;
  for (const std::string& axis : section->keys()) {
    if (section->node(axis)->is_array()) section->refuse(axis, "expected one value, such as \"256MiB\"");
    all.emplace_back(axis, section->scalars(axis)->front());
  }
  return all;
}

AbsoluteLimit limit_in(const core::TomlSection& section) {
  AbsoluteLimit limit;
  limit.where = section.place();
  core::read_fields(section, limit, {"point", "lowest", "highest"});
  limit.point = point_in(section);
  limit.bounds = {section.number("lowest"), section.number("highest")};
  const auto& [lowest, highest] = limit.bounds;
  if (!lowest && !highest) section.missing("lowest", "lowest, highest or both");
  if (lowest && highest && *lowest > *highest)
    section.refuse("lowest", fmt::format("{} is above highest, {}", *lowest, *highest));
  return limit;
}

/// A file that was changed after it was signed is not what that person answers for.
LimitsSignature signature_in(const core::TomlSection& section, const std::string& text) {
  LimitsSignature signature;
  core::read_fields(section, signature, {"digest"});
  const auto digest = section.word("digest");
  if (!digest) section.missing("digest", "the digest of this file's text");
  if (*digest != digest_of_limits(text))
    section.refuse("digest", fmt::format("this file was changed after {} signed it on {} (expected {})",
                                         signature.by, signature.date, digest_of_limits(text)));
  return signature;
}

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
  if (pattern.empty() || core::glob_matches(pattern, found)) return std::nullopt;
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

std::string limited_metric(const std::string& point, const std::string& metric) {
  return point + " " + metric;
}

LimitsFile read_limits(const std::string& path) {
  constexpr std::size_t most_bytes = 16 << 20;
  return limits_in(core::read_input(path, "limits (docs/reference/files.md)", most_bytes), path);
}

LimitsFile limits_in(const std::string& text, const std::string& path) {
  const core::TomlFile file(text, path);
  const core::TomlSection root = file.root();
  root.allow({"about", "signed", "machine", "limit"});
  static_cast<void>(root.word("about"));
  LimitsFile limits{.path = path, .machine = machine_in(root), .limits = {}};
  if (!root.has("limit")) root.missing("limit", "tables [[limit]]");
  if (const auto section = root.table("signed")) limits.signature = signature_in(*section, text);
  for (const core::TomlSection& section : root.tables("limit")) limits.limits.push_back(limit_in(section));
  return limits;
}

std::string digest_of_limits(const std::string& text) {
  std::string rest;
  std::istringstream lines(text);
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    const bool is_digest = !found && line.starts_with("digest = ");
    found = found || is_digest;
    if (!is_digest) rest += line + "\n";
  }
  return core::sha256(rest);
}

bool point_matches(const std::string& filter, const std::string& case_name, const std::string& point) {
  return filter.empty() || core::glob_matches(filter, case_name) ||
         core::glob_matches(filter, case_name + "/" + point);
}

std::optional<std::string> mismatch(const MachineType& type, const Json& machine) {
  if (auto other = other_gpus(type, list(machine, "gpus"))) return other;
  if (auto other = other_hcas(type, list(machine, "hcas"))) return other;
  if (auto other = other_word("CPU", type.cpu, word(member(machine, "cpu"), "model"))) return other;
  return other_word("product", type.product, word(machine, "product"));
}

}  // namespace assay::results
