// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/read_json.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/printable.hpp"

namespace assay::model {
namespace {

constexpr std::size_t longest_json_bytes = std::size_t{64} << 20U;

template <class Json>
Json tree_of(const JsonValue& value);

/// Keys differ: the document has seen to it. Json::operator[] would look at all the others each time.
template <class Json>
Json object_of(const JsonValue& value) {
  typename Json::object_t members;
  for (const JsonValue member : value) {
    if constexpr (requires { members.reserve(1); })
      members.emplace_back(member.key(), tree_of<Json>(member));
    else
      members.emplace(member.key(), tree_of<Json>(member));
  }
  return members;
}

template <class Json>
Json list_of(const JsonValue& value) {
  typename Json::array_t elements;
  elements.reserve(value.size());
  for (const JsonValue element : value) elements.push_back(tree_of<Json>(element));
  return elements;
}

template <class Json>
Json tree_of(const JsonValue& value) {
  switch (value.kind()) {
    case JsonKind::null:
      return nullptr;
    case JsonKind::boolean:
      return value.get<bool>();
    case JsonKind::whole:
      if (value.is_number_unsigned()) return value.get<std::uint64_t>();
      return value.get<std::int64_t>();
    case JsonKind::natural:
      return value.get<std::uint64_t>();
    case JsonKind::real:
      return value.get<double>();
    case JsonKind::text:
      return value.get<std::string>();
    case JsonKind::list:
      return list_of<Json>(value);
    case JsonKind::object:
      return object_of<Json>(value);
  }
  return nullptr;
}

}  // namespace

JsonDocument read_document(const std::string& path, const std::string& expected) {
  std::string text = core::read_input(path, expected, longest_json_bytes);
  if (text.empty())
    core::usage_error(fmt::format("{}: is empty; expected {}", core::printable(path, 500), expected));
  return {path + ": ", std::move(text)};
}

nlohmann::json read_json(const std::string& path, const std::string& expected) {
  return tree_of<nlohmann::json>(read_document(path, expected).root());
}

JsonDocument read_document(const JsonSource& source) {
  return source.text ? JsonDocument(source.name + ": ", *source.text) : read_document(source.name);
}

nlohmann::json read_json(const JsonSource& source) {
  return tree_of<nlohmann::json>(read_document(source).root());
}

nlohmann::ordered_json read_ordered_json(const std::string& path) {
  return tree_of<nlohmann::ordered_json>(read_document(path).root());
}

}  // namespace assay::model
