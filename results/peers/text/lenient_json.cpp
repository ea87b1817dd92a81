// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/text/lenient_json.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "harness/core/parse_limits.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/json_characters.hpp"
#include "results/peers/text/json_string.hpp"
#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {
namespace {

using Kind = JsonNode::Kind;

/// Leniencies, in the order in which a doubt names them.
constexpr std::array leniency_texts{"keys without quotes",
                                    "words without quotes",
                                    "numbers that are no JSON",
                                    "commas before a bracket",
                                    "commas left out",
                                    "unknown escapes",
                                    "text after the last value on its line"};
enum Leniency : std::size_t {
  bare_key,
  bare_word,
  not_finite,
  extra_comma,
  no_comma,
  odd_escape,
  text_after
};

bool is_not_finite(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  constexpr std::array<std::string_view, 8> known{"nan", "NaN", "NAN",      "inf",
                                                  "Inf", "INF", "Infinity", "infinity"};
  return std::ranges::find(known, word) != known.end();
}

class LenientJson {
 public:
  LenientJson(Lines lines, std::size_t at) : from_(lines, at) {}

  JsonReading read() {
    JsonReading reading;
    from_.skip_blanks();
    reading.root = value(1);
    reading.torn = torn_;
    reading.refused = refused_;
    reading.refused_line = refused_line_;
    reading.end = from_.line_index() + 1;
    if (!torn_ && !from_.rest_of_line_is_blank()) note(text_after);
    if (const std::string said = leniencies(); !said.empty())
      reading.doubts.push_back({DoubtKind::invalid_json, said});
    if (torn_) reading.doubts.push_back({DoubtKind::cut, "the JSON is not closed"});
    return reading;
  }

 private:
  void note(Leniency leniency) {
    auto& line = noted_.at(leniency);
    if (line == 0) line = from_.line_number();
  }

  std::string leniencies() const {
    std::string said;
    for (std::size_t i = 0; i < noted_.size(); ++i)
      if (noted_.at(i) != 0)
        said += (said.empty() ? "" : ", ") + std::string(leniency_texts.at(i)) + " (line " +
                std::to_string(noted_.at(i)) + ")";
    return said;
  }

  /// Nothing after it is read.
  void tear() { torn_ = true; }
  void refuse(const std::string& why) {
    if (refused_.empty()) refused_ = why, refused_line_ = from_.line_number();
    torn_ = true;
  }

  JsonNode value(std::size_t level) {
    JsonNode node;
    node.line = from_.line_number();
    if (level > core::ParseLimits::levels) {
      refuse("more than 64 levels of lists and objects");
    } else if (from_.at_end()) {
      tear();
    } else if (from_.peek() == '{') {
      object(node, level);
    } else if (from_.peek() == '[') {
      array(node, level);
    } else if (from_.peek() == '"') {
      node.kind = Kind::string;
      node.text = quoted();
    } else {
      bare(node);
    }
    node.torn = torn_;
    return node;
  }

  std::string quoted() {
    const JsonString read = json_string(from_);
    if (read.odd_escape) note(odd_escape);
    if (!read.closed) tear();
    return read.text;
  }

  /// A number, true, false, null, or a word that should have quotes: up to a comma, a bracket or the line's
  /// end.
  void bare(JsonNode& node) {
    node.text = std::string(trimmed(from_.take_until(",]}")));
    if (node.text.empty()) return tear();
    if (node.text == "null") return;
    if (node.text == "true" || node.text == "false") {
      node.kind = Kind::boolean;
    } else if (printed_number(node.text) || is_not_finite(node.text)) {
      node.kind = Kind::number;
      if (is_not_finite(node.text)) note(not_finite);
    } else {
      node.kind = Kind::word;
      note(bare_word);
    }
    // A number at the very end of a file may be a part of one.
    if (from_.at_end()) tear();
  }

  /// Moves past the comma between values; false at `close`, which is taken, and where nothing more is read.
  bool goes_on(char close, bool first) {
    from_.skip_blanks();
    if (torn_) return false;
    bool comma = false;
    if (!first && !from_.at_end() && from_.peek() == ',') {
      comma = true;
      from_.take();
      from_.skip_blanks();
    }
    if (from_.at_end()) {
      tear();
      return false;
    }
    if (from_.peek() == close) {
      from_.take();
      if (comma) note(extra_comma);
      return false;
    }
    if (from_.peek() == '}' || from_.peek() == ']') {
      tear();
      return false;
    }
    if (!first && !comma) note(no_comma);
    return true;
  }

  void array(JsonNode& node, std::size_t level) {
    node.kind = Kind::array;
    from_.take();
    for (bool first = true; goes_on(']', first); first = false) node.items.push_back(value(level + 1));
  }

  void object(JsonNode& node, std::size_t level) {
    node.kind = Kind::object;
    from_.take();
    std::unordered_set<std::string> keys;
    for (bool first = true; goes_on('}', first); first = false) {
      std::string name = key();
      if (torn_) return;
      if (!keys.insert(name).second) return refuse("key '" + name.substr(0, 60) + "' is there twice");
      if (keys.size() > core::ParseLimits::keys) return refuse("more than 4096 keys in an object");
      from_.skip_blanks();
      node.members.emplace_back(std::move(name), value(level + 1));
    }
  }

  std::string key() {
    std::string name;
    if (from_.peek() == '"') {
      name = quoted();
    } else {
      name = std::string(trimmed(from_.take_until(":,{}[]\"")));
      note(bare_key);
    }
    if (torn_) return name;
    from_.skip_blanks();
    if (name.empty() || from_.at_end() || from_.peek() != ':')
      tear();
    else
      from_.take();
    return name;
  }

  JsonCharacters from_;
  std::array<long, leniency_texts.size()> noted_{};
  bool torn_ = false;
  std::string refused_;
  long refused_line_ = 0;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  for (const auto& [name, member] : members)
    if (name == key) return &member;
  return nullptr;
}

const JsonNode* JsonNode::find(std::string_view key, std::string_view inner) const {
  const JsonNode* outer = find(key);
  return outer ? outer->find(inner) : nullptr;
}

std::optional<double> JsonNode::number() const {
  if (kind != Kind::number && kind != Kind::string) return std::nullopt;
  const auto number = printed_number(trimmed(text));
  return number ? std::optional(number->value) : std::nullopt;
}

std::optional<std::int64_t> JsonNode::whole() const {
  if (kind != Kind::number && kind != Kind::string) return std::nullopt;
  return whole_number(trimmed(text));
}

std::optional<bool> JsonNode::truth() const {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

std::string text_member(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node && !node->is_array() && !node->is_object() && node->kind != Kind::null ? node->text : "";
}

std::optional<double> number_member(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node ? node->number() : std::nullopt;
}

std::optional<std::int64_t> whole_member(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node ? node->whole() : std::nullopt;
}

bool truth_member(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node && node->truth().value_or(false);
}

JsonReading read_json(Lines lines, std::size_t at) { return LenientJson(lines, at).read(); }

}  // namespace assay::results::peers
