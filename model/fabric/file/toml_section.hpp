// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table of a fabric or workload file. Every complaint names file, line and key, and what was expected.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/text/toml_text.hpp"
#include "harness/core/words.hpp"
#include "model/fabric/file/key_value.hpp"

namespace assay::model::fabric {

/// The source of a file's values: its name, and the keys that flags replaced.
struct FileSource {
  std::string file;
  std::vector<ReplacedKey> replaced = {};

  /// A file that this one names: from its own folder, unless the name says another.
  std::string path_of(const std::string& name) const;
};

class Section {
 public:
  /// `source` and `table` must outlive it. `path`: of its keys, as "routing."; empty for the whole file.
  Section(const FileSource& source, const toml::table& table, std::string path = "")
      : source_(&source), table_(&table), path_(std::move(path)) {}

  /// Refuses every other key, and names the nearest of these.
  void allow(std::span<const std::string_view> keys) const;
  void allow(std::initializer_list<std::string_view> keys) const { allow(std::span(keys)); }
  /// All of them.
  std::vector<std::string> keys() const;
  bool has(std::string_view key) const { return table_->contains(key); }

  /// Nothing where the key is missing. Numbers are finite, and neither above 1e15 nor, but for 0, below
  /// 1e-15.
  std::optional<std::string> word(std::string_view key) const;
  std::optional<bool> yes_or_no(std::string_view key) const;
  std::optional<double> above_zero(std::string_view key) const;
  std::optional<double> at_least_zero(std::string_view key) const;
  /// In (0, 1].
  std::optional<double> share(std::string_view key) const;
  /// In (0, 1).
  std::optional<double> share_below_one(std::string_view key) const;
  std::optional<std::uint32_t> count(std::string_view key, std::uint32_t least = 1,
                                     std::uint32_t most = 1U << 30U) const;
  /// "512KiB": above 0, and never without its unit.
  std::optional<std::uint64_t> bytes(std::string_view key) const;
  std::optional<std::vector<std::string>> words(std::string_view key) const;
  std::optional<Section> table(std::string_view key) const;
  /// [[key]]
  std::vector<Section> tables(std::string_view key) const;

  template <class Enum, std::size_t size>
  std::optional<Enum> choice(std::string_view key, const core::Words<Enum, size>& words) const {
    const std::optional<std::string> text = word(key);
    if (!text) return std::nullopt;
    const std::optional<Enum> value = words.named(*text);
    if (!value) refuse_choice(key, *text, words.words);
    return value;
  }

  /// "zone.toml:12: routing.hash"; of the whole table where the key is missing.
  std::string where(std::string_view key) const;
  [[noreturn]] void refuse(std::string_view key, const std::string& what) const;
  [[noreturn]] void missing(std::string_view key, const std::string& expected) const;
  [[noreturn]] void refuse_choice(std::string_view key, const std::string& text,
                                  std::span<const std::string_view> words) const;
  const toml::node* node(std::string_view key) const { return table_->get(key); }
  const FileSource& source() const { return *source_; }

 private:
  std::optional<double> number(std::string_view key, const char* expected) const;

  const FileSource* source_;
  const toml::table* table_;
  std::string path_;
};

}  // namespace assay::model::fabric
