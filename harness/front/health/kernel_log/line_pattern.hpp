// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Patterns for lines of the kernel's log.
#pragma once

#include <algorithm>
#include <string_view>

namespace assay::health {

/// A pattern is pieces separated by '*', which occur in the line in this order; upper and lower case differ.
/// '^' at the start pins the first piece to the start of the line. '<' before a piece asks for the start of a
/// word there: "<BUG: " does not fit "DEBUG: ".
bool fits_line(std::string_view line, std::string_view pattern);

/// The text from its first letter on that is not a blank.
constexpr std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.size(), text.find_first_not_of(' ')));
}

/// A decimal digit, in any locale.
constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

}  // namespace assay::health
