// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes that come or go a piece at a time, where the whole may be too much for memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace assay::core {

/// Up to `size` bytes, as soon as there are any; 0 at the end.
using ByteSource = std::function<std::size_t(char* to, std::size_t size)>;

/// Takes the next piece, which lasts for the call.
using ByteSink = std::function<void(std::string_view piece)>;

/// Gives all of its bytes to the sink.
using ByteWriter = std::function<void(const ByteSink& sink)>;

/// All of them.
inline std::string written(const ByteWriter& write) {
  std::string text;
  write([&](std::string_view piece) { text += piece; });
  return text;
}

/// A source of `bytes`, which must live as long as it does.
inline ByteSource source_of(std::string_view bytes) {
  return [bytes](char* to, std::size_t size) mutable {
    const std::size_t given = bytes.copy(to, size);
    bytes.remove_prefix(given);
    return given;
  };
}

}  // namespace assay::core
