// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether a line of the kernel's log fits a pattern.
#pragma once

#include <string_view>

namespace assay::health {

/// A pattern is pieces separated by '*', which occur in the line in this order; upper and lower case differ.
/// '^' at the start pins the first piece to the start of the line. '<' before a piece asks for the start of a
/// word there: "<BUG: " does not fit "DEBUG: ".
bool fits_line(std::string_view line, std::string_view pattern);

/// In any locale.
constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

}  // namespace assay::health
