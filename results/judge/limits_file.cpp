// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/limits_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "harness/core/error.hpp"
#include "harness/core/toml_text.hpp"

namespace assay::results {
namespace {

/// One table of the file; complaints name file, line and key.
class Section {
 public:
  Section(const std::string& file, const toml::table& table, std::string name)
      : file_(file), table_(table), name_(std::move(name)) {}

  void allow(std::span<const char* const> keys) const {
    for (const auto& [key, node] : table_)
      if (std::ranges::find(keys, key.str()) == keys.end())
        complain(node.source(), std::string(key.str()),
                 fmt::format("unknown key (expected {})", fmt::join(keys, ", ")));
  }
  std::string text(const char* key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return "";
    const auto value = node->value_exact<std::string>();
    if (!value || value->empty()) complain(node->source(), key, "expected text");
    return *value;
  }
  std::string required(const char* key, const char* what) const {
    if (table_.get(key) == nullptr) complain(table_.source(), key, fmt::format("missing: expected {}", what));
    return text(key);
  }
  std::optional<double> number(const char* key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return std::nullopt;
    const bool is_number = node->is_integer() || node->is_floating_point();
    const double value = node->value<double>().value_or(NAN);
    if (!is_number || !std::isfinite(value)) complain(node->source(), key, "expected a finite number");
    return value;
  }
  std::optional<std::int64_t> count(const char* key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < 0) complain(node->source(), key, "expected a whole number from 0 on");
    return value;
  }
  /// Words and whole numbers, as text.
  std::vector<std::pair<std::string, std::string>> words(const char* key) const {
    std::vector<std::pair<std::string, std::string>> all;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return all;
    if (!node->is_table()) complain(node->source(), key, "expected a table such as { bytes = \"256MiB\" }");
    for (const auto& [axis, value] : *node->as_table()) {
      if (const auto whole = value.value_exact<std::int64_t>())
        all.emplace_back(axis.str(), fmt::format("{}", *whole));
      else if (const auto word = value.value_exact<std::string>())
        all.emplace_back(axis.str(), *word);
      else
        complain(value.source(), std::string(axis.str()), "expected a word or a whole number");
    }
    return all;
  }
  [[noreturn]] void complain(const toml::source_region& at, const std::string& key,
                             const std::string& what) const {
    core::usage_error(fmt::format("{}:{}: {}{}: {}", file_, at.begin.line, name_, key, what));
  }
  const toml::table& table() const { return table_; }

 private:
  const std::string& file_;
  const toml::table& table_;
  std::string name_;
};

MachineType machine_from(const std::string& file, const toml::table& table) {
  const Section section(file, table, "machine.");
  section.allow(std::array{"gpu", "gpus", "nvlinks", "cpu", "hca", "rate", "product"});
  if (table.empty())
    section.complain(table.source(), "gpu", "missing: expected what machine these limits are for");
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
  section.allow(std::array{"case", "point", "metric", "unit", "lowest", "highest", "source"});
  AbsoluteLimit limit{.cases = section.required("case", "the case, or a glob over cases"),
                      .point = section.words("point"),
                      .metric = section.required("metric", "the metric that is limited"),
                      .unit = section.required("unit", "the unit of the metric"),
                      .bounds = {section.number("lowest"), section.number("highest")},
                      .source = section.required("source", "who says so"),
                      .where = fmt::format("{}:{}", file, table.source().begin.line)};
  const auto& [lowest, highest] = limit.bounds;
  if (!lowest && !highest)
    section.complain(table.source(), "lowest", "missing: expected lowest, highest or both");
  if (lowest && highest && *lowest > *highest)
    section.complain(table.source(), "lowest", fmt::format("{} is above highest, {}", *lowest, *highest));
  return limit;
}

const toml::table& table_at(const Section& root, const char* key) {
  const toml::node* node = root.table().get(key);
  if (node == nullptr || !node->is_table())
    root.complain(node == nullptr ? root.table().source() : node->source(), key,
                  "expected a table [machine]: what machine these limits are for");
  return *node->as_table();
}

LimitsFile limits_from(const std::string& file, const toml::table& table) {
  const Section root(file, table, "");
  root.allow(std::array{"about", "machine", "limit"});
  static_cast<void>(root.text("about"));
  LimitsFile limits{.path = file, .machine = machine_from(file, table_at(root, "machine")), .limits = {}};
  const toml::node* rows = table.get("limit");
  if (rows == nullptr || !rows->is_array_of_tables() || rows->as_array()->empty())
    root.complain(rows == nullptr ? table.source() : rows->source(), "limit", "expected tables [[limit]]");
  for (const toml::node& row : *rows->as_array()) limits.limits.push_back(limit_from(file, *row.as_table()));
  return limits;
}

}  // namespace

LimitsFile read_limits(const std::string& path) {
  return limits_from(path, core::read_toml(path, "limits (docs/reference/files.md)"));
}

}  // namespace assay::results
