// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON as tools really write it: keys and words without quotes, commas before closing brackets, NaN and
// infinities, several objects one after the other, text around them, torn objects. Each leniency that was
// needed is said; an object that names a key twice is refused.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/peers/doubt.hpp"
#include "results/peers/reader.hpp"

namespace assay::results::peers {

struct JsonNode {
  enum class Kind { null, boolean, number, string, array, object, word };
  Kind kind = Kind::null;
  long line = 0;          // where it begins
  std::string text = {};  // of a string, without escapes; of a number or word, as written
  std::vector<JsonNode> items = {};
  std::vector<std::pair<std::string, JsonNode>> members = {};
  bool torn = false;  // the file ended within it, or something else was there

  bool is_object() const { return kind == Kind::object; }
  bool is_array() const { return kind == Kind::array; }
  /// A member of an object; null where there is none.
  const JsonNode* find(std::string_view key) const;
  /// As find(), through objects: "config", "devices".
  const JsonNode* find(std::string_view key, std::string_view inner) const;
  /// A number, or a string that holds nothing but one. Nothing for NaN and infinities.
  std::optional<double> number() const;
  std::optional<std::int64_t> whole() const;
  /// true, "true", "1", 1; nothing where it is neither true nor false.
  std::optional<bool> truth() const;
};

/// Texts of members; empty or nothing where there is none, or it is of another kind.
std::string text_member(const JsonNode& object, std::string_view key);
std::optional<double> number_member(const JsonNode& object, std::string_view key);
std::optional<std::int64_t> whole_member(const JsonNode& object, std::string_view key);
/// false where it is neither true nor false, or not there.
bool truth_member(const JsonNode& object, std::string_view key);

struct JsonReading {
  JsonNode root;
  Doubts doubts = {};  // invalid_json for each leniency; cut where it is torn
  bool torn = false;
  std::size_t end = 0;       // the line after the one on which it closed
  std::string refused = {};  // why no part of it may be used: a key is there twice, 65 levels
  long refused_line = 0;

  Refusal refusal() const { return {refused_line, refused + ": the object was left out"}; }
};

/// The value that begins with the first { or [ of lines[at].
JsonReading read_json(Lines lines, std::size_t at = 0);

/// Whether an object, or a list of objects, opens lines[at], and has one of the `keys` itself, not in an
/// inner object, within its first 64 KiB.
bool opens_json(Lines lines, std::size_t at, std::span<const std::string_view> keys);
/// The line after the one on which the value that lines[at] opens is closed; the last where none is.
std::size_t json_end(Lines lines, std::size_t at);

}  // namespace assay::results::peers
