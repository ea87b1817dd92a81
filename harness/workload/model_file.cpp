// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A model given as a small TOML file: every key known, every value positive, or one line saying what is not.
#include <fmt/core.h>

#include <string>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/workload/transformer.hpp"

namespace assay::workload {

Transformer parse_model(const std::string& text, const std::string& file) {
  Transformer model;
  core::read_fields(core::TomlFile(text, file).root(), model);
  if (model.heads % model.kv_heads != 0)
    core::usage_error(
        fmt::format("{}:1: {} heads cannot be grouped over {} kv heads", file, model.heads, model.kv_heads));
  return model;
}

Transformer read_model(const std::string& path) {
  return parse_model(core::read_input(path, "a model in TOML", 1U << 20U), path);
}

}  // namespace assay::workload
