// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON files that a user gives. Every reader throws a usage Error of one line that opens with the file: for
// what cannot be read, is empty, longer than 64 MiB, or is not JSON, and as json_document.hpp says.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/json/json_document.hpp"

namespace assay::model {

/// The whole file: it was `expected` to be one.
JsonDocument read_document(const std::string& path, const std::string& expected = "a JSON file");
/// The same as a tree that can be changed, with the keys sorted or in the file's order.
nlohmann::json read_json(const std::string& path, const std::string& expected = "a JSON file");
nlohmann::ordered_json read_ordered_json(const std::string& path);

}  // namespace assay::model
