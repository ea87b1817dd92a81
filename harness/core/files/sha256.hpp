// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): names files, closes evidence, and splits rows as the public tables do.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace assay::core {

/// The digest of bytes that arrive piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  /// 64 hexadecimal digits of all that was added; ends it.
  std::string digits();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The first 8 bytes of the digest, big endian.
std::uint64_t sha256_prefix(std::string_view bytes);

}  // namespace assay::core
