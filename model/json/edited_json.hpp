// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON whose single values are read and changed by their place in it: "networks[0].size".
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace assay::model {

/// "KEY=VALUE" of --set.
struct Assignment {
  std::string key, value;
};
/// Throws a usage Error for text without an equals sign.
Assignment assignment_from(const std::string& text);

class EditedJson {
 public:
  /// `name` opens every message.
  EditedJson(nlohmann::json json, std::string name) : json_(std::move(json)), name_(std::move(name)) {}

  bool has(const std::string& key) const;
  /// Throws a usage Error naming file and key where there is no number there.
  double number(const std::string& key) const;
  void set(const std::string& key, double value);
  /// "networks[0].size=16", "processing_mode=roofline", "networks[0].must_be_filled=false": a value of the
  /// kind that is there. Throws a usage Error naming file and key.
  void set(const Assignment& assignment);
  /// As set(), and a member of the outermost object that is not there is added.
  void set_or_add(const Assignment& assignment);

  const nlohmann::json& json() const { return json_; }
  const std::string& name() const { return name_; }

 protected:
  nlohmann::json json_;

 private:
  const nlohmann::json& place(const std::string& key) const;

  std::string name_;
};

}  // namespace assay::model
