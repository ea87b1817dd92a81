// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keys in the files of a question that Calculon's model leaves out, for people.
#pragma once

#include <string>
#include <vector>

#include "model/predict/answer/prediction.hpp"
#include "model/predict/read/assay_keys.hpp"
#include "model/predict/read/unused_keys.hpp"

namespace assay::answers {

struct NamedJson {
  model::JsonValue json;
  std::string name;
};

/// Chooses assay's model where the caller leaves it to the keys of the files, and one asks for it: then what
/// is said of that, else nothing.
inline std::string choose_by_keys(const model::JsonDocument& application,
                                  const model::JsonDocument* execution, const model::JsonDocument& system,
                                  model::ReadOptions& options) {
  if (!options.by_keys || options.model == model::Model::assay) return {};
  std::string key = model::assay_key_of_application(application.root());
  if (key.empty() && execution != nullptr) key = model::assay_key_of_execution(execution->root());
  if (key.empty()) key = model::assay_key_of_system(system.root());
  if (!key.empty()) options.model = model::Model::assay;
  return model::chosen_by(key);
}

inline std::vector<std::string> not_used(const NamedJson& application, const NamedJson& system) {
  std::vector<std::string> texts{model::unused_keys_of_application(application.json, application.name),
                                 model::unused_keys_of_system(system.json, system.name)};
  std::erase(texts, "");
  return texts;
}

}  // namespace assay::answers
