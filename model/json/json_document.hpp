// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON that a user gives, read once and looked at in place: the text, and a row of nodes over it, each before
// its own. A batch line is read into a document that held another line before, without a new allocation.
#pragma once

#include <cstdint>
#include <iterator>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace assay::model {

/// `whole` are the numbers without point and exponent that fit in 64 bits with a sign, `natural` those that
/// need all 64 bits.
enum class JsonKind : std::uint8_t { null, boolean, whole, natural, real, text, list, object };

/// A number that differs for most strings that differ: what keys are compared by first.
std::uint32_t json_mark(std::string_view text);

/// The place of a string in the document.
struct JsonSlice {
  std::uint32_t begin, length;
};

struct JsonNode {
  JsonKind kind = JsonKind::null;
  bool key_decoded = false, text_decoded = false;  // it had escapes, and is among the decoded ones
  bool boolean = false;
  std::uint32_t next = 0;   // the node behind it and all of its own
  std::uint32_t count = 0;  // of a list's elements, or an object's members
  std::uint32_t key_mark = 0;
  JsonSlice key = {};  // of a member
  union {
    std::int64_t whole = 0;
    std::uint64_t natural;
    double real;
    JsonSlice text;
    std::uint32_t sorted;  // of an object of many members: where they stand by their keys
  };
};

/// Objects of more members have them sorted, so that a look-up and the search for a duplicate key are
/// not linear.
inline constexpr std::size_t few_json_members = 64;

/// A member of the outermost object that was the same in the text before, to the byte: it is not read again.
struct JsonMember {
  std::string_view key;
  std::string known;  // its text before: an object, of which no other can be the beginning
  bool is_known = false;
  std::string_view text = {};  // what it is now, where it is not known
};

struct JsonParts {
  std::vector<JsonNode> nodes;
  std::string decoded;
  std::vector<std::uint32_t> sorted;
};

class JsonValue;

class JsonDocument {
 public:
  /// `where` opens every message: "system.json: ". Empty until it is read.
  explicit JsonDocument(std::string where) : where_(std::move(where)) {}
  JsonDocument(std::string where, std::string text) : where_(std::move(where)) { read(std::move(text)); }
  /// A tree as if it had been read; `where` may be a place in a larger one: "f.json: networks[0].".
  JsonDocument(std::string where, const nlohmann::json& tree);

  /// Throws a usage Error of one line for what is not JSON, for a duplicate key in one object, of which one
  /// would be lost, and for what is nested deeper than 64 levels. Values of what was read before
  /// end.
  void read(std::string text);
  /// Reads as read(text) does, with `where` as the opening of messages. A member of `members` that is known
  /// is an empty object.
  void read(std::string_view where, std::string_view text, std::span<JsonMember> members = {});

  JsonValue root() const;
  const std::string& where() const { return where_; }
  /// "system.json: networks[0].size", of bounded length.
  std::string place_of(std::uint32_t place) const;
  const JsonNode& node(std::uint32_t place) const { return parts_.nodes[place]; }
  std::string_view slice(const JsonSlice& of, bool decoded) const {
    return {(decoded ? parts_.decoded : text_).data() + of.begin, of.length};
  }
  const std::vector<std::uint32_t>& sorted() const { return parts_.sorted; }

 private:
  void parse(std::span<JsonMember> members);

  std::string where_, text_;
  JsonParts parts_;
};

/// A value of a document, which must outlive it and stay as it is.
class JsonValue {
 public:
  JsonValue(const JsonDocument& document, std::uint32_t place) : document_(&document), place_(place) {}

  JsonKind kind() const { return node().kind; }
  bool is_null() const { return kind() == JsonKind::null; }
  bool is_boolean() const { return kind() == JsonKind::boolean; }
  bool is_string() const { return kind() == JsonKind::text; }
  bool is_array() const { return kind() == JsonKind::list; }
  bool is_object() const { return kind() == JsonKind::object; }
  /// From 0 on.
  bool is_number_unsigned() const {
    return kind() == JsonKind::natural || (kind() == JsonKind::whole && node().whole >= 0);
  }
  bool is_number_integer() const { return kind() == JsonKind::whole || kind() == JsonKind::natural; }
  bool is_number() const { return is_number_integer() || kind() == JsonKind::real; }

  /// bool, std::int64_t, std::uint64_t, double, std::string_view or std::string; the value is of that kind,
  /// and a number fits.
  template <class Wanted>
  Wanted get() const;
  /// The key of a member of an object.
  std::string_view key() const { return document_->slice(node().key, node().key_decoded); }

  /// The number of elements of a list or members of an object; 0 else.
  std::size_t size() const { return node().count; }
  bool empty() const { return size() == 0; }
  /// An element of a list, found in linear time; `at` is below size().
  JsonValue operator[](std::size_t at) const;
  /// A member of an object; where it has none, found() of what comes is false.
  JsonValue find(std::string_view key) const;
  bool found() const { return place_ != nowhere; }

  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = JsonValue;
    Iterator(const JsonDocument* document, std::uint32_t place) : document_(document), place_(place) {}
    JsonValue operator*() const { return {*document_, place_}; }
    Iterator& operator++() {
      place_ = document_->node(place_).next;
      return *this;
    }
    bool operator==(const Iterator& other) const { return place_ == other.place_; }

   private:
    const JsonDocument* document_;
    std::uint32_t place_;
  };
  /// Elements of a list, or members of an object in the order of the text.
  Iterator begin() const { return {document_, place_ + 1}; }
  Iterator end() const { return {document_, node().next}; }

  const JsonDocument& document() const { return *document_; }
  std::uint32_t place() const { return place_; }

 private:
  static constexpr std::uint32_t nowhere = 0xFFFFFFFF;
  const JsonNode& node() const { return document_->node(place_); }
  JsonValue find_among_many(std::string_view key) const;

  const JsonDocument* document_;
  std::uint32_t place_;
};

inline JsonValue JsonDocument::root() const { return {*this, 0}; }

template <class Wanted>
Wanted JsonValue::get() const {
  const JsonNode& of = node();
  if constexpr (std::is_same_v<Wanted, bool>)
    return of.boolean;
  else if constexpr (!std::is_arithmetic_v<Wanted>)
    return Wanted(document_->slice(of.text, of.text_decoded));
  else if (of.kind == JsonKind::real)
    return static_cast<Wanted>(of.real);
  else
    return of.kind == JsonKind::natural ? static_cast<Wanted>(of.natural) : static_cast<Wanted>(of.whole);
}

/// Compact JSON of at most 60 bytes: what would be longer ends in "...".
std::string shown(const JsonValue& value);

}  // namespace assay::model
