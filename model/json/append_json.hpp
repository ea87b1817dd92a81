// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers and strings as JSON writes them, put at the end of a text that is being made.
#pragma once

#include <string>
#include <string_view>

namespace assay::model {

/// The shortest that reads back as the same double, a whole one with ".0"; null where it is not finite.
void append_json(std::string& text, double value);
/// In quotes and escaped; bytes that are not UTF-8 become U+FFFD.
void append_json(std::string& text, std::string_view value);

}  // namespace assay::model
