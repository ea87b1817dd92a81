// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A system file whose single values --set, the sensitivity of an optimum, and `assay explain` vary.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/json/edited_json.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/answer/prediction.hpp"

namespace assay::model {

class SystemFile : public EditedJson {
 public:
  /// `name` opens every message, and coefficients that the file names are in its folder.
  SystemFile(nlohmann::json json, std::string name, ReadOptions options = {})
      : EditedJson(std::move(json), std::move(name)), options_(std::move(options)) {}
  static SystemFile read(const std::string& path, const ReadOptions& options = {});
  static SystemFile read(const JsonSource& source, const ReadOptions& options);

  using EditedJson::set;
  /// As EditedJson::set() of "KEY=VALUE"; what the file says of the interval of that value goes.
  void set(const std::string& assignment);

  /// The system by the rules of the options' model. Throws what read_system() throws.
  System system() const;
  /// The system with measured times. Throws what read_priced_system() throws.
  PricedSystem priced(const PricedTypes& types) const;
  Model model() const { return options_.model; }
  ReadOptions& options() { return options_; }

 private:
  ReadOptions options_;
};

}  // namespace assay::model
