// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A system file whose single values can be read and changed by their place in it, "networks[0].size": what
// --set, the sensitivity of an optimum, and `assay explain` vary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/predict/system.hpp"

namespace assay::model {

class SystemFile {
 public:
  /// `name` opens every message.
  SystemFile(nlohmann::json json, std::string name) : json_(std::move(json)), name_(std::move(name)) {}
  static SystemFile read(const std::string& path);

  bool has(const std::string& key) const;
  /// Throws a usage Error naming file and key where there is no number there.
  double number(const std::string& key) const;
  void set(const std::string& key, double value);
  /// "networks[0].size=16", "processing_mode=roofline", "networks[0].must_be_filled=false": a value of the
  /// kind that is there. Throws a usage Error naming file and key.
  void set(const std::string& assignment);

  /// Throws what read_system() throws.
  System system() const;
  const nlohmann::json& json() const { return json_; }
  const std::string& name() const { return name_; }

 private:
  const nlohmann::json& place(const std::string& key) const;

  nlohmann::json json_;
  std::string name_;
};

}  // namespace assay::model
