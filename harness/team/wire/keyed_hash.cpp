// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/keyed_hash.hpp"

#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "harness/core/error.hpp"

namespace assay::team {
namespace {

[[noreturn]] void no_hmac() {
  throw core::Error(core::ErrorKind::system, "libcrypto computes no HMAC-SHA256");
}

}  // namespace

KeyedHash::KeyedHash(std::string_view key) {
  static EVP_MAC* const hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);  // a search of all of libcrypto
  if (hmac != nullptr) keyed_.reset(EVP_MAC_CTX_new(hmac));
  std::string digest = "SHA256";
  const std::array parameters{OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
                              OSSL_PARAM_construct_end()};
  // A key of no bytes still needs an address.
  const char* key_bytes = key.empty() ? "" : key.data();
  if (!keyed_ || EVP_MAC_init(keyed_.get(), reinterpret_cast<const unsigned char*>(key_bytes), key.size(),
                              parameters.data()) != 1)
    no_hmac();
}

std::string KeyedHash::of(std::string_view bytes) const {
  // libcrypto before 3.0.3 cannot begin again with the key that a context has: each text has a copy.
  const std::unique_ptr<EVP_MAC_CTX, Free> context(EVP_MAC_CTX_dup(keyed_.get()));
  std::string mac(mac_bytes, '\0');
  std::size_t size = 0;
  if (!context ||
      EVP_MAC_update(context.get(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()) !=
          1 ||
      EVP_MAC_final(context.get(), reinterpret_cast<unsigned char*>(mac.data()), &size, mac.size()) != 1 ||
      size != mac_bytes)
    no_hmac();
  return mac;
}

void KeyedHash::Free::operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }

std::string hmac_sha256(std::string_view key, std::string_view bytes) { return KeyedHash(key).of(bytes); }

bool are_equal_secrets(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

std::string random_secret(std::size_t count) {
  std::string bytes(count, '\0');
  // Up to 256 bytes come whole.
  for (std::size_t had = 0; had < count;) {
    const ssize_t more = getrandom(bytes.data() + had, std::min<std::size_t>(count - had, 256), 0);
    if (more < 0 && errno != EINTR)
      throw core::Error(core::ErrorKind::system, "the kernel gives no random bytes", errno);
    had += static_cast<std::size_t>(std::max<ssize_t>(more, 0));
  }
  return bytes;
}

std::string to_hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace assay::team
