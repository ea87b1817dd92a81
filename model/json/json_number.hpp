// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A number as JSON writes it.
#pragma once

#include "model/json/json_document.hpp"

namespace assay::model {

enum class NumberFault { none, no_number, too_large };

/// Reads the number at `at` into the kind and value of `node` and moves `at` after it, or to where no number
/// is. The text ends in a zero byte. What is too small for a double is 0.
NumberFault read_number(const char*& at, JsonNode& node);

}  // namespace assay::model
