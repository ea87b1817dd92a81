// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "harness/integrity/digest.hpp"

namespace assay::rdma {
namespace {

constexpr std::size_t piece_bytes = 1 << 20;

/// Bytes [begin, begin + piece.size()) of the stream; `begin` is a multiple of 8.
void content(std::span<std::byte> piece, std::uint64_t seed, std::size_t begin, bool complement) {
  for (std::size_t at = 0; at < piece.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t value =
        integrity::random_number(seed, (begin + at) / sizeof(std::uint64_t)) ^ (complement ? ~0ULL : 0ULL);
    std::memcpy(piece.data() + at, &value, std::min(sizeof value, piece.size() - at));
  }
}

}  // namespace

void fill(Memory& memory, std::size_t offset, std::size_t bytes, std::uint64_t seed, bool complement) {
  std::vector<std::byte> piece(std::min(bytes, piece_bytes));
  for (std::size_t done = 0; done < bytes; done += piece.size()) {
    piece.resize(std::min(piece.size(), bytes - done));
    content(piece, seed, done, complement);
    memory.write(offset + done, piece);
  }
}

std::string difference(const Memory& memory, std::size_t offset, std::size_t bytes, std::uint64_t seed,
                       bool complement) {
  std::vector<std::byte> expected(std::min(bytes, piece_bytes)), found(expected.size());
  for (std::size_t done = 0; done < bytes; done += expected.size()) {
    expected.resize(std::min(expected.size(), bytes - done));
    found.resize(expected.size());
    content(expected, seed, done, complement);
    memory.read(offset + done, found);
    const auto [want, got] = std::ranges::mismatch(expected, found);
    if (want != expected.end())
      return fmt::format("byte {}: expected {:#04x}, found {:#04x}",
                         done + static_cast<std::size_t>(want - expected.begin()),
                         std::to_integer<int>(*want), std::to_integer<int>(*got));
  }
  return {};
}

}  // namespace assay::rdma
