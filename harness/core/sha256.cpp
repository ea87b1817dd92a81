// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "harness/core/error.hpp"

namespace assay::core {
namespace {

using Sha256Digest = std::array<unsigned char, 32>;

Sha256Digest digest_of_bytes(std::string_view bytes) {
  Sha256Digest digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1 ||
      size != digest.size())
    throw Error(ErrorKind::system, "libcrypto computes no SHA-256");
  return digest;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::string text;
  for (const unsigned char byte : digest_of_bytes(bytes)) text += fmt::format("{:02x}", byte);
  return text;
}

std::uint64_t sha256_prefix(std::string_view bytes) {
  const Sha256Digest digest = digest_of_bytes(bytes);
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < sizeof prefix; ++i) prefix = prefix << 8 | digest[i];
  return prefix;
}

}  // namespace assay::core
