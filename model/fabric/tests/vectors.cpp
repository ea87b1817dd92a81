// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/tests/vectors.hpp"

#include <nlohmann/json.hpp>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"

namespace assay::model::fabric {

namespace {

const std::string folder = ASSAY_FABRIC_VECTORS;  // empty: not configured

}  // namespace

bool has_vectors() { return !folder.empty(); }

std::string vector_text(const std::string& file) { return core::read_whole_file(folder + "/" + file); }

nlohmann::json vector_json(const std::string& file) {
  return core::json_from<nlohmann::json>(vector_text(file));
}

}  // namespace assay::model::fabric
