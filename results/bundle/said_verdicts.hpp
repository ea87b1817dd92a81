// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The verdicts of several judgements on the same rows: a name takes three numbers, and its verdict in one
// judgement a byte.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/judge/verdict/shared_texts.hpp"
#include "results/judge/verdict/verdict_rows.hpp"

namespace assay::results {

/// Names of rows: what was judged (unit and kind), and by what (metric).
class RowNames {
 public:
  struct Name {
    std::uint32_t unit = 0, kind = 0, metric = 0;  // texts by number

    auto operator<=>(const Name&) const = default;
  };

  Name name_of(std::string_view unit, std::string_view kind, std::string_view metric);
  /// Makes these the names, each once, in the order of their texts.
  void keep(std::vector<Name> names);
  std::size_t size() const { return names_.size(); }
  /// Place among the names that are kept; nothing where it is not one of them.
  std::optional<std::size_t> find(const Name& name) const;
  std::string_view unit(std::size_t at) const { return texts_[names_[at].unit]; }
  std::string_view metric(std::size_t at) const { return texts_[names_[at].metric]; }

 private:
  /// The name with the place of each text among all texts instead of its number.
  Name ranked(const Name& name) const;

  SharedTexts texts_;
  std::vector<std::uint32_t> ranks_;  // of the texts of the names that are kept
  std::vector<Name> names_;
};

/// The verdict of one judgement on each name.
class SaidVerdicts {
 public:
  explicit SaidVerdicts(const RowNames& names) : said_(names.size(), nothing) {}

  /// Names that are not kept (RowNames::find) are left out. Of several rows of one name the first counts,
  /// which is the worst.
  void add(std::optional<std::size_t> name, const VerdictMark& mark);
  /// Sets a verdict in place of what the name's rows say.
  void set(std::optional<std::size_t> name, const VerdictMark& mark);
  /// As word_of(); "-" where there is no such row.
  std::string word(std::size_t name) const;
  bool same_as(const SaidVerdicts& other, std::size_t name) const { return said_[name] == other.said_[name]; }

 private:
  static constexpr std::int8_t nothing = -2;

  std::vector<std::int8_t> said_;  // gravity_of()
};

}  // namespace assay::results
