// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A system file whose single values can be read and changed by their place in it, "networks[0].size": what
// --set, the sensitivity of an optimum, and `assay explain` vary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/json/read_json.hpp"
#include "model/predict/answer/prediction.hpp"

namespace assay::model {

class SystemFile {
 public:
  /// `name` opens every message, and coefficients that the file names are in its folder.
  SystemFile(nlohmann::json json, std::string name, ReadOptions options = {})
      : json_(std::move(json)), name_(std::move(name)), options_(std::move(options)) {}
  static SystemFile read(const std::string& path, const ReadOptions& options = {});
  static SystemFile read(const JsonSource& source, const ReadOptions& options);

  bool has(const std::string& key) const;
  /// Throws a usage Error naming file and key where there is no number there.
  double number(const std::string& key) const;
  void set(const std::string& key, double value);
  /// "networks[0].size=16", "processing_mode=roofline", "networks[0].must_be_filled=false": a value of the
  /// kind that is there. Throws a usage Error naming file and key.
  void set(const std::string& assignment);

  /// The system by the rules of the options' model. Throws what read_system() throws.
  System system() const;
  /// The system with measured times. Throws what read_priced_system() throws.
  PricedSystem priced(const PricedTypes& types) const;
  Model model() const { return options_.model; }
  ReadOptions& options() { return options_; }
  const nlohmann::json& json() const { return json_; }
  const std::string& name() const { return name_; }

 private:
  const nlohmann::json& place(const std::string& key) const;

  nlohmann::json json_;
  std::string name_;
  ReadOptions options_;
};

}  // namespace assay::model
