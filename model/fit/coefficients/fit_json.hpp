// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON of the parts of a fit. The `_from` functions throw a usage Error naming file and key for what cannot
// be.
#pragma once

#include <nlohmann/json.hpp>

#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/json/json_keys.hpp"

namespace assay::model::fit {

using Json = nlohmann::ordered_json;

Json json_of(const Provenance& provenance);
Json json_of(const Coefficient& coefficient);
Json json_of(const Accuracy& accuracy);
Json json_of(const Errors& errors);  // null where there are none
Json json_of(const GemmFit& fit);
Json json_of(const BoostedTrees& surface);
Json json_of(const CollectiveFamily& family);
Json json_of(const std::vector<Overtaken>& overtaken);
Json json_of(const Segment& segment);
Json json_of(const std::vector<Segment>& segments);
Json json_of(const SizeSurface& surface);

Provenance provenance_from(const JsonKeys& keys);
Coefficient coefficient_from(const JsonKeys& keys, const char* name);
LogGp loggp_from(const JsonKeys& keys);
LogGpParts loggp_parts_from(const JsonKeys& keys);
Accuracy accuracy_from(const JsonKeys& keys);
/// With the trees that `surfaces` has under `group`.
GemmModel gemm_model_from(const JsonKeys& keys, const JsonKeys& surfaces, const std::string& group);
CollectiveFamily collective_family_from(const JsonKeys& models, const std::string& name);
std::vector<Segment> segments_from(const JsonKeys& keys, std::string_view key);  // one or more
SizeSurface size_surface_from(const JsonKeys& keys);

}  // namespace assay::model::fit
