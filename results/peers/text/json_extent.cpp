// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Recognition of JSON among lines of text, without a tree.
#include <algorithm>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/json_characters.hpp"
#include "results/peers/text/json_string.hpp"
#include "results/peers/text/lenient_json.hpp"

namespace assay::results::peers {
namespace {

/// Moves past the value; false where the lines end first.
bool pass_value(JsonCharacters& from, std::size_t& left) {
  long level = 0;
  while (!from.at_end() && left > 0) {
    --left;
    const char letter = from.peek();
    if (letter == '"') {
      const JsonString passed = json_string(from);
      left -= std::min(left, passed.text.size());
      continue;
    }
    if (level == 0 && (letter == ',' || letter == '}' || letter == ']')) return true;
    from.take();
    if (letter == '{' || letter == '[') ++level;
    if (letter == '}' || letter == ']') --level;
  }
  return false;
}

std::string key_of_member(JsonCharacters& from) {
  if (from.peek() == '"') return json_string(from).text;
  return std::string(trimmed(from.take_until(":,{}[]\"")));
}

}  // namespace

bool opens_json(Lines lines, std::size_t at, std::span<const std::string_view> keys) {
  constexpr std::size_t bytes_looked_at = 64U << 10U;
  const std::string_view first = trimmed(lines[at].text);
  if (first.empty() || (first[0] != '{' && first[0] != '[')) return false;
  JsonCharacters from(lines, at);
  from.skip_blanks();
  if (from.take() == '[') {
    from.skip_blanks();
    if (from.at_end() || from.take() != '{') return false;
  }
  std::size_t left = bytes_looked_at;
  while (left > 0) {
    from.skip_blanks();
    if (from.at_end()) return false;
    const std::string key = key_of_member(from);
    left -= std::min(left, key.size() + 1);
    from.skip_blanks();
    if (key.empty() || from.at_end() || from.take() != ':') return false;
    if (std::ranges::find(keys, key) != keys.end()) return true;
    if (!pass_value(from, left) || from.peek() != ',') return false;
    from.take();
  }
  return false;
}

std::size_t json_end(Lines lines, std::size_t at) {
  long level = 0;
  for (std::size_t line = at; line < lines.size(); ++line) {
    bool quoted = false;
    const std::string_view text = lines[line].text;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char letter = text[i];
      if (quoted) {
        if (letter == '\\') ++i;
        if (letter == '"') quoted = false;
      } else if (letter == '"') {
        quoted = true;
      } else if (letter == '{' || letter == '[') {
        ++level;
      } else if ((letter == '}' || letter == ']') && --level <= 0) {
        return line + 1;
      }
    }
  }
  return lines.size();
}

}  // namespace assay::results::peers
