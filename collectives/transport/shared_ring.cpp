// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/shared_ring.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <ctime>

namespace assay::collectives {

std::size_t SharedRing::put(std::span<const std::byte> bytes) {
  const std::uint64_t written = written_.load(std::memory_order_relaxed);
  const std::size_t room = capacity - (written - read_.load(std::memory_order_acquire));
  const std::size_t count = std::min(room, bytes.size());
  const std::size_t at = written % capacity, before_end = std::min(count, capacity - at);
  if (count == 0) return 0;
  std::memcpy(bytes_.data() + at, bytes.data(), before_end);
  std::memcpy(bytes_.data(), bytes.data() + before_end, count - before_end);
  written_.store(written + count, std::memory_order_release);
  return count;
}

std::size_t SharedRing::take(std::span<std::byte> into) {
  const std::uint64_t read = read_.load(std::memory_order_relaxed);
  const std::size_t there = written_.load(std::memory_order_acquire) - read;
  const std::size_t count = std::min(there, into.size());
  const std::size_t at = read % capacity, before_end = std::min(count, capacity - at);
  if (count == 0) return 0;
  std::memcpy(into.data(), bytes_.data() + at, before_end);
  std::memcpy(into.data() + before_end, bytes_.data(), count - before_end);
  read_.store(read + count, std::memory_order_release);
  return count;
}

void SharedBell::ring() {
  rung_.fetch_add(1);
  if (listens_.load() != 0) syscall(SYS_futex, &rung_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::uint32_t SharedBell::listen() {
  listens_.store(1);
  return rung_.load();
}

void SharedBell::sleep(std::uint32_t heard, double limit_s) {
  constexpr double ns_per_s = 1e9;
  const auto whole_s = static_cast<time_t>(limit_s);
  const timespec limit{whole_s, static_cast<long>((limit_s - static_cast<double>(whole_s)) * ns_per_s)};
  syscall(SYS_futex, &rung_, FUTEX_WAIT, heard, &limit, nullptr, 0);
}

}  // namespace assay::collectives
