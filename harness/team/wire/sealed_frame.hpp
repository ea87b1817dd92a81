// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A frame that shows who made it and when: its payload gets a sequence number (8 bytes, big endian) in front
// and an HMAC-SHA256 of number, payload and type behind. Each direction of a connection has a key of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/team/wire/frame.hpp"
#include "harness/team/wire/keyed_hash.hpp"

namespace assay::team {

/// How much longer a payload gets.
inline constexpr std::size_t seal_bytes = sizeof(std::uint64_t) + mac_bytes;

class FrameSealer {
 public:
  explicit FrameSealer(std::string_view key) : hash_(key) {}
  Frame seal(const Frame& frame);

 private:
  KeyedHash hash_;
  std::uint64_t next_ = 0;
};

class FrameOpener {
 public:
  explicit FrameOpener(std::string_view key) : hash_(key) {}
  /// The frame as it was sealed. Throws core::Error (team) for one that was changed, made with another key,
  /// sent again, or that comes out of order.
  Frame open(Frame sealed);

 private:
  KeyedHash hash_;
  std::uint64_t next_ = 0;
};

}  // namespace assay::team
