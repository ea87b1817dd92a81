// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/keyed_hash.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "harness/core/error.hpp"

namespace assay::team {

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  std::string mac(mac_bytes, '\0');
  unsigned size = 0;
  // A key of no bytes still needs an address.
  const char* key_bytes = key.empty() ? "" : key.data();
  if (HMAC(EVP_sha256(), key_bytes, static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
           reinterpret_cast<unsigned char*>(mac.data()), &size) == nullptr ||
      size != mac_bytes)
    throw core::Error(core::ErrorKind::system, "libcrypto computes no HMAC-SHA256");
  return mac;
}

bool are_equal_secrets(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string random_secret(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1)
    throw core::Error(core::ErrorKind::system, "libcrypto gives no random bytes");
  return bytes;
}

std::string to_hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace assay::team
