// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Faults of a JSON file, the same each time: bytes, values, keys, depth and size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::model::tests {

struct MalformedText {
  std::string how;  // for messages of a test
  std::string text;
};

/// `count` of them made from `text`, which is JSON; some still are, and may be valid.
std::vector<MalformedText> malformed(const std::string& text, std::size_t count, std::uint64_t seed);

}  // namespace assay::model::tests
