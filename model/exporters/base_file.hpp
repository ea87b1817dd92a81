// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A tool's own JSON object, in which what was measured replaces what was there.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/core/text/json_text.hpp"

namespace assay::model::exporters {

class BaseFile {
 public:
  /// Throws a usage error for an empty path, for a file that is not a JSON object, and for a number that is
  /// missing or not above 0.
  BaseFile(const std::string& path, const std::string& form, std::initializer_list<const char*> numbers);

  double number(const char* key) const { return json_[key].get<double>(); }
  void set(const char* key, double value) { json_[key] = value; }
  std::string text() const { return core::json_text(json_, 2) + "\n"; }

 private:
  nlohmann::ordered_json json_;
};

}  // namespace assay::model::exporters
