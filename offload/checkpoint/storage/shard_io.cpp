// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/storage/shard_io.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/process/side_by_side.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::offload {
namespace {

/// The checksum of a shard: that of its blocks' checksums, which may be made in any order.
class ShardChecksum {
 public:
  ShardChecksum(std::int64_t bytes, std::int64_t block_bytes)
      : of_blocks_(static_cast<std::size_t>((bytes + block_bytes - 1) / block_bytes)) {}

  StorageRing::BlockSeen listener(bool wanted) {
    if (!wanted) return {};
    return [this](std::size_t block, std::span<const std::byte> bytes) {
      of_blocks_[block] = XXH3_64bits(bytes.data(), bytes.size());
    };
  }
  std::uint64_t value() const {
    return XXH3_64bits(of_blocks_.data(), of_blocks_.size() * sizeof of_blocks_.front());
  }

 private:
  std::vector<std::uint64_t> of_blocks_;
};

/// Every shard by a thread of its own; throws what the first one threw that failed.
std::vector<ShardTimes> by_shard(std::size_t count, const std::function<ShardTimes(std::size_t)>& body) {
  std::vector<ShardTimes> times(count);
  core::at_once(count, [&](std::size_t shard) { times[shard] = body(shard); });
  return times;
}

/// Runs a transfer and adds the shard's path to what it throws.
void named(const Shard& shard, const std::function<void()>& transfer) {
  try {
    transfer();
  } catch (const core::Error& error) {
    throw core::Error(error.kind(), fmt::format("{}: {}", shard.path.string(), error.what()), error.code());
  }
}

template <class Byte>
std::span<Byte> part_of(std::span<Byte> state, const Shard& shard) {
  return state.subspan(static_cast<std::size_t>(shard.offset), static_cast<std::size_t>(shard.bytes));
}

}  // namespace

std::vector<Shard> cut_into_shards(const ShardSettings& settings, std::int64_t bytes) {
  const std::int64_t blocks = bytes / direct_alignment;
  if (bytes % direct_alignment != 0 || blocks < settings.shards || settings.shards < 1)
    core::usage_error(
        fmt::format("a checkpoint of {} bytes in {} shards: expected at least one shard, each of whole "
                    "blocks of {} bytes",
                    bytes, settings.shards, direct_alignment));
  if (settings.ring.block_bytes < direct_alignment || settings.ring.block_bytes % direct_alignment != 0)
    core::usage_error(fmt::format("block={}: expected a multiple of {} bytes", settings.ring.block_bytes,
                                  direct_alignment));
  std::vector<Shard> shards;
  for (std::int64_t shard = 0, first = 0; shard < settings.shards; ++shard) {
    const std::int64_t end = blocks * (shard + 1) / settings.shards;
    shards.push_back(
        {.path = {}, .offset = first * direct_alignment, .bytes = (end - first) * direct_alignment});
    first = end;
  }
  return shards;
}

std::uint64_t checksum_of(std::span<const std::byte> bytes, std::int64_t block_bytes) {
  ShardChecksum checksum(static_cast<std::int64_t>(bytes.size()), block_bytes);
  const StorageRing::BlockSeen seen = checksum.listener(true);
  const auto block = static_cast<std::size_t>(block_bytes);
  for (std::size_t first = 0; first < bytes.size(); first += block)
    seen(first / block, bytes.subspan(first, std::min(block, bytes.size() - first)));
  return checksum.value();
}

void require_checksum(const std::string& what, std::uint64_t checksum, const Shard& shard) {
  if (checksum == shard.checksum) return;
  throw core::Error(
      core::ErrorKind::system,
      fmt::format("{}: its bytes are not those that were written (checksum {:016x}, expected {:016x})", what,
                  checksum, shard.checksum));
}

ShardIo::ShardIo(const ShardSettings& settings) : settings_(settings) {
  for (int shard = 0; shard < settings.shards; ++shard)
    rings_.push_back(std::make_unique<StorageRing>(settings.ring));
}

ShardTimes ShardIo::write_one(Shard& shard, StorageRing& ring, std::span<const std::byte> bytes) const {
  ShardTimes times;
  ShardChecksum checksum(shard.bytes, settings_.ring.block_bytes);
  const double began_s = core::steady_seconds();
  StorageFile file(shard.path, Access::write, settings_.direct);
  times.direct = file.is_direct();
  file.reserve(shard.bytes);
  named(shard, [&] { ring.write(file, bytes, checksum.listener(settings_.checksums)); });
  const double written_s = core::steady_seconds();
  file.sync();
  times.transfer_s = written_s - began_s;
  times.sync_s = core::steady_seconds() - written_s;
  shard.checksum = checksum.value();
  return times;
}

ShardTimes ShardIo::read_one(const Shard& shard, StorageRing& ring, std::span<std::byte> bytes) const {
  ShardTimes times;
  ShardChecksum checksum(shard.bytes, settings_.ring.block_bytes);
  StorageFile file(shard.path, Access::read, settings_.direct);
  times.direct = file.is_direct();
  file.forget_cached();
  const double began_s = core::steady_seconds();
  named(shard, [&] { ring.read(file, bytes, checksum.listener(settings_.checksums)); });
  times.transfer_s = core::steady_seconds() - began_s;
  if (settings_.checksums) require_checksum(shard.path.string(), checksum.value(), shard);
  return times;
}

std::vector<ShardTimes> ShardIo::write(std::span<Shard> shards, std::span<const std::byte> state) {
  return by_shard(shards.size(), [&](std::size_t index) {
    Shard& shard = shards[index];
    return write_one(shard, *rings_[index], part_of(state, shard));
  });
}

std::vector<ShardTimes> ShardIo::read(std::span<const Shard> shards, std::span<std::byte> state) {
  return by_shard(shards.size(), [&](std::size_t index) {
    const Shard& shard = shards[index];
    return read_one(shard, *rings_[index], part_of(state, shard));
  });
}

}  // namespace assay::offload
