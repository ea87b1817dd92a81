// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/json_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/json/json_parser.hpp"

namespace assay::model {
namespace {

constexpr std::size_t shown_bytes = 60;
constexpr std::size_t shown_key_bytes = 60;
constexpr std::size_t shown_place_bytes = 400;
constexpr std::size_t shown_where_bytes = 600;

template <class Word>
std::uint64_t word_at(const char* from) {
  Word word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// "line 3, column 7".
std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_begin = before.find_last_of('\n');
  return fmt::format("line {}, column {}", 1 + std::ranges::count(before, '\n'),
                     offset - (line_begin == std::string_view::npos ? 0 : line_begin + 1) + 1);
}

/// Stops where there is more than will be shown.
void append_shown(std::string& text, const JsonValue& value);

void append_members(std::string& text, const JsonValue& value) {
  const bool is_object = value.is_object();
  text += is_object ? '{' : '[';
  const std::size_t begin = text.size();
  for (const JsonValue member : value) {
    if (text.size() > shown_bytes) return;
    if (text.size() > begin) text += ',';
    if (is_object) text += fmt::format("\"{}\":", core::printable(member.key(), shown_bytes));
    append_shown(text, member);
  }
  text += is_object ? '}' : ']';
}

void append_shown(std::string& text, const JsonValue& value) {
  switch (value.kind()) {
    case JsonKind::null:
      text += "null";
      return;
    case JsonKind::boolean:
      text += value.get<bool>() ? "true" : "false";
      return;
    case JsonKind::whole:
      text += fmt::format("{}", value.get<std::int64_t>());
      return;
    case JsonKind::natural:
      text += fmt::format("{}", value.get<std::uint64_t>());
      return;
    case JsonKind::real:
      text += core::json_text(nlohmann::json(value.get<double>()));
      return;
    case JsonKind::text:
      text += fmt::format("\"{}\"", core::printable(value.get<std::string_view>(), 2 * shown_bytes));
      return;
    case JsonKind::list:
    case JsonKind::object:
      append_members(text, value);
  }
}

}  // namespace

std::uint32_t json_mark(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::uint64_t head = 0, tail = 0;
  if (text.size() >= 8) {
    head = word_at<std::uint64_t>(text.data()), tail = word_at<std::uint64_t>(end - 8);
  } else if (text.size() >= 4) {
    head = word_at<std::uint32_t>(text.data()), tail = word_at<std::uint32_t>(end - 4);
  } else {
    for (const char letter : text) head = head << 8U | static_cast<unsigned char>(letter);
  }
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  const std::uint64_t mixed = ((head * odd) ^ tail ^ text.size()) * odd;
  return static_cast<std::uint32_t>(mixed >> 32U);
}

JsonDocument::JsonDocument(std::string where, const nlohmann::json& tree)
    : JsonDocument(std::move(where), core::json_text(tree)) {}

void JsonDocument::read(std::string text) {
  text_ = std::move(text);
  parse({});
}

void JsonDocument::read(std::string_view where, std::string_view text, std::span<JsonMember> members) {
  where_ = where;
  text_ = text;
  parse(members);
}

void JsonDocument::parse(std::span<JsonMember> members) {
  const std::size_t length = text_.size();
  text_.append(JsonParser::padding, '\0');
  parts_.nodes.clear();
  parts_.decoded.clear();
  parts_.sorted.clear();
  JsonParser parser({text_.data(), length}, parts_, members);
  const auto fault = parser.parse();
  if (!fault) return;
  if (fault->node)
    core::usage_error(fmt::format("{}: this key is there twice, keep one", place_of(*fault->node)));
  core::usage_error(fmt::format("{}not JSON: {}: {}", core::printable(where_, shown_where_bytes),
                                line_and_column({text_.data(), length}, fault->offset), fault->what));
}

std::string JsonDocument::place_of(std::uint32_t place) const {
  std::string path;
  for (std::uint32_t at = 0, child = 1; at != place; at = child++) {
    std::size_t index = 0;
    for (; node(child).next <= place; child = node(child).next) ++index;
    if (node(at).kind == JsonKind::list)
      path += fmt::format("[{}]", index);
    else
      path += (path.empty() ? "" : ".") +
              core::printable(slice(node(child).key, node(child).key_decoded), shown_key_bytes);
  }
  return core::printable(where_, shown_where_bytes) + core::printable(path, shown_place_bytes);
}

JsonValue JsonValue::operator[](std::size_t at) const {
  Iterator element = begin();
  for (; at > 0; --at) ++element;
  return *element;
}

JsonValue JsonValue::find(std::string_view key) const {
  if (is_object() && size() > few_json_members) return find_among_many(key);
  if (is_object()) {
    const std::uint32_t mark = json_mark(key);
    for (const JsonValue member : *this)
      if (member.node().key_mark == mark && member.key() == key) return member;
  }
  return {*document_, nowhere};
}

JsonValue JsonValue::find_among_many(std::string_view key) const {
  const auto own = std::span(document_->sorted()).subspan(node().sorted, size());
  const auto member = [&](std::uint32_t place) { return JsonValue(*document_, place); };
  const auto found =
      std::ranges::lower_bound(own, key, {}, [&](std::uint32_t place) { return member(place).key(); });
  return member(found != own.end() && member(*found).key() == key ? *found : nowhere);
}

std::string shown(const JsonValue& value) {
  std::string text;
  append_shown(text, value);
  return core::printable(text, shown_bytes);
}

}  // namespace assay::model
