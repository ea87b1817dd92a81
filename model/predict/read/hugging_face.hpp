// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Models as Hugging Face's config.json describes them, by their model_type.
#pragma once

#include <string>
#include <vector>

#include "model/json/json_document.hpp"
#include "model/predict/system/application.hpp"

namespace assay::model {

/// Whether this is a config.json rather than an application: it has a model_type and no `hidden`.
bool is_hugging_face(const JsonValue& json);

struct HuggingFaceModel {
  Application application;
  std::string model_type;
  std::vector<std::string> notes;  // keys that may change the shape and are not used, a line
};
/// `tokens`: of a sequence, which the file does not say. Throws a usage Error naming file and key, and the
/// model types that are known.
HuggingFaceModel read_hugging_face(const JsonValue& json, std::int64_t tokens);

/// "config.json: qwen3_moe, 30.53 billion weights, 3.35 a token; ...", and its notes, a line each.
std::vector<std::string> about_hugging_face(const JsonValue& json, const std::string& file,
                                            std::int64_t tokens);

/// Known values of model_type.
std::vector<std::string_view> hugging_face_types();

}  // namespace assay::model
