// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/storage/block_pattern.hpp"

#include <cstring>

#include "harness/core/mix.hpp"
#include "offload/incompressible.hpp"
#include "offload/storage/storage_file.hpp"

namespace assay::offload {
namespace {

constexpr auto sector_bytes = static_cast<std::size_t>(direct_alignment);
// A sector begins with its stamp and the number of the filler's sector that the rest of it is from.
constexpr std::size_t number_at = sizeof(std::uint64_t), filler_at = 2 * sizeof(std::uint64_t);

std::uint64_t word_at(std::span<const std::byte> sector, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, sector.data() + at, sizeof word);
  return word;
}

/// Offset of the first sector that `is_right(sector, its offset)` denies.
template <class IsRight>
std::optional<std::int64_t> first_denied(std::span<const std::byte> bytes, std::int64_t offset,
                                         const IsRight& is_right) {
  for (std::size_t at = 0; at < bytes.size(); at += sector_bytes) {
    const std::int64_t sector_offset = offset + static_cast<std::int64_t>(at);
    if (!is_right(bytes.subspan(at, sector_bytes), sector_offset)) return sector_offset;
  }
  return std::nullopt;
}

}  // namespace

BlockPattern::BlockPattern(std::span<std::byte> filler, std::uint64_t file, std::int64_t file_bytes,
                           std::int64_t block_bytes)
    : filler_(filler),
      file_(file),
      block_bytes_(block_bytes),
      times_written_(static_cast<std::size_t>((file_bytes + block_bytes - 1) / block_bytes)) {
  fill_incompressibly(
      {reinterpret_cast<std::uint64_t*>(filler.data()), filler.size() / sizeof(std::uint64_t)});
  for (std::size_t at = 0; at < filler.size(); at += sector_bytes) {
    const std::uint64_t number = at / sector_bytes;
    std::memcpy(filler.data() + at + number_at, &number, sizeof number);
  }
}

std::uint64_t BlockPattern::stamp_of(std::int64_t offset) const {
  const std::uint64_t written = core::mix64(file_ << 32U | times_written_[index_of(offset)]);
  return core::mix64(written ^ static_cast<std::uint64_t>(offset));
}

void BlockPattern::stamp(std::span<std::byte> bytes, std::int64_t offset) const {
  for (std::size_t at = 0; at < bytes.size(); at += sector_bytes) {
    const std::uint64_t stamp = stamp_of(offset + static_cast<std::int64_t>(at));
    std::memcpy(bytes.data() + at, &stamp, sizeof stamp);
  }
}

std::optional<std::int64_t> BlockPattern::first_misplaced(std::span<const std::byte> bytes,
                                                          std::int64_t offset) const {
  return first_denied(bytes, offset, [this](std::span<const std::byte> sector, std::int64_t at) {
    return word_at(sector, 0) == stamp_of(at);
  });
}

std::optional<std::int64_t> BlockPattern::first_wrong(std::span<const std::byte> bytes,
                                                      std::int64_t offset) const {
  return first_denied(bytes, offset, [this](std::span<const std::byte> sector, std::int64_t at) {
    return word_at(sector, 0) == stamp_of(at) && has_its_filler(sector);
  });
}

bool BlockPattern::has_its_filler(std::span<const std::byte> sector) const {
  const std::uint64_t number = word_at(sector, number_at);
  return number < filler_.size() / sector_bytes &&
         std::memcmp(sector.data() + filler_at, filler_.data() + number * sector_bytes + filler_at,
                     sector_bytes - filler_at) == 0;
}

}  // namespace assay::offload
