// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON files that a user gives. Every reader throws a usage Error of one line that opens with the file: for
// what cannot be read, is empty, longer than 64 MiB, or is not JSON, and as json_document.hpp says.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "model/json/json_document.hpp"

namespace assay::model {

/// The whole file: it was `expected` to be one.
JsonDocument read_document(const std::string& path, const std::string& expected = "a JSON file");
/// Reads the file, as read_document() does, into a tree that can be changed, with the keys sorted or in the
/// file's order.
nlohmann::json read_json(const std::string& path, const std::string& expected = "a JSON file");
nlohmann::ordered_json read_ordered_json(const std::string& path);

/// A file, or the text of a caller that has none; `name` opens every message.
struct JsonSource {
  std::string name;
  std::optional<std::string> text = {};

  bool empty() const { return name.empty(); }
};
JsonDocument read_document(const JsonSource& source);
nlohmann::json read_json(const JsonSource& source);

}  // namespace assay::model
