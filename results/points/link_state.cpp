// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/link_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>

#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr std::array<const char*, 5> class_words{"clean", "congested", "unknown", "lossy", "faulty"};

/// Rank 0 of "link_class", 3 of "rank3_link_class"; nothing where the field is another one.
std::optional<int> rank_of(std::string_view field, std::string_view name) {
  if (field == name) return 0;
  constexpr std::string_view word = "rank";
  if (!field.starts_with(word)) return std::nullopt;
  int rank = 0;
  const char* const end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data() + word.size(), end, rank);
  const std::string_view behind(rest, static_cast<std::size_t>(end - rest));
  if (error != std::errc() || !behind.starts_with('_') || behind.substr(1) != name) return std::nullopt;
  return rank;
}

/// Without the class, which has a place of its own: "lossy: rxe0 ..." to "rxe0 ...".
std::string without_class(const std::string& why, const std::string& word) {
  return why.starts_with(word + ": ") ? why.substr(word.size() + 2) : why;
}

}  // namespace

LinkClass link_class_from(const std::string& word) {
  const auto* const known = std::ranges::find(class_words, word);
  return known == class_words.end() ? LinkClass::unknown
                                    : static_cast<LinkClass>(known - class_words.begin());
}

std::map<int, std::string> values_by_rank(const Fields& conditions, std::string_view name) {
  std::map<int, std::string> values;
  for (const auto& [field, value] : conditions)
    if (const auto rank = rank_of(field, name)) values[*rank] = scalar_text(value);
  return values;
}

std::string to_string(LinkClass link_class) { return class_words[static_cast<std::size_t>(link_class)]; }

LinkState link_state(const Fields& conditions) {
  const auto classes = values_by_rank(conditions, "link_class"),
             reasons = values_by_rank(conditions, "link_class_why");
  if (classes.empty()) return {LinkClass::unknown, "the record names no class"};
  const auto worst =
      std::ranges::max_element(classes, {}, [](const auto& rank) { return link_class_from(rank.second); });
  std::set<std::string> told;
  std::ptrdiff_t as_bad = -1;
  for (const auto& [rank, word] : classes) {
    const auto why = reasons.find(rank);
    told.insert(word + (why == reasons.end() ? "" : why->second));
    as_bad += link_class_from(word) == link_class_from(worst->second) ? 1 : 0;
  }
  LinkState state{link_class_from(worst->second), ""};
  if (const auto why = reasons.find(worst->first); why != reasons.end())
    state.why = without_class(why->second, worst->second);
  // Ranks that all tell the same need no name.
  if (told.size() > 1 && state.link_class != LinkClass::clean)
    state.why = fmt::format(
        "rank {}: {}{}", worst->first, state.why,
        as_bad == 0 ? ""
                    : fmt::format("; {} more {} {}", as_bad, as_bad == 1 ? "rank" : "ranks", worst->second));
  return state;
}

}  // namespace assay::results
