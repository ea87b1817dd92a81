// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/frame.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"

namespace assay::team {
namespace {

constexpr std::size_t length_bytes = 4;
constexpr std::size_t header_bytes = length_bytes + 1;

void append_length(std::string& bytes, std::size_t length) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>((length >> shift) & 0xff));
}

std::size_t length_at(std::string_view bytes) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

[[noreturn]] void bad_frame(const std::string& what) { throw core::Error(core::ErrorKind::team, what); }

}  // namespace

std::string to_string(FrameType type) {
  switch (type) {
    case FrameType::hello:
      return "hello";
    case FrameType::refused:
      return "refused";
    case FrameType::welcome:
      return "welcome";
    case FrameType::broadcast:
      return "broadcast";
    case FrameType::gather:
      return "gather";
    case FrameType::gathered:
      return "gathered";
    case FrameType::arrive:
      return "arrive";
    case FrameType::release:
      return "release";
    case FrameType::lost:
      return "lost";
    case FrameType::announce:
      return "announce";
    case FrameType::pull:
      return "pull";
    case FrameType::hail:
      return "hail";
    case FrameType::challenge:
      return "challenge";
    case FrameType::proof:
      return "proof";
    case FrameType::accepted:
      return "accepted";
    case FrameType::turned_away:
      return "turned away";
    case FrameType::waits:
      return "waits";
  }
  return fmt::format("type {}", static_cast<int>(type));
}

std::string to_bytes(const Frame& frame) {
  std::string bytes;
  bytes.reserve(header_bytes + frame.payload.size());
  append_length(bytes, frame.payload.size());
  bytes.push_back(static_cast<char>(frame.type));
  return bytes += frame.payload;
}

std::optional<Frame> FrameReader::next() {
  const std::string_view rest = std::string_view(held_).substr(taken_);
  if (rest.size() < header_bytes) return std::nullopt;
  const std::size_t length = length_at(rest);
  const auto type = static_cast<FrameType>(rest[length_bytes]);
  if (type < FrameType::hello || type > FrameType::waits)
    bad_frame(fmt::format("a frame of unknown {}", to_string(type)));
  if (length > limit_bytes_)
    bad_frame(fmt::format("a frame of {} bytes, over the limit of {}", length, limit_bytes_));
  if (rest.size() < header_bytes + length) return std::nullopt;
  Frame frame{type, std::string(rest.substr(header_bytes, length))};
  taken_ += header_bytes + length;
  if (taken_ > held_.size() / 2) {
    held_.erase(0, taken_);
    taken_ = 0;
  }
  return frame;
}

std::size_t FrameReader::missing_bytes() const {
  const std::string_view rest = std::string_view(held_).substr(taken_);
  if (rest.size() < header_bytes) return header_bytes - rest.size();
  return header_bytes + length_at(rest) - rest.size();
}

std::string pack(const std::vector<std::string>& texts) {
  std::string payload;
  for (const std::string& text : texts) {
    append_length(payload, text.size());
    payload += text;
  }
  return payload;
}

std::vector<std::string> unpack(std::string_view payload) {
  std::vector<std::string> texts;
  while (!payload.empty()) {
    if (payload.size() < length_bytes) bad_frame("a list of texts that ends inside a length");
    const std::size_t length = length_at(payload);
    payload.remove_prefix(length_bytes);
    if (length > payload.size()) bad_frame("a list of texts that ends inside a text");
    texts.emplace_back(payload.substr(0, length));
    payload.remove_prefix(length);
  }
  return texts;
}

}  // namespace assay::team
