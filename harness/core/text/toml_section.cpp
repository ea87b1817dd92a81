// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/toml_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/units.hpp"

namespace assay::core {
namespace {

/// "a number above 0 and at most 1"
std::string expected_number(std::string_view noun, const Terms& terms) {
  const bool has_lowest = std::isfinite(terms.lowest), has_highest = std::isfinite(terms.highest);
  std::string text(noun);
  if (has_lowest && has_highest && !terms.excludes_lowest && !terms.excludes_highest)
    return text + fmt::format(" from {:.10g} to {:.10g}", terms.lowest, terms.highest);
  if (has_lowest)
    text += fmt::format(" {} {:.10g}", terms.excludes_lowest ? "above" : "of at least", terms.lowest);
  if (has_highest)
    text += fmt::format(" {}{} {:.10g}", has_lowest ? "and " : "of ",
                        terms.excludes_highest ? "below" : "at most", terms.highest);
  return text;
}

int line_of(const toml::source_region& region) {
  return static_cast<int>(std::max<toml::source_index>(1, region.begin.line));
}

}  // namespace

std::string TomlSource::path_of(const std::string& name) const {
  return (std::filesystem::path(file).parent_path() / name).string();
}

std::string TomlSection::place() const {
  return fmt::format("{}:{}", source_->file, line_of(table_->source()));
}

std::string TomlSection::where(std::string_view key) const {
  const std::string full = path_ + std::string(key);
  const toml::node* const value = table_->get(key);
  const auto holds = [&](const ReplacedKey& one) {
    return full == one.key || full.starts_with(one.key + ".");
  };
  const auto replaced = std::ranges::find_if(source_->replaced.rbegin(), source_->replaced.rend(), holds);
  if (replaced != source_->replaced.rend()) return fmt::format("{} {}", replaced->flag, full);
  const toml::source_region& at = value == nullptr ? table_->source() : value->source();
  return fmt::format("{}:{}: {}", source_->file, line_of(at), full);
}

void TomlSection::refuse(std::string_view key, const std::string& what) const {
  usage_error(fmt::format("{}: {}", where(key), what));
}

void TomlSection::refuse_kind(std::string_view key, std::string_view expected, const Terms& terms) const {
  refuse(key, fmt::format("expected {}{}{}", expected, terms.about.empty() ? "" : ": ", terms.about));
}

void TomlSection::missing(std::string_view key, std::string_view expected) const {
  refuse(key, fmt::format("missing: expected {}", expected));
}

void TomlSection::refuse_choice(std::string_view key, const std::string& text,
                                std::span<const std::string_view> words) const {
  refuse(key, fmt::format("'{}' is unknown (expected {}){}", text, fmt::join(words, ", "),
                          meant_instead_of(text, words)));
}

void TomlSection::allow(std::span<const std::string_view> keys) const {
  for (const auto& [key, value] : *table_)
    if (std::ranges::find(keys, key.str()) == keys.end()) refuse(key.str(), unknown_key(key.str(), keys));
}

std::vector<std::string> TomlSection::keys() const {
  std::vector<std::string> all;
  for (const auto& [key, value] : *table_) all.emplace_back(key.str());
  return all;
}

std::optional<std::string> TomlSection::word(std::string_view key, const Terms& terms) const {
  if (!has(key)) return std::nullopt;
  const auto value = node(key)->value_exact<std::string>();
  if (!value || value->empty()) refuse_kind(key, "text in quotation marks", terms);
  if (!terms.words.empty() && !allows(terms, std::string_view(*value)))
    refuse_choice(key, *value, terms.words);
  return *value;
}

std::optional<bool> TomlSection::yes_or_no(std::string_view key, const Terms& terms) const {
  if (!has(key)) return std::nullopt;
  if (!node(key)->is_boolean()) refuse_kind(key, "true or false", terms);
  return node(key)->value<bool>();
}

std::optional<double> TomlSection::number(std::string_view key, const Terms& terms) const {
  if (!has(key)) return std::nullopt;
  const std::string expected = expected_number("a number", terms);
  const bool is_number = node(key)->is_integer() || node(key)->is_floating_point();
  const double value = node(key)->value<double>().value_or(NAN);
  if (!is_number || !std::isfinite(value)) refuse_kind(key, expected, terms);
  const double least = source_->least_magnitude, most = source_->most_magnitude;
  if (value != 0 && (std::abs(value) > most || std::abs(value) < least))
    refuse(key, fmt::format("expected {}, from {:g} to {:g}, got {:g}", expected, least, most, value));
  if (!allows(terms, value)) refuse_kind(key, fmt::format("{}, got {}", expected, value), terms);
  return value;
}

std::optional<double> TomlSection::share(std::string_view key) const {
  return number(key, {.lowest = 0, .highest = 1, .excludes_lowest = true});
}

std::optional<double> TomlSection::share_below_one(std::string_view key) const {
  return number(key, {.lowest = 0, .highest = 1, .excludes_lowest = true, .excludes_highest = true});
}

std::optional<std::int64_t> TomlSection::whole(std::string_view key, const Terms& terms) const {
  if (!has(key)) return std::nullopt;
  const auto value = node(key)->value_exact<std::int64_t>();
  if (!value || !allows(terms, static_cast<double>(*value)))
    refuse_kind(key,
                expected_number("a whole number", terms) + (value ? fmt::format(", got {}", *value) : ""),
                terms);
  return value;
}

std::optional<std::uint32_t> TomlSection::count(std::string_view key, std::uint32_t least,
                                                std::uint32_t most) const {
  const auto value = whole(key, {.lowest = double(least), .highest = double(most)});
  return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

std::optional<std::uint64_t> TomlSection::bytes(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  const auto text = node(key)->value_exact<std::string>();
  const bool has_unit = text && !text->empty() && std::isalpha(static_cast<unsigned char>(text->back())) != 0;
  if (!has_unit) refuse(key, "expected a size with its unit, as \"512KiB\" or \"2GB\"");
  std::int64_t value = 0;
  try {
    value = parse_bytes(*text);
  } catch (const Error& error) {
    refuse(key, error.what());
  }
  if (value <= 0) refuse(key, fmt::format("expected a size above 0, got {}", *text));
  return static_cast<std::uint64_t>(value);
}

std::optional<std::vector<std::string>> TomlSection::words(std::string_view key, const Terms& terms) const {
  if (!has(key)) return std::nullopt;
  if (node(key)->is_string()) return std::vector{*word(key, terms)};
  const toml::array* const list = node(key)->as_array();
  std::vector<std::string> all;
  if (list != nullptr)
    for (const toml::node& one : *list)
      if (const auto text = one.value_exact<std::string>(); text && !text->empty()) all.push_back(*text);
  if (list == nullptr || all.size() != list->size() || all.empty())
    refuse_kind(key, "text, or a list of texts", terms);
  return all;
}

std::optional<std::vector<std::string>> TomlSection::scalars(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  std::vector<std::string> all;
  const auto add = [&](const toml::node& one) {
    if (const auto text = one.value_exact<std::string>())
      all.push_back(*text);
    else if (const auto whole = one.value_exact<std::int64_t>())
      all.push_back(fmt::format("{}", *whole));
    else
      refuse(key, "expected text, a whole number, or a list of them");
  };
  if (const toml::array* const list = node(key)->as_array())
    for (const toml::node& one : *list) add(one);
  else
    add(*node(key));
  if (all.empty()) refuse(key, "the list is empty: expected text, a whole number, or a list of them");
  return all;
}

std::optional<TomlSection> TomlSection::table(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  const toml::table* const table = node(key)->as_table();
  if (table == nullptr) refuse(key, "expected a table, as { key = value }");
  return TomlSection(*source_, *table, fmt::format("{}{}.", path_, key));
}

std::vector<TomlSection> TomlSection::tables(std::string_view key) const {
  std::vector<TomlSection> all;
  if (!has(key)) return all;
  const toml::array* const list = node(key)->as_array();
  if (list == nullptr || list->empty() || !list->is_homogeneous(toml::node_type::table))
    refuse(key, fmt::format("expected tables [[{}]]", key));
  for (const toml::node& one : *list)
    all.emplace_back(*source_, *one.as_table(), fmt::format("{}{}.", path_, key));
  return all;
}

TomlFile read_toml(const std::string& file, const std::string& expected) {
  constexpr std::size_t most_bytes = std::size_t{16} << 20U;
  return {read_input(file, expected, most_bytes), file};
}

}  // namespace assay::core
