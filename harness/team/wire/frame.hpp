// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A frame between two members: a length (4 bytes, big endian), a type (1 byte), and that many bytes of
// payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::team {

enum class FrameType : std::uint8_t {
  hello = 1,
  refused,
  welcome,
  broadcast,
  gather,
  gathered,
  arrive,
  release,
  lost,
  announce,
  pull,
  hail,  // handshake.hpp, from here on
  challenge,
  proof,
  accepted,
  turned_away,
  waits,  // for whom, among the ranks below (tree_team.hpp)
};

struct Frame {
  FrameType type{};
  std::string payload;
};

/// The limit of a frame until both sides have greeted.
inline constexpr std::size_t greeting_limit_bytes = std::size_t{64} << 10;
inline constexpr std::size_t frame_limit_bytes = std::size_t{256} << 20;

std::string to_string(FrameType type);
std::string to_bytes(const Frame& frame);

/// Cuts a stream of bytes into frames. next() throws core::Error (team) for an unknown type or a payload over
/// the limit.
class FrameReader {
 public:
  void set_limit(std::size_t bytes) { limit_bytes_ = bytes; }
  void add(std::string_view bytes) { held_.append(bytes); }
  std::optional<Frame> next();
  /// Bytes until the next frame may be whole: reading no more than these leaves what follows it in the
  /// socket.
  std::size_t missing_bytes() const;
  /// True inside a frame: the stream must not end here.
  bool is_amid_frame() const { return held_.size() > taken_; }

 private:
  std::string held_;
  std::size_t taken_ = 0;
  std::size_t limit_bytes_ = greeting_limit_bytes;
};

/// A list of texts as one payload and back; unpack() throws core::Error (team) where the lengths do not add
/// up.
std::string pack(const std::vector<std::string>& texts);
std::vector<std::string> unpack(std::string_view payload);
/// Joins two packed lists: a Reduction's combine().
inline void append_packed(std::string& all, const std::string& next, int) { all += next; }

}  // namespace assay::team
