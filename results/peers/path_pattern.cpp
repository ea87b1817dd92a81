// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/path_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {
namespace {

constexpr std::array<std::string_view, 9> pattern_fields{"host",  "host1",     "host2", "round", "date",
                                                         "ranks", "operation", "tool",  "file"};

/// 16 of "16ranks", "16-ranks", "16rank"; with `bare` of "16", too.
std::optional<std::int64_t> ranks_in(std::string_view word, bool bare) {
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  const std::string_view unit = word.substr(digits);
  const bool named = unit == "ranks" || unit == "rank" || unit == "-ranks" || unit == "_ranks";
  if (digits == 0 || !(named || (bare && unit.empty()))) return std::nullopt;
  return whole_number(word.substr(0, digits));
}

void put_host(std::string_view value, PathFacts& facts) {
  if (const auto ranks = ranks_in(value, false)) {
    facts.ranks = ranks;
  } else if (const auto both = two_hosts(value)) {
    facts.host = both->first;
    facts.other_host = both->second;
  } else {
    facts.host = std::string(value);
  }
}

void put(const std::string& field, std::string_view value, PathFacts& facts) {
  if (field == "host") put_host(value, facts);
  if (field == "host1") facts.host = std::string(value);
  if (field == "host2") facts.other_host = std::string(value);
  if (field == "round") facts.round = std::string(value);
  if (field == "date") facts.date = std::string(value);
  if (field == "ranks") facts.ranks = ranks_in(value, true);
  if (field == "operation") facts.operation = std::string(value);
  if (field == "tool") facts.tool = std::string(value);
}

std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char letter : name)
    if (letter < '0' || letter > '9') letters += letter;
  return letters;
}

}  // namespace

PathPattern::PathPattern(const std::string& pattern) {
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '*') {
      parts_.push_back({"", "*"});
      ++at;
    } else if (pattern[at] == '{') {
      const std::size_t close = pattern.find('}', at);
      const std::string field = pattern.substr(at + 1, close == std::string::npos ? close : close - at - 1);
      if (close == std::string::npos || std::ranges::find(pattern_fields, field) == pattern_fields.end())
        core::usage_error(fmt::format("--path {}: no field '{}': expected one of {{{}}}", pattern, field,
                                      fmt::join(pattern_fields, "}, {")));
      if (!parts_.empty() && parts_.back().text.empty())
        core::usage_error(
            fmt::format("--path {}: expected text between '{{{}}}' and the field before it", pattern, field));
      parts_.push_back({"", field});
      at = close + 1;
    } else {
      const std::size_t end = std::min(pattern.find_first_of("{*", at), pattern.size());
      parts_.push_back({pattern.substr(at, end - at), ""});
      at = end;
    }
  }
  folders_ = static_cast<std::size_t>(std::ranges::count(pattern, '/'));
  if (std::ranges::none_of(parts_, [](const Part& part) { return part.text.empty(); }))
    core::usage_error(fmt::format("--path {}: expected a field such as {{host}}", pattern));
}

bool PathPattern::match(std::size_t part, std::string_view rest, PathFacts& facts) const {
  if (part == parts_.size()) return rest.empty();
  const Part& expected = parts_[part];
  if (!expected.text.empty())
    return rest.starts_with(expected.text) && match(part + 1, rest.substr(expected.text.size()), facts);
  const std::size_t most = std::min(rest.find('/'), rest.size());
  for (std::size_t length = most; length > 0; --length) {
    PathFacts found = facts;
    if (!match(part + 1, rest.substr(length), found)) continue;
    facts = std::move(found);
    put(expected.field, rest.substr(0, length), facts);
    return true;
  }
  return false;
}

PathFacts PathPattern::facts_of(const std::string& path, std::string_view below, bool was_folder) const {
  std::string_view compared = was_folder ? below : std::string_view(path);
  if (!was_folder) {
    std::size_t begin = compared.size();
    for (std::size_t slashes = 0; begin > 0; --begin)
      if (compared[begin - 1] == '/' && ++slashes > folders_) break;
    compared.remove_prefix(begin);
  }
  PathFacts facts = plain_facts(path);
  match(0, compared, facts);
  return facts;
}

PathFacts plain_facts(const std::string& path) {
  PathFacts facts{.path = path};
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (const auto ranks = ranks_in(std::string_view(path).substr(at, end - at), false)) facts.ranks = ranks;
    at = end + 1;
  }
  return facts;
}

std::optional<std::pair<std::string, std::string>> two_hosts(std::string_view name) {
  for (std::size_t at = name.find('-'); at != std::string_view::npos; at = name.find('-', at + 1)) {
    const std::string_view first = name.substr(0, at), second = name.substr(at + 1);
    const std::string letters = letters_of(first);
    if (!letters.empty() && letters.size() < first.size() && letters == letters_of(second) && first != second)
      return std::pair(std::string(first), std::string(second));
  }
  return std::nullopt;
}

std::string short_host(std::string_view name) { return lower_case(name.substr(0, name.find('.'))); }

}  // namespace assay::results::peers
