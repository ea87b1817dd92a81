// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A JSON string in quotes, with its escapes resolved.
#pragma once

#include <string>

#include "results/peers/text/json_characters.hpp"

namespace assay::results::peers {

struct JsonString {
  std::string text = {};
  bool closed = false;      // false: its line ended before the quote
  bool odd_escape = false;  // one that JSON does not know; it is kept as it is
};

/// `from` is at the opening quote, and after the closing one then.
JsonString json_string(JsonCharacters& from);

}  // namespace assay::results::peers
