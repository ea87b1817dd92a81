// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/json_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "harness/core/parse_limits.hpp"
#include "harness/core/printable.hpp"
#include "model/json/json_number.hpp"

namespace assay::model {
namespace {

constexpr int deepest_level = static_cast<int>(core::ParseLimits::levels);
constexpr std::size_t longest_text = std::size_t{1} << 31U;

}  // namespace

std::optional<JsonFault> JsonParser::parse() {
  if (end_ - begin_ > static_cast<std::ptrdiff_t>(longest_text)) return JsonFault{0, "is too long", {}};
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (std::string_view(begin_, end_).starts_with(byte_order_mark)) at_ += byte_order_mark.size();
  skip_space();
  if (value(add_node(), 0)) {
    skip_space();
    if (at_ != end_) fail("the end");
  }
  return fault_;
}

std::uint32_t JsonParser::add_node() {
  nodes_.emplace_back();
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void JsonParser::skip_space() {
  while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
}

bool JsonParser::fail(std::string_view expected) {
  const std::string got =
      at_ == end_
          ? "the end"
          : fmt::format("'{}'",
                        core::printable({at_, std::max<std::size_t>(1, core::utf8_length({at_, end_}))}, 8));
  fault_ = {static_cast<std::size_t>(at_ - begin_), fmt::format("expected {}, got {}", expected, got), {}};
  return false;
}

bool JsonParser::value(std::uint32_t node, int depth) {
  const auto finish = [&](bool taken) {
    nodes_[node].next = static_cast<std::uint32_t>(nodes_.size());
    return taken;
  };
  const auto constant = [&](JsonKind kind, std::string_view text) {
    nodes_[node].kind = kind;
    nodes_[node].boolean = *at_ == 't';
    return finish(word(text));
  };
  switch (*at_) {
    case '{':
      return finish(members(node, depth + 1) && once(node));
    case '[':
      return finish(elements(node, depth + 1));
    case '"': {
      Quoted found;
      if (!quoted(found)) return false;
      JsonNode& of = nodes_[node];
      of.kind = JsonKind::text, of.text = found.slice, of.text_decoded = found.decoded;
      return finish(true);
    }
    case 't':
      return constant(JsonKind::boolean, "true");
    case 'f':
      return constant(JsonKind::boolean, "false");
    case 'n':
      return constant(JsonKind::null, "null");
    default:
      return finish(number(nodes_[node]));
  }
}

bool JsonParser::members(std::uint32_t node, int depth) {
  if (depth > deepest_level)
    return fail(fmt::format("at most {} levels of lists and objects", deepest_level));
  nodes_[node].kind = JsonKind::object;
  ++at_;
  skip_space();
  if (*at_ == '}') return ++at_, true;
  for (;; ++at_) {
    skip_space();
    const std::uint32_t member = add_node();
    ++nodes_[node].count;
    if (!key(nodes_[member])) return false;
    if (!(depth == 1 ? outermost_member(member) : value(member, depth))) return false;
    skip_space();
    if (*at_ == ',') continue;
    if (*at_ == '}') return ++at_, true;
    return fail("',' or '}'");
  }
}

bool JsonParser::outermost_member(std::uint32_t node) {
  const auto found = std::ranges::find(outermost_, key_of(node), &JsonMember::key);
  if (found == outermost_.end()) return value(node, 1);
  JsonMember& member = *found;
  const char* const begin = at_;
  member.is_known = !member.known.empty() && std::string_view(at_, end_).starts_with(member.known);
  if (member.is_known) {
    at_ += member.known.size();
    nodes_[node].kind = JsonKind::object;
    nodes_[node].next = static_cast<std::uint32_t>(nodes_.size());
    return true;
  }
  const bool taken = value(node, 1);
  member.text = {begin, at_};
  return taken;
}

bool JsonParser::elements(std::uint32_t node, int depth) {
  if (depth > deepest_level)
    return fail(fmt::format("at most {} levels of lists and objects", deepest_level));
  nodes_[node].kind = JsonKind::list;
  ++at_;
  skip_space();
  if (*at_ == ']') return ++at_, true;
  for (;; ++at_) {
    skip_space();
    ++nodes_[node].count;
    if (!value(add_node(), depth)) return false;
    skip_space();
    if (*at_ == ',') continue;
    if (*at_ == ']') return ++at_, true;
    return fail("',' or ']'");
  }
}

bool JsonParser::key(JsonNode& of) {
  if (*at_ != '"') return fail("a key in quotes");
  Quoted found;
  if (!quoted(found)) return false;
  of.key = found.slice, of.key_decoded = found.decoded;
  of.key_mark =
      json_mark({(found.decoded ? decoded_.data() : begin_) + found.slice.begin, found.slice.length});
  skip_space();
  if (*at_ != ':') return fail("':'");
  ++at_;
  skip_space();
  return true;
}

bool JsonParser::word(std::string_view expected) {
  for (const char letter : expected) {
    if (*at_ != letter) return fail(expected);
    ++at_;
  }
  return true;
}

bool JsonParser::number(JsonNode& of) {
  if (*at_ != '-' && (*at_ < '0' || *at_ > '9')) return fail("a value");
  const char* const begin = at_;
  switch (read_number(at_, of)) {
    case NumberFault::none:
      return true;
    case NumberFault::no_number:
      return fail("a digit or the end of the number");
    case NumberFault::too_large:
      fault_ = {static_cast<std::size_t>(begin - begin_), "the number is larger than a double can be", {}};
  }
  return false;
}

std::string_view JsonParser::key_of(std::uint32_t node) const {
  const JsonNode& of = nodes_[node];
  return {(of.key_decoded ? decoded_.data() : begin_) + of.key.begin, of.key.length};
}

bool JsonParser::twice(std::uint32_t first, std::uint32_t second) {
  if (key_of(first) != key_of(second)) return false;
  fault_ = {0, {}, std::max(first, second)};
  return true;
}

bool JsonParser::once(std::uint32_t object) {
  const std::size_t count = nodes_[object].count;
  if (count > few_json_members) return once_among_many(object);
  std::array<std::uint32_t, few_json_members> marks, places;
  std::uint32_t at = object + 1;
  for (std::size_t i = 0; i < count; at = nodes_[at].next, ++i) {
    marks[i] = nodes_[at].key_mark, places[i] = at;
    for (std::size_t j = 0; j < i; ++j)
      if (marks[j] == marks[i] && twice(places[j], at)) return false;
  }
  return true;
}

bool JsonParser::once_among_many(std::uint32_t object) {
  const std::size_t begin = sorted_.size();
  nodes_[object].sorted = static_cast<std::uint32_t>(begin);
  for (std::uint32_t at = object + 1; sorted_.size() - begin < nodes_[object].count; at = nodes_[at].next)
    sorted_.push_back(at);
  const auto own = std::span(sorted_).subspan(begin);
  std::ranges::sort(own, {}, [&](std::uint32_t of) { return key_of(of); });
  for (std::size_t i = 1; i < own.size(); ++i)
    if (twice(own[i - 1], own[i])) return false;
  return true;
}

}  // namespace assay::model
