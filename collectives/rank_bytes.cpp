// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/rank_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/core/mix.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

std::uint64_t word_at(int sender, std::size_t place) {
  return core::mix64(place + (static_cast<std::uint64_t>(sender + 1) << 40U));
}

}  // namespace

std::vector<std::byte> bytes_of_rank(int sender, std::int64_t bytes) {
  std::vector<std::byte> content(static_cast<std::size_t>(bytes));
  for (std::size_t at = 0; at < content.size(); at += word_bytes) {
    const std::uint64_t word = word_at(sender, at / word_bytes);
    std::memcpy(&content[at], &word, std::min(word_bytes, content.size() - at));
  }
  return content;
}

std::string first_wrong_byte(int sender, std::span<const std::byte> seen) {
  const std::vector<std::byte> right = bytes_of_rank(sender, std::ssize(seen));
  const auto [is, expected] = std::ranges::mismatch(seen, right);
  if (expected == right.end()) return {};
  return fmt::format("byte {} of the last message: expected {:#04x}, found {:#04x}", expected - right.begin(),
                     std::to_integer<int>(*expected), std::to_integer<int>(*is));
}

}  // namespace assay::collectives
