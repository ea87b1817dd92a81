// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/nearest_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace assay::core {
namespace {

char small(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Levenshtein's distance, a row of its table at a time.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (small(from[i]) == small(to[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_name(std::string_view text, std::span<const std::string_view> names) {
  std::string_view nearest;
  std::size_t most = std::min<std::size_t>(3, text.size() / 3);
  for (const std::string_view name : names) {
    const std::size_t longer = std::max(text.size(), name.size()) - std::min(text.size(), name.size());
    if (longer > most) continue;  // that many edits at least
    const std::size_t apart = edits(text, name);
    if (apart > most || (apart == most && !nearest.empty())) continue;
    nearest = name;
    most = apart;
  }
  return nearest;
}

std::string meant_instead_of(std::string_view text, std::span<const std::string_view> names) {
  const std::string_view nearest = nearest_name(text, names);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

std::string unknown_key(std::string_view key, std::span<const std::string_view> known) {
  return fmt::format("unknown key (expected {}){}", fmt::join(known, ", "), meant_instead_of(key, known));
}

}  // namespace assay::core
