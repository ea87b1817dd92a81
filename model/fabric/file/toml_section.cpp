// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/toml_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "harness/core/error.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/units.hpp"

namespace assay::model::fabric {

std::string FileSource::path_of(const std::string& name) const {
  return (std::filesystem::path(file).parent_path() / name).string();
}

std::string Section::where(std::string_view key) const {
  const std::string full = path_ + std::string(key);
  const toml::node* const value = table_->get(key);
  const auto holds = [&](const ReplacedKey& one) {
    return full == one.key || full.starts_with(one.key + ".");
  };
  const auto replaced = std::ranges::find_if(source_->replaced.rbegin(), source_->replaced.rend(), holds);
  if (replaced != source_->replaced.rend()) return fmt::format("{} {}", replaced->flag, full);
  const toml::source_region& at = value == nullptr ? table_->source() : value->source();
  return fmt::format("{}:{}: {}", source_->file, std::max<toml::source_index>(1, at.begin.line), full);
}

void Section::refuse(std::string_view key, const std::string& what) const {
  core::usage_error(fmt::format("{}: {}", where(key), what));
}

void Section::missing(std::string_view key, const std::string& expected) const {
  refuse(key, fmt::format("missing: expected {}", expected));
}

void Section::refuse_choice(std::string_view key, const std::string& text,
                            std::span<const std::string_view> words) const {
  refuse(key, fmt::format("'{}' is unknown (expected {}){}", text, fmt::join(words, ", "),
                          core::meant_instead_of(text, words)));
}

void Section::allow(std::span<const std::string_view> keys) const {
  for (const auto& [key, value] : *table_)
    if (std::ranges::find(keys, key.str()) == keys.end())
      refuse(key.str(), core::unknown_key(key.str(), keys));
}

std::vector<std::string> Section::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, value] : *table_) all.emplace_back(key.str());
  return all;
}

std::optional<std::string> Section::word(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  const auto value = node(key)->value_exact<std::string>();
  if (!value || value->empty()) refuse(key, "expected text in quotation marks");
  return *value;
}

std::optional<bool> Section::yes_or_no(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  if (!node(key)->is_boolean()) refuse(key, "expected true or false");
  return node(key)->value<bool>();
}

std::optional<double> Section::number(std::string_view key, const char* expected) const {
  if (!has(key)) return std::nullopt;
  const bool is_number = node(key)->is_integer() || node(key)->is_floating_point();
  const double value = node(key)->value<double>().value_or(NAN);
  if (!is_number || !std::isfinite(value)) refuse(key, fmt::format("expected {}", expected));
  constexpr double most = 1e15, least = 1e-15;  // what follows from it stays finite
  if (value != 0 && (std::abs(value) > most || std::abs(value) < least))
    refuse(key, fmt::format("expected {}, from {:g} to {:g}, got {:g}", expected, least, most, value));
  return value;
}

std::optional<double> Section::above_zero(std::string_view key) const {
  const auto value = number(key, "a number above 0");
  if (value && !(*value > 0)) refuse(key, fmt::format("expected a number above 0, got {}", *value));
  return value;
}

std::optional<double> Section::at_least_zero(std::string_view key) const {
  const auto value = number(key, "a number of at least 0");
  if (value && !(*value >= 0)) refuse(key, fmt::format("expected a number of at least 0, got {}", *value));
  return value;
}

std::optional<double> Section::share(std::string_view key) const {
  const auto value = number(key, "a share above 0 and at most 1");
  if (value && !(*value > 0 && *value <= 1))
    refuse(key, fmt::format("expected a share above 0 and at most 1, got {}", *value));
  return value;
}

std::optional<double> Section::share_below_one(std::string_view key) const {
  const auto value = number(key, "a share above 0 and below 1");
  if (value && !(*value > 0 && *value < 1))
    refuse(key, fmt::format("expected a share above 0 and below 1, got {}", *value));
  return value;
}

std::optional<std::uint32_t> Section::count(std::string_view key, std::uint32_t least,
                                            std::uint32_t most) const {
  if (!has(key)) return std::nullopt;
  const auto value = node(key)->value_exact<std::int64_t>();
  if (!value || *value < least || *value > most)
    refuse(key, fmt::format("expected a whole number from {} to {}{}", least, most,
                            value ? fmt::format(", got {}", *value) : ""));
  return static_cast<std::uint32_t>(*value);
}

std::optional<std::uint64_t> Section::bytes(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  const auto text = node(key)->value_exact<std::string>();
  const bool has_unit = text && !text->empty() && std::isalpha(static_cast<unsigned char>(text->back())) != 0;
  if (!has_unit) refuse(key, "expected a size with its unit, as \"512KiB\" or \"2GB\"");
  std::int64_t value = 0;
  try {
    value = core::parse_bytes(*text);
  } catch (const core::Error& error) {
    refuse(key, error.what());
  }
  if (value <= 0) refuse(key, fmt::format("expected a size above 0, got {}", *text));
  return static_cast<std::uint64_t>(value);
}

std::optional<std::vector<std::string>> Section::words(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  if (node(key)->is_string()) return std::vector{*word(key)};
  const toml::array* const list = node(key)->as_array();
  std::vector<std::string> all;
  if (list != nullptr)
    for (const toml::node& one : *list)
      if (const auto text = one.value_exact<std::string>(); text && !text->empty()) all.push_back(*text);
  if (list == nullptr || all.size() != list->size() || all.empty())
    refuse(key, "expected text, or a list of texts");
  return all;
}

std::optional<Section> Section::table(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  const toml::table* const table = node(key)->as_table();
  if (table == nullptr) refuse(key, "expected a table, as { key = value }");
  return Section(*source_, *table, fmt::format("{}{}.", path_, key));
}

std::vector<Section> Section::tables(std::string_view key) const {
  std::vector<Section> all;
  if (!has(key)) return all;
  const toml::array* const list = node(key)->as_array();
  if (list == nullptr || list->empty() || !list->is_homogeneous(toml::node_type::table))
    refuse(key, fmt::format("expected tables [[{}]]", key));
  for (const toml::node& one : *list)
    all.emplace_back(*source_, *one.as_table(), fmt::format("{}{}.", path_, key));
  return all;
}

}  // namespace assay::model::fabric
