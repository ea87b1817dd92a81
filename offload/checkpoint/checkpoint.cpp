// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::offload {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The checksum of a shard: that of its blocks' checksums, which may be made in any order.
class ShardChecksum {
 public:
  ShardChecksum(std::size_t bytes, std::int64_t block_bytes)
      : of_blocks_((bytes + static_cast<std::size_t>(block_bytes) - 1) /
                   static_cast<std::size_t>(block_bytes)) {}

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
  std::vector<std::exception_ptr> failures(count);
  std::vector<std::thread> threads;
  for (std::size_t shard = 0; shard < count; ++shard)
    threads.emplace_back([&, shard] {
      try {
        times[shard] = body(shard);
      } catch (...) {
        failures[shard] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return times;
}

}  // namespace

Checkpoint::Checkpoint(CheckpointSettings settings, std::int64_t bytes) : settings_(std::move(settings)) {
  const std::int64_t blocks = bytes / direct_alignment;
  if (bytes % direct_alignment != 0 || blocks < settings_.shards || settings_.shards < 1)
    core::usage_error(
        fmt::format("a checkpoint of {} bytes in {} shards: expected at least one shard, each of whole "
                    "blocks of {} bytes",
                    bytes, settings_.shards, direct_alignment));
  if (settings_.ring.block_bytes < direct_alignment || settings_.ring.block_bytes % direct_alignment != 0)
    core::usage_error(fmt::format("block={}: expected a multiple of {} bytes", settings_.ring.block_bytes,
                                  direct_alignment));
  check_space(settings_.folder, bytes);
  std::int64_t first = 0;
  for (int shard = 0; shard < settings_.shards; ++shard) {
    const std::int64_t end = blocks * (shard + 1) / settings_.shards;
    shards_.push_back({settings_.folder / fmt::format("assay-checkpoint-{}-{}.shard", getpid(), shard),
                       static_cast<std::size_t>(first * direct_alignment),
                       static_cast<std::size_t>((end - first) * direct_alignment), 0});
    rings_.push_back(std::make_unique<StorageRing>(settings_.ring));
    first = end;
  }
}

Checkpoint::~Checkpoint() {
  std::error_code nobody_asks;
  for (const Shard& shard : shards_) std::filesystem::remove(shard.path, nobody_asks);
}

ShardTimes Checkpoint::write_shard(Shard& shard, StorageRing& ring, std::span<const std::byte> bytes) const {
  ShardTimes times;
  ShardChecksum checksum(bytes.size(), settings_.ring.block_bytes);
  const double began_s = now_s();
  StorageFile file(shard.path, Access::write, settings_.direct);
  times.direct = file.is_direct();
  file.reserve(static_cast<std::int64_t>(bytes.size()));
  ring.write(file, bytes, checksum.listener(settings_.checksums));
  const double written_s = now_s();
  file.sync();
  times.transfer_s = written_s - began_s;
  times.sync_s = now_s() - written_s;
  shard.checksum = checksum.value();
  return times;
}

ShardTimes Checkpoint::read_shard(const Shard& shard, StorageRing& ring, std::span<std::byte> bytes) const {
  ShardTimes times;
  ShardChecksum checksum(bytes.size(), settings_.ring.block_bytes);
  StorageFile file(shard.path, Access::read, settings_.direct);
  times.direct = file.is_direct();
  file.forget_cached();
  const double began_s = now_s();
  ring.read(file, bytes, checksum.listener(settings_.checksums));
  times.transfer_s = now_s() - began_s;
  if (settings_.checksums && checksum.value() != shard.checksum)
    throw core::Error(
        core::ErrorKind::system,
        fmt::format("{}: its bytes are not those that were written (checksum {:016x}, expected {:016x})",
                    shard.path.string(), checksum.value(), shard.checksum));
  return times;
}

std::vector<ShardTimes> Checkpoint::write(std::span<const std::byte> state) {
  return by_shard(shards_.size(), [&](std::size_t index) {
    Shard& shard = shards_[index];
    return write_shard(shard, *rings_[index], state.subspan(shard.offset, shard.bytes));
  });
}

std::vector<ShardTimes> Checkpoint::read(std::span<std::byte> state) {
  return by_shard(shards_.size(), [&](std::size_t index) {
    const Shard& shard = shards_[index];
    return read_shard(shard, *rings_[index], state.subspan(shard.offset, shard.bytes));
  });
}

}  // namespace assay::offload
