// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keys in the files of a question that Calculon's model leaves out, for people.
#pragma once

#include <string>
#include <vector>

#include "model/json/json_document.hpp"
#include "model/predict/read/unused_keys.hpp"

namespace assay::answers {

struct NamedJson {
  model::JsonValue json;
  std::string name;
};

inline std::vector<std::string> not_used(const NamedJson& application, const NamedJson& system) {
  std::vector<std::string> texts{model::unused_keys_of_application(application.json, application.name),
                                 model::unused_keys_of_system(system.json, system.name)};
  std::erase(texts, "");
  return texts;
}

}  // namespace assay::answers
