// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The subset of XML 1.0 that NCCL writes and reads: elements with attributes, in either kind of quotation
// mark; no text, no document type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::model::fabric::site {

struct XmlElement {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::string name;
  std::map<std::string, std::string, std::less<>> attributes;
  std::size_t parent = none;  // among all elements
  std::size_t line = 0;       // from 1

  /// Empty where it has none of that name.
  std::string attribute(std::string_view key) const;
};

/// The attribute as a whole number; `absent` where it is not there. Throws a usage Error with file and line.
std::uint32_t whole_number(const XmlElement& element, const char* key, std::uint32_t absent,
                           const std::string& file);

/// Without a sign or with one, in base 16 after "0x", as C's strtol reads it; `absent` where it is not there.
std::int64_t signed_number(const XmlElement& element, const char* key, std::int64_t absent,
                           const std::string& file);

/// In that base, of up to 64 bits; "0x" is allowed before digits of base 16.
std::uint64_t number_in_base(const XmlElement& element, const char* key, int base, const std::string& file);

/// All elements in the order in which they begin; the first is the root. Declarations and remarks are
/// skipped; text between elements is refused. Throws a usage Error with file and line.
std::vector<XmlElement> parse_xml(const std::string& text, const std::string& file);

}  // namespace assay::model::fabric::site
