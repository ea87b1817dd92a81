// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/limits/limits_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <sstream>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/text/toml_text.hpp"

namespace assay::results {
namespace {

using std::string_view_literals::operator""sv;

/// One table of the file; complaints name file, line and key.
class Section {
 public:
  Section(const std::string& file, const toml::table& table, std::string name)
      : file_(file), table_(table), name_(std::move(name)) {}

  void allow(std::span<const std::string_view> keys) const {
    for (const auto& [key, node] : table_)
      if (std::ranges::find(keys, key.str()) == keys.end())
        complain(&node, std::string(key.str()), core::unknown_key(key.str(), keys));
  }
  std::string text(const char* key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return "";
    const auto value = node->value_exact<std::string>();
    if (!value || value->empty()) complain(node, key, "expected text");
    return *value;
  }
  std::string required(const char* key, const char* what) const {
    if (table_.get(key) == nullptr) complain(nullptr, key, fmt::format("missing: expected {}", what));
    return text(key);
  }
  std::optional<double> number(const char* key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return std::nullopt;
    const bool is_number = node->is_integer() || node->is_floating_point();
    const double value = node->value<double>().value_or(NAN);
    if (!is_number || !std::isfinite(value)) complain(node, key, "expected a finite number");
    return value;
  }
  std::optional<bool> truth(const char* key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<bool>();
    if (!value) complain(node, key, "expected true or false");
    return value;
  }
  std::optional<std::int64_t> count(const char* key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < 0) complain(node, key, "expected a whole number from 0 on");
    return value;
  }
  /// Words and whole numbers, as text.
  std::vector<std::pair<std::string, std::string>> words(const char* key) const {
    std::vector<std::pair<std::string, std::string>> all;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return all;
    if (!node->is_table()) complain(node, key, "expected a table such as { bytes = \"256MiB\" }");
    for (const auto& [axis, value] : *node->as_table()) {
      if (const auto whole = value.value_exact<std::int64_t>())
        all.emplace_back(axis.str(), fmt::format("{}", *whole));
      else if (const auto word = value.value_exact<std::string>())
        all.emplace_back(axis.str(), *word);
      else
        complain(&value, std::string(axis.str()), "expected a word or a whole number");
    }
    return all;
  }
  /// Throws a usage Error at the line of the value, or of the whole table where that is missing.
  [[noreturn]] void complain(const toml::node* value, const std::string& key, const std::string& what) const {
    const toml::source_region& at = value == nullptr ? table_.source() : value->source();
    core::usage_error(fmt::format("{}:{}: {}{}: {}", file_, at.begin.line, name_, key, what));
  }

 private:
  const std::string& file_;
  const toml::table& table_;
  std::string name_;
};

MachineType machine_from(const std::string& file, const toml::table& table) {
  const Section section(file, table, "machine.");
  section.allow(std::array{"gpu"sv, "gpus"sv, "nvlinks"sv, "cpu"sv, "hca"sv, "rate"sv, "product"sv});
  if (table.empty()) section.complain(nullptr, "gpu", "missing: expected what machine these limits are for");
  return {.gpu = section.text("gpu"),
          .cpu = section.text("cpu"),
          .product = section.text("product"),
          .hca = section.text("hca"),
          .rate = section.text("rate"),
          .gpus = section.count("gpus"),
          .nvlinks = section.count("nvlinks")};
}

AbsoluteLimit limit_from(const std::string& file, const toml::table& table) {
  const Section section(file, table, "limit.");
  section.allow(std::array{"case"sv, "point"sv, "metric"sv, "unit"sv, "lowest"sv, "highest"sv, "source"sv,
                           "stationary"sv});
  AbsoluteLimit limit{.cases = section.required("case", "the case, or a glob over cases"),
                      .point = section.words("point"),
                      .metric = section.required("metric", "the metric that is limited"),
                      .unit = section.required("unit", "the unit of the metric"),
                      .bounds = {section.number("lowest"), section.number("highest")},
                      .source = section.required("source", "who says so"),
                      .where = fmt::format("{}:{}", file, table.source().begin.line),
                      .stationary = section.truth("stationary").value_or(true)};
  const auto& [lowest, highest] = limit.bounds;
  if (!lowest && !highest) section.complain(nullptr, "lowest", "missing: expected lowest, highest or both");
  if (lowest && highest && *lowest > *highest)
    section.complain(nullptr, "lowest", fmt::format("{} is above highest, {}", *lowest, *highest));
  return limit;
}

/// A file that was changed after it was signed is not what that person answers for.
LimitsSignature signature_from(const std::string& file, const toml::table& table, const std::string& text) {
  const Section section(file, table, "signed.");
  section.allow(std::array{"by"sv, "date"sv, "nodes"sv, "store"sv, "digest"sv});
  LimitsSignature signature{.by = section.required("by", "a person's name"),
                            .date = section.required("date", "a date such as 2026-11-26"),
                            .store = section.required("store", "the digest of the store"),
                            .nodes = section.count("nodes").value_or(0)};
  if (section.required("digest", "the digest of this file's text") != digest_of_limits(text))
    section.complain(table.get("digest"), "digest",
                     fmt::format("this file was changed after {} signed it on {} (expected {})", signature.by,
                                 signature.date, digest_of_limits(text)));
  return signature;
}

LimitsFile limits_from(const std::string& file, const toml::table& table, const std::string& text) {
  const Section root(file, table, "");
  root.allow(std::array{"about"sv, "signed"sv, "machine"sv, "limit"sv});
  static_cast<void>(root.text("about"));
  const toml::node *machine = table.get("machine"), *rows = table.get("limit");
  if (machine == nullptr || !machine->is_table())
    root.complain(machine, "machine", "expected a table [machine]: what machine these limits are for");
  LimitsFile limits{.path = file, .machine = machine_from(file, *machine->as_table()), .limits = {}};
  if (rows == nullptr || !rows->is_array_of_tables() || rows->as_array()->empty())
    root.complain(rows, "limit", "expected tables [[limit]]");
  if (const toml::node* signature = table.get("signed")) {
    if (!signature->is_table()) root.complain(signature, "signed", "expected a table [signed]");
    limits.signature = signature_from(file, *signature->as_table(), text);
  }
  for (const toml::node& row : *rows->as_array()) limits.limits.push_back(limit_from(file, *row.as_table()));
  return limits;
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
  return limits_from(path, core::parse_toml(text, path), text);
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
