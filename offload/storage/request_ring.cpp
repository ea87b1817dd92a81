// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/storage/request_ring.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/uio.h>

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
  // Completions are taken when this thread asks for them, without interrupting it: fio asks for it, too.
  int code = -io_uring_queue_init(depth, &ring, IORING_SETUP_COOP_TASKRUN);
  if (code == EINVAL) code = -io_uring_queue_init(depth, &ring, 0);  // before Linux 5.19
  if (code == 0) return {};
  const std::int64_t wanted = code == ENOMEM ? io_uring_mlock_size(depth, 0) : 0;
  return {code, code == ENOSYS || code == EPERM || wanted > 0,
          io_uring_refusal(code, depth, wanted, locked_memory_limit())};
}

[[noreturn]] void fail_transfer(bool writes, std::int64_t offset, int code) {
  throw core::Error(core::ErrorKind::system,
                    fmt::format("{} at byte {}: {}", writes ? "write" : "read", offset, std::strerror(code)),
                    code);
}

}  // namespace

RequestRing::RequestRing(unsigned depth) : slots_(depth) {
  const Refusal refusal = open_ring(depth, ring_);
  if (refusal.unsupported) throw core::Unsupported(core::ErrorKind::system, refusal.why, refusal.code);
  if (refusal.code != 0) throw core::Error(core::ErrorKind::system, refusal.why, refusal.code);
}

RequestRing::~RequestRing() { io_uring_queue_exit(&ring_); }

void RequestRing::run(const Stream& stream) {
  free_slots_.clear();
  prepared_.clear();
  for (std::size_t slot = slots_.size(); slot > 0; --slot) free_slots_.push_back(slot - 1);
  try {
    for (bool more = true; more || under_way_ > 0 || !prepared_.empty();) {
      more = more && fill_slots(stream);
      submit(stream);
      if (under_way_ > 0) take_completions(stream);
    }
  } catch (...) {
    drain();
    throw;
  }
}

bool RequestRing::fill_slots(const Stream& stream) {
  while (!free_slots_.empty()) {
    const std::optional<Request> request = stream.next();
    if (!request) return false;
    const std::size_t slot = free_slots_.back();
    free_slots_.pop_back();
    slots_[slot] = {.request = *request};
    prepare(stream, slot);
  }
  return true;
}

void RequestRing::prepare(const Stream& stream, std::size_t slot) {
  const auto& [request, moved, issued] = slots_[slot];
  const std::span<std::byte> rest = request.bytes.subspan(moved);
  const auto length = static_cast<unsigned>(rest.size());
  const auto offset = static_cast<std::uint64_t>(request.offset) + moved;
  io_uring_sqe* const entry = io_uring_get_sqe(&ring_);  // never null: as many entries as slots
  if (stream.writes)
    io_uring_prep_write(entry, stream.file.descriptor(), rest.data(), length, offset);
  else
    io_uring_prep_read(entry, stream.file.descriptor(), rest.data(), length, offset);
  if (stream.each_synced) entry->rw_flags = RWF_DSYNC;
  io_uring_sqe_set_data64(entry, slot);
  prepared_.push_back(slot);
}

void RequestRing::submit(const Stream& stream) {
  std::size_t given = 0;
  while (given < prepared_.size()) {
    const int accepted = io_uring_submit(&ring_);
    if (accepted <= 0) fail_transfer(stream.writes, slots_[prepared_[given]].request.offset, -accepted);
    under_way_ += static_cast<std::size_t>(accepted);
    const Clock::time_point now = Clock::now();
    for (const std::size_t end = given + static_cast<std::size_t>(accepted); given < end; ++given)
      if (Slot& slot = slots_[prepared_[given]]; slot.moved == 0) slot.issued = now;
  }
  prepared_.clear();
}

void RequestRing::take_completions(const Stream& stream) {
  io_uring_cqe* completion = nullptr;
  const int code = -io_uring_wait_cqe(&ring_, &completion);
  if (code == EINTR) return;  // the next turn waits again
  if (code != 0) fail_transfer(stream.writes, 0, code);
  do {
    const auto slot = static_cast<std::size_t>(io_uring_cqe_get_data64(completion));
    const int moved = completion->res;
    io_uring_cqe_seen(&ring_, completion);
    --under_way_;
    take(stream, slot, moved);
  } while (under_way_ > 0 && io_uring_peek_cqe(&ring_, &completion) == 0);
}

void RequestRing::take(const Stream& stream, std::size_t index, int moved) {
  Slot& slot = slots_[index];
  const std::int64_t offset = slot.request.offset + static_cast<std::int64_t>(slot.moved);
  if (moved < 0) fail_transfer(stream.writes, offset, -moved);
  if (moved == 0)
    throw core::Error(core::ErrorKind::system,
                      fmt::format("the file ends at byte {}, expected {}", offset, stream.file_bytes));
  slot.moved += static_cast<std::size_t>(moved);
  if (slot.moved < slot.request.bytes.size()) return prepare(stream, index);
  stream.done(slot.request, std::chrono::duration<double>(Clock::now() - slot.issued).count());
  free_slots_.push_back(index);
}

void RequestRing::drain() noexcept {
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
