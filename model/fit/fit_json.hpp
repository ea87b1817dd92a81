// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON of the parts of a fit. The `_from` functions throw nlohmann's exceptions, or std::runtime_error naming
// the key, for what cannot be.
#pragma once

#include <nlohmann/json.hpp>

#include "model/fit/coefficients_file.hpp"

namespace assay::model::fit {

using Json = nlohmann::ordered_json;

Json json_of(const Provenance& provenance);
Json json_of(const Coefficient& coefficient);
Json json_of(const Errors& errors);  // null where there are none
Json json_of(const GemmFit& fit);
Json json_of(const BoostedTrees& surface);
Json json_of(const CollectiveFamily& family);
Json json_of(const Segment& segment);
Json json_of(const std::vector<Segment>& segments);
Json json_of(const SizeSurface& surface);

Provenance provenance_from(const Json& json);
GemmModel gemm_model_from(const Json& json, const Json& surface);
CollectiveFamily collective_family_from(const Json& json);
Segment segment_from(const Json& json);
std::vector<Segment> segments_from(const Json& json);  // one or more
SizeSurface size_surface_from(const Json& json);

/// A finite number above 0, or from 0 on. Throws std::runtime_error naming the key.
double positive_from(const Json& json, const char* key);
double not_negative_from(const Json& json, const char* key);

}  // namespace assay::model::fit
