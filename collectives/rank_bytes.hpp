// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes that one rank sends another, where nothing is reduced: no link can compress them, and each sender's
// differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay::collectives {

std::vector<std::byte> bytes_of_rank(int sender, std::int64_t bytes);

/// "byte 3 of the last message: expected 0x1f, found 0xe0"; empty where all that was seen is the sender's.
std::string first_wrong_byte(int sender, std::span<const std::byte> seen);

}  // namespace assay::collectives
