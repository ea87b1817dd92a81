// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A verdict over what a question asks, as text and JSON of its answer have it.
#pragma once

#include <optional>

namespace assay::answers {

/// Nothing: it cannot be said.
constexpr const char* verdict_word(std::optional<bool> holds) {
  return !holds ? "INCONCLUSIVE" : *holds ? "PASS" : "FAIL";
}

}  // namespace assay::answers
