// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a line of a journal is closed: its last key is the CRC-32 (zlib) of every byte before that key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::results {

/// `object` is JSON without its closing brace.
std::string closed_with_crc(std::string object);
bool has_crc(std::string_view line);
/// What stands before the CRC's comma; nothing where there is no CRC or it does not fit.
std::optional<std::string_view> intact_body(std::string_view line);

}  // namespace assay::results
