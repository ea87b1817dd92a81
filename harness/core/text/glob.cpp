// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/glob.hpp"

#include <cstddef>
#include <optional>

namespace assay::core {
namespace {

constexpr std::size_t none = std::string_view::npos;

struct Element {
  bool matches = false;
  std::size_t end = 0;  // in the pattern
};

/// `set`: what a bracket holds, without '!' and the closing bracket.
bool holds(std::string_view set, char one) {
  const auto byte = [](char letter) { return static_cast<unsigned char>(letter); };
  for (std::size_t at = 0; at < set.size(); ++at) {
    if (set[at] == '\\' && at + 1 < set.size()) ++at;
    const char first = set[at];
    if (at + 2 >= set.size() || set[at + 1] != '-') {
      if (first == one) return true;
      continue;
    }
    at += set[at + 2] == '\\' && at + 3 < set.size() ? 3 : 2;
    if (byte(first) <= byte(one) && byte(one) <= byte(set[at])) return true;
  }
  return false;
}

/// The end of the bracket whose set begins at `first`: not its first character, nor one after a backslash.
std::size_t closing(std::string_view pattern, std::size_t first) {
  for (std::size_t at = first; at < pattern.size(); ++at) {
    if (pattern[at] == ']' && at > first) return at;
    if (pattern[at] == '\\') ++at;
  }
  return none;
}

/// A bracket that is never closed is a literal one.
Element bracket(std::string_view pattern, std::size_t at, char one) {
  std::size_t first = at + 1;
  const bool is_negated = first < pattern.size() && (pattern[first] == '!' || pattern[first] == '^');
  if (is_negated) ++first;
  const std::size_t end = closing(pattern, first);
  if (end == none) return {one == '[', at + 1};
  return {holds(pattern.substr(first, end - first), one) != is_negated, end + 1};
}

/// Matches the pattern's element at `at`, any but '*', with one character.
Element element(std::string_view pattern, std::size_t at, char one) {
  if (pattern[at] == '?') return {true, at + 1};
  if (pattern[at] == '[') return bracket(pattern, at, one);
  if (pattern[at] == '\\') return {at + 1 < pattern.size() && pattern[at + 1] == one, at + 2};
  return {pattern[at] == one, at + 1};
}

/// The first place of the pattern that the text does not reach; none where the text does not match so far.
/// Greedy, with one point of return: where the last '*' may take one character more.
std::optional<std::size_t> reach(std::string_view pattern, std::string_view text) {
  std::size_t at = 0, from = 0, star = none, resume = 0;
  while (from < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resume = from;
      continue;
    }
    const Element next = at < pattern.size() ? element(pattern, at, text[from]) : Element{};
    if (next.matches) {
      at = next.end;
      ++from;
    } else if (star != none) {
      at = star + 1;
      from = ++resume;
    } else {
      return std::nullopt;
    }
  }
  return at;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  const auto at = reach(pattern, text);
  return at && pattern.find_first_not_of('*', *at) == none;
}

bool glob_may_match(std::string_view pattern, std::string_view begin) {
  return reach(pattern, begin).has_value();
}

}  // namespace assay::core
