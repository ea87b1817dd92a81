// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// RFC 8259 into nodes, in one pass and linear time. Anything else in a text is a fault, and so is a duplicate
// key in one object.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/json/json_document.hpp"

namespace assay::model {

struct JsonFault {
  std::size_t offset = 0;
  std::string what;
  std::optional<std::uint32_t> node;  // whose key is a duplicate
};

class JsonParser {
 public:
  /// Zero bytes after the text: it is read eight at a time.
  static constexpr std::size_t padding = 8;

  /// Into a document's parts, which are empty.
  JsonParser(std::string_view text, JsonParts& parts, std::span<JsonMember> outermost = {})
      : begin_(text.data()),
        at_(begin_),
        end_(begin_ + text.size()),
        nodes_(parts.nodes),
        decoded_(parts.decoded),
        sorted_(parts.sorted),
        outermost_(outermost) {}

  std::optional<JsonFault> parse();

 private:
  struct Quoted {
    JsonSlice slice = {};
    bool decoded = false;
  };

  // Each leaves `at_` after what it took, or where it cannot continue, with a fault.
  bool value(std::uint32_t node, int depth);
  bool members(std::uint32_t node, int depth);
  bool elements(std::uint32_t node, int depth);
  bool key(JsonNode& of);
  bool outermost_member(std::uint32_t node);
  bool number(JsonNode& of);
  bool word(std::string_view expected);
  bool quoted(Quoted& found);
  bool quoted_with_escapes(const char* begin, Quoted& found);
  bool escape();
  bool code_unit(std::uint32_t& unit);
  bool other_character();
  bool once(std::uint32_t object);
  bool once_among_many(std::uint32_t object);
  bool twice(std::uint32_t first, std::uint32_t second);

  std::uint32_t add_node();
  std::string_view key_of(std::uint32_t node) const;
  void skip_space();
  bool fail(std::string_view expected);

  const char* const begin_;
  const char* at_;
  const char* const end_;
  std::vector<JsonNode>& nodes_;
  std::string& decoded_;
  std::vector<std::uint32_t>& sorted_;
  const std::span<JsonMember> outermost_;
  std::optional<JsonFault> fault_;
};

}  // namespace assay::model
