// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA256 (RFC 2104) and secrets, both by libcrypto.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::team {

inline constexpr std::size_t mac_bytes = 32;

/// 32 bytes. Throws core::Error (system) where libcrypto has none.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

/// The time it takes does not depend on where two texts of one length differ.
bool are_equal_secrets(std::string_view one, std::string_view other);

/// From libcrypto's generator. Throws core::Error (system) where the system gives no randomness.
std::string random_secret(std::size_t count = 32);

/// Two hexadecimal digits a byte.
std::string to_hex(std::string_view bytes);

}  // namespace assay::team
