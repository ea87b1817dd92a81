// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A margin as people write it. Every command that takes one takes it from here.
#pragma once

#include <string>

namespace assay::answers {

/// "3%" or "0.03", within the bounds of harness/core/statistics/margin.hpp. Throws a usage Error naming the
/// flag for anything else: NaN, a negative or absurd number, text.
double margin_from(const std::string& flag, const std::string& text);

}  // namespace assay::answers
