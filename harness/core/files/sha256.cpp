// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "harness/core/error.hpp"
#include "harness/core/files/handle.hpp"

namespace assay::core {
namespace {

using Sha256Digest = std::array<unsigned char, 32>;

void require_computed(bool computed) {
  if (!computed) throw Error(ErrorKind::system, "libcrypto computes no SHA-256");
}

Sha256Digest digest_of_bytes(std::string_view bytes) {
  Sha256Digest digest{};
  unsigned size = 0;
  require_computed(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1 &&
                   size == digest.size());
  return digest;
}

std::string digits_of(const Sha256Digest& digest) {
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace

struct Sha256::Context {
  Handle<EVP_MD_CTX*, EVP_MD_CTX_free> context{EVP_MD_CTX_new()};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  require_computed(context_->context != nullptr &&
                   EVP_DigestInit_ex(context_->context.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  require_computed(EVP_DigestUpdate(context_->context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::digits() {
  Sha256Digest digest{};
  unsigned size = 0;
  require_computed(EVP_DigestFinal_ex(context_->context.get(), digest.data(), &size) == 1 &&
                   size == digest.size());
  return digits_of(digest);
}

std::string sha256(std::string_view bytes) { return digits_of(digest_of_bytes(bytes)); }

std::uint64_t sha256_prefix(std::string_view bytes) {
  const Sha256Digest digest = digest_of_bytes(bytes);
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < sizeof prefix; ++i) prefix = prefix << 8 | digest[i];
  return prefix;
}

}  // namespace assay::core
