// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Text from outside (names of files, keys, values) in the form in which a message may show it: one line,
// valid UTF-8, no control characters, and of bounded length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::core {

/// Bytes in the well-formed UTF-8 sequence that opens `text`; 0 where none does.
std::size_t utf8_length(std::string_view text);

/// Whether its first character is a control character, among them those that change the direction of text or
/// begin a line or paragraph.
bool begins_with_control(std::string_view text);

/// Control characters and bytes that are not UTF-8 become \n, \t, \r or \xNN. What would be longer than
/// `most_bytes` ends in "...".
std::string printable(std::string_view text, std::size_t most_bytes);

/// For readers of files: bytes that are not UTF-8 become U+FFFD, one each, and control characters that are
/// not in `kept` a space.
std::string valid_text(std::string_view text, std::string_view kept = "\n");

/// A whole message. A message of more than 2,000 bytes loses its middle: the file that it names is at the
/// start, and what was expected is often at the end.
std::string printable_message(std::string_view text);

}  // namespace assay::core
