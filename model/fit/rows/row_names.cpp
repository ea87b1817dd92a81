// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/rows/row_names.hpp"

#include <fmt/format.h>

#include <charconv>

namespace assay::model::fit {
namespace {

/// Takes the end off `text`, behind its last `separator`; nothing where it has none.
std::optional<std::string_view> taken_off(std::string_view& text, char separator) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view end = text.substr(at + 1);
  text.remove_suffix(end.size() + 1);
  return end;
}

bool is_count(std::string_view text, std::int64_t& count) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  return error == std::errc{} && stopped == end;
}

}  // namespace

std::string FamilyName::text() const {
  return fmt::format("{},{},{}{},{}", system, operation, ranks,
                     nodes == 0 ? "" : fmt::format(" on {}", nodes), algorithm);
}

std::optional<FamilyName> FamilyName::from(std::string_view text) {
  const auto algorithm = taken_off(text, ','), members = taken_off(text, ','),
             operation = taken_off(text, ',');
  if (!operation) return std::nullopt;
  FamilyName name{.system = std::string(text),
                  .operation = std::string(*operation),
                  .algorithm = std::string(*algorithm)};
  constexpr std::string_view on_nodes = " on ";
  const std::size_t at = members->find(on_nodes);
  const bool are_counts =
      is_count(members->substr(0, at), name.ranks) &&
      (at == std::string_view::npos || is_count(members->substr(at + on_nodes.size()), name.nodes));
  return are_counts && name.ranks >= 2 ? std::optional(name) : std::nullopt;
}

std::string ConditionedName::text() const {
  std::string text = operation;
  for (const std::string& part : {conditions, region})
    if (!part.empty()) text += " " + part;
  return text;
}

ConditionedName ConditionedName::from(std::string_view text) {
  ConditionedName name;
  const std::size_t blank = text.find(' ');
  name.operation = text.substr(0, blank);
  std::string_view rest = blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
  const std::string_view last = rest.substr(rest.rfind(' ') + 1);
  if (last.find('=') == std::string_view::npos) {
    name.region = last;
    rest.remove_suffix(std::min(rest.size(), last.size() + 1));
  }
  name.conditions = rest;
  return name;
}

bool ConditionedName::is_in_a_cache() const {
  return region == "hot" || (region.size() == 2 && region[0] == 'L');
}

}  // namespace assay::model::fit
