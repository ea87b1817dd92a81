// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Shell patterns over bytes: *, ?, [a-z], [!a-z], and \ before a literal character (POSIX fnmatch without
// flags, in the C locale). No pattern makes the time exponential.
#pragma once

#include <string_view>

namespace assay::core {

bool glob_matches(std::string_view pattern, std::string_view text);

/// Whether a text that begins with `begin` may match.
bool glob_may_match(std::string_view pattern, std::string_view begin);

}  // namespace assay::core
