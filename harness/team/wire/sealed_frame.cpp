// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/sealed_frame.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::team {
namespace {

constexpr std::size_t sequence_bytes = sizeof(std::uint64_t);

std::string text_of_sequence(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>((number >> shift) & 0xff));
  return bytes;
}

std::uint64_t sequence_at(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sequence_bytes; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

/// `numbered`: sequence number and payload. As it was when it returns.
std::string mac_of_frame(const KeyedHash& hash, FrameType type, std::string& numbered) {
  numbered.push_back(static_cast<char>(type));
  std::string mac = hash.of(numbered);
  numbered.pop_back();
  return mac;
}

[[noreturn]] void bad_seal(const std::string& what) { throw core::Error(core::ErrorKind::team, what); }

}  // namespace

Frame FrameSealer::seal(const Frame& frame) {
  std::string numbered = text_of_sequence(next_++);
  numbered.reserve(frame.payload.size() + seal_bytes + 1);
  numbered += frame.payload;
  numbered += mac_of_frame(hash_, frame.type, numbered);
  return {frame.type, std::move(numbered)};
}

Frame FrameOpener::open(Frame sealed) {
  std::string& bytes = sealed.payload;
  if (bytes.size() < seal_bytes) bad_seal("a frame without a seal");
  const std::string mac = bytes.substr(bytes.size() - mac_bytes);
  bytes.resize(bytes.size() - mac_bytes);
  if (!are_equal_secrets(mac, mac_of_frame(hash_, sealed.type, bytes)))
    bad_seal("a frame whose seal is wrong: it was changed on its way, or comes from someone else");
  if (const std::uint64_t number = sequence_at(bytes); number != next_)
    bad_seal(
        fmt::format("frame {} where frame {} is due: it was sent again, or others are lost", number, next_));
  ++next_;
  bytes.erase(0, sequence_bytes);
  return sealed;
}

}  // namespace assay::team
