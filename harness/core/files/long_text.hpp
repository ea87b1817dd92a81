// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Text that may be too long for memory: up to a MiB is held, more is in a file without a name.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "harness/core/files/byte_stream.hpp"

namespace assay::core {

/// Never changes; copies share the bytes.
class LongText {
 public:
  static constexpr std::size_t most_held = std::size_t{1} << 20;

  LongText() : LongText(std::string_view()) {}
  template <std::convertible_to<std::string_view> Text>
  LongText(const Text& text) : LongText(std::string_view(text)) {}
  LongText(std::string_view text);
  /// Holds the bytes that `write` gives. Throws a system Error where no folder takes a file of that size:
  /// TMPDIR or, without it, /var/tmp or /tmp.
  static LongText of(const ByteWriter& write);

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  /// SHA-256.
  const std::string& digest() const;
  /// From the first byte; any number of them read at the same time.
  ByteSource source() const;
  void write_to(const ByteSink& sink) const;
  std::string text() const;

  bool operator==(const LongText& other) const;

 private:
  struct Bytes;
  explicit LongText(std::shared_ptr<const Bytes> bytes) : bytes_(std::move(bytes)) {}

  std::shared_ptr<const Bytes> bytes_;
};

}  // namespace assay::core
