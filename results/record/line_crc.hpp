// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a line of a journal is closed: its last key is the CRC-32 (zlib) of every byte before that key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::results {

/// `object` is JSON without its closing brace.
std::string closed_with_crc(std::string object);
bool has_crc(std::string_view line);
struct IntactLine {
  std::string_view body;  // what stands before the CRC's comma
  std::uint32_t crc = 0;
};
/// Nothing where there is no CRC or it does not fit.
std::optional<IntactLine> intact_line(std::string_view line);

}  // namespace assay::results
