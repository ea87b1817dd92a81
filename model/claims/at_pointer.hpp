// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A place in a JSON answer: a pointer (RFC 6901) with one addition, that a part NAME=VALUE,... chooses the
// first element of a list with these members: /rows/metric=gpu.count,action=reseat/unit.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::model::claims {

/// "/" is the whole answer. Null where there is nothing.
const nlohmann::json* at_pointer(const nlohmann::json& answer, const std::string& pointer);

}  // namespace assay::model::claims
