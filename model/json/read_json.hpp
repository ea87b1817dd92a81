// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON that a user gives, in files or in lines. Every reader throws a usage Error of one line that opens with
// the file or `name`: for what is no JSON, and for a key that stands twice in one object, of which one would
// be lost.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace assay::model {

/// The whole file. Also throws where it cannot be read or is empty: it was `expected` to be one.
nlohmann::json read_json(const std::string& path, const std::string& expected = "a JSON file");
/// The same, with the keys in the file's order.
nlohmann::ordered_json read_ordered_json(const std::string& path);

nlohmann::json json_from(const std::string& text, const std::string& name);

}  // namespace assay::model
