// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/storage/storage_ring.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "harness/core/error.hpp"

namespace assay::offload {
namespace {

std::int64_t locked_memory_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  return static_cast<std::int64_t>(
      std::min<rlim_t>(limit.rlim_cur, std::numeric_limits<std::int64_t>::max()));
}

struct Refusal {
  int code = 0;
  bool unsupported = false;
  std::string why = {};
};

/// Opens it, or returns why not.
Refusal open_ring(unsigned depth, io_uring& ring) {
  const int code = -io_uring_queue_init(depth, &ring, 0);
  if (code == 0) return {};
  const std::int64_t wanted = code == ENOMEM ? io_uring_mlock_size(depth, 0) : 0;
  return {code, code == ENOSYS || code == EPERM || wanted > 0,
          io_uring_refusal(code, depth, wanted, locked_memory_limit())};
}

[[noreturn]] void fail_transfer(Access access, std::int64_t offset, int code) {
  throw core::Error(core::ErrorKind::system,
                    fmt::format("{} at byte {}: {}", access == Access::write ? "write" : "read", offset,
                                std::strerror(code)),
                    code);
}

std::span<std::byte> part_of(std::span<std::byte> bytes, std::int64_t begin, std::int64_t end) {
  return bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

}  // namespace

StorageRing::StorageRing(const Settings& settings) : settings_(settings), blocks_(settings.depth) {
  const Refusal refusal = open_ring(settings.depth, ring_);
  if (refusal.unsupported) throw core::Unsupported(core::ErrorKind::system, refusal.why, refusal.code);
  if (refusal.code != 0) throw core::Error(core::ErrorKind::system, refusal.why, refusal.code);
}

StorageRing::~StorageRing() { io_uring_queue_exit(&ring_); }

void StorageRing::write(const StorageFile& file, std::span<const std::byte> bytes, const BlockSeen& seen) {
  // One loop serves both ways; a write only reads the memory.
  run({file, Access::write, {const_cast<std::byte*>(bytes.data()), bytes.size()}, seen});
}

void StorageRing::read(const StorageFile& file, std::span<std::byte> bytes, const BlockSeen& seen) {
  run({file, Access::read, bytes, seen});
}

void StorageRing::run(const Transfer& transfer) {
  free_slots_.clear();
  for (std::size_t slot = blocks_.size(); slot > 0; --slot) free_slots_.push_back(slot - 1);
  const auto all = static_cast<std::int64_t>(transfer.bytes.size());
  try {
    for (std::int64_t next = 0; next < all || under_way_ > 0;) {
      for (; next < all && !free_slots_.empty(); next += settings_.block_bytes) {
        const std::size_t slot = free_slots_.back();
        free_slots_.pop_back();
        start(transfer, slot, next);
      }
      finish_one(transfer);
    }
  } catch (...) {
    drain();
    throw;
  }
}

void StorageRing::start(const Transfer& transfer, std::size_t slot, std::int64_t begin) {
  const std::int64_t end =
      std::min(begin + settings_.block_bytes, static_cast<std::int64_t>(transfer.bytes.size()));
  blocks_[slot] = {begin, begin, end};
  if (transfer.access == Access::write) announce(transfer, blocks_[slot]);
  submit(transfer, slot);
}

void StorageRing::announce(const Transfer& transfer, const Block& block) const {
  if (transfer.seen)
    transfer.seen(static_cast<std::size_t>(block.begin / settings_.block_bytes),
                  part_of(transfer.bytes, block.begin, block.end));
}

void StorageRing::submit(const Transfer& transfer, std::size_t slot) {
  const Block& block = blocks_[slot];
  const std::span<std::byte> rest = part_of(transfer.bytes, block.offset, block.end);
  const auto length = static_cast<unsigned>(rest.size());
  const auto offset = static_cast<std::uint64_t>(block.offset);
  io_uring_sqe* const entry = io_uring_get_sqe(&ring_);  // never null: as many entries as slots
  if (transfer.access == Access::write)
    io_uring_prep_write(entry, transfer.file.descriptor(), rest.data(), length, offset);
  else
    io_uring_prep_read(entry, transfer.file.descriptor(), rest.data(), length, offset);
  io_uring_sqe_set_data64(entry, slot);
  if (const int code = io_uring_submit(&ring_); code < 0) fail_transfer(transfer.access, block.offset, -code);
  ++under_way_;
}

void StorageRing::finish_one(const Transfer& transfer) {
  io_uring_cqe* completion = nullptr;
  const int code = -io_uring_wait_cqe(&ring_, &completion);
  if (code == EINTR) return;  // the next turn waits again
  if (code != 0) fail_transfer(transfer.access, 0, code);
  const auto slot = static_cast<std::size_t>(io_uring_cqe_get_data64(completion));
  const int moved = completion->res;
  io_uring_cqe_seen(&ring_, completion);
  --under_way_;
  Block& block = blocks_[slot];
  if (moved < 0) fail_transfer(transfer.access, block.offset, -moved);
  if (moved == 0)
    throw core::Error(core::ErrorKind::system, fmt::format("the file ends at byte {}, expected {}",
                                                           block.offset, transfer.bytes.size()));
  block.offset += moved;
  if (block.offset < block.end) return submit(transfer, slot);
  if (transfer.access == Access::read) announce(transfer, block);
  free_slots_.push_back(slot);
}

void StorageRing::drain() noexcept {
  for (; under_way_ > 0; --under_way_) {
    io_uring_cqe* completion = nullptr;
    while (io_uring_wait_cqe(&ring_, &completion) == -EINTR) {
    }
    if (completion != nullptr) io_uring_cqe_seen(&ring_, completion);
  }
}

std::optional<std::string> why_no_io_uring() {
  io_uring ring{};
  const Refusal refusal = open_ring(1, ring);
  if (refusal.code != 0) return refusal.why;
  io_uring_queue_exit(&ring);
  return std::nullopt;
}

std::string io_uring_refusal(int code, unsigned depth, std::int64_t wanted_bytes, std::int64_t limit_bytes) {
  const std::string words = fmt::format("io_uring of depth {}: {}", depth, std::strerror(code));
  if (code == ENOSYS || code == EPERM)
    return words + " (the kernel setting io_uring_disabled, or a container's seccomp profile)";
  if (code == ENOMEM && wanted_bytes > 0)
    return fmt::format(
        "{} ({} bytes of locked memory for each shard, and the limit of all is {}: raise it "
        "with ulimit -l, in a container with --ulimit memlock=-1, or take less --axis depth)",
        words, wanted_bytes, limit_bytes);
  return words;
}

}  // namespace assay::offload
