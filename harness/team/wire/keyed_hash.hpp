// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA256 (RFC 2104) by libcrypto, and secrets.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct evp_mac_ctx_st;  // libcrypto's

namespace assay::team {

inline constexpr std::size_t mac_bytes = 32;

/// HMAC-SHA256 of any number of texts with one key, which is prepared once.
class KeyedHash {
 public:
  /// Throws core::Error (system) where libcrypto has none.
  explicit KeyedHash(std::string_view key);
  /// 32 bytes.
  std::string of(std::string_view bytes) const;

 private:
  struct Free {
    void operator()(evp_mac_ctx_st* context) const;
  };
  std::unique_ptr<evp_mac_ctx_st, Free> keyed_;
};

/// 32 bytes. Throws core::Error (system) where libcrypto has none.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

/// The time it takes does not depend on where two texts of one length differ.
bool are_equal_secrets(std::string_view one, std::string_view other);

/// From the kernel's generator. Throws core::Error (system) where it gives none.
std::string random_secret(std::size_t count = 32);

/// Two hexadecimal digits a byte.
std::string to_hex(std::string_view bytes);

}  // namespace assay::team
