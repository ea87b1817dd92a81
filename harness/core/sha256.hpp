// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): names files, closes evidence, and splits rows as the public tables do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::core {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The first 8 bytes of the digest, big endian.
std::uint64_t sha256_prefix(std::string_view bytes);

}  // namespace assay::core
