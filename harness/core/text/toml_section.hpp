// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table of a TOML file. Every complaint names file, line and key, and what was expected.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/describe/field.hpp"
#include "harness/core/text/toml_text.hpp"
#include "harness/core/words.hpp"

namespace assay::core {

/// A key of a file that a flag replaced: "routing.kind".
struct ReplacedKey {
  std::string key, flag;
};

/// The source of a file's values: its name, and the keys that flags replaced.
struct TomlSource {
  std::string file;
  std::vector<ReplacedKey> replaced = {};
  double least_magnitude = 0, most_magnitude = std::numeric_limits<double>::max();  // of numbers but 0

  /// A file that this one names: from its own folder, unless the name says another.
  std::string path_of(const std::string& name) const;
};

class TomlSection {
 public:
  /// `source` and `table` must outlive it. `path`: of its keys, as "routing."; empty for the whole file.
  TomlSection(const TomlSource& source, const toml::table& table, std::string path = "")
      : source_(&source), table_(&table), path_(std::move(path)) {}

  /// Refuses every other key, and names the nearest of these.
  void allow(std::span<const std::string_view> keys) const;
  void allow(std::initializer_list<std::string_view> keys) const { allow(std::span(keys)); }
  /// All of them.
  std::vector<std::string> keys() const;
  bool has(std::string_view key) const { return table_->contains(key); }

  /// Nothing where the key is missing. Terms that say what a value is about say it in complaints.
  std::optional<std::string> word(std::string_view key, const Terms& terms = any_value) const;
  std::optional<bool> yes_or_no(std::string_view key, const Terms& terms = any_value) const;
  /// Finite.
  std::optional<double> number(std::string_view key, const Terms& terms = any_value) const;
  std::optional<double> above_zero(std::string_view key) const { return number(key, core::above_zero); }
  std::optional<double> at_least_zero(std::string_view key) const { return number(key, from_zero); }
  /// In (0, 1].
  std::optional<double> share(std::string_view key) const;
  /// In (0, 1).
  std::optional<double> share_below_one(std::string_view key) const;
  std::optional<std::int64_t> whole(std::string_view key, const Terms& terms = any_value) const;
  std::optional<std::uint32_t> count(std::string_view key, std::uint32_t least = 1,
                                     std::uint32_t most = 1U << 30U) const;
  /// "512KiB": above 0, and never without its unit.
  std::optional<std::uint64_t> bytes(std::string_view key) const;
  /// Text, or a list of at least one.
  std::optional<std::vector<std::string>> words(std::string_view key, const Terms& terms = any_value) const;
  /// As words(), and whole numbers, as written.
  std::optional<std::vector<std::string>> scalars(std::string_view key) const;
  std::optional<TomlSection> table(std::string_view key) const;
  /// [[key]]
  std::vector<TomlSection> tables(std::string_view key) const;

  template <class Enum, std::size_t size>
  std::optional<Enum> choice(std::string_view key, const Words<Enum, size>& words) const {
    const std::optional<std::string> text = word(key);
    if (!text) return std::nullopt;
    const std::optional<Enum> value = words.named(*text);
    if (!value) refuse_choice(key, *text, words.words);
    return value;
  }

  /// "zone.toml:12", of the table.
  std::string place() const;
  /// "zone.toml:12: routing.hash"; of the whole table where the key is missing.
  std::string where(std::string_view key) const;
  [[noreturn]] void refuse(std::string_view key, const std::string& what) const;
  [[noreturn]] void missing(std::string_view key, std::string_view expected) const;
  [[noreturn]] void refuse_choice(std::string_view key, const std::string& text,
                                  std::span<const std::string_view> words) const;
  const toml::node* node(std::string_view key) const { return table_->get(key); }
  const TomlSource& source() const { return *source_; }

 private:
  [[noreturn]] void refuse_kind(std::string_view key, std::string_view expected, const Terms& terms) const;

  const TomlSource* source_;
  const toml::table* table_;
  std::string path_;
};

/// A whole file. It must outlive its sections.
struct TomlFile {
  TomlSource source;
  toml::table table;

  TomlFile(std::string_view text, const std::string& file) : source{file}, table(parse_toml(text, file)) {}
  TomlSection root() const { return {source, table}; }
};
/// The file (input_file.hpp), of at most 16 MiB. Throws a usage Error "NAME: why; expected ..." without it.
TomlFile read_toml(const std::string& file, const std::string& expected);

}  // namespace assay::core
