// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/stop_request.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <ctime>
#include <limits>

#include "harness/core/error.hpp"

namespace assay::core {
namespace {

constexpr std::int64_t nobody_asked = std::numeric_limits<std::int64_t>::max();

std::atomic<std::int64_t> deadline_ns{nobody_asked};
static_assert(std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

/// POSIX lets a signal handler call clock_gettime; of std::chrono nothing is said.
std::int64_t now_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

[[noreturn]] void end_wait(const char* what) {
  throw Interrupted(ErrorKind::system, fmt::format("asked to stop while it waited for {}", what));
}

}  // namespace

void request_stop(double grace_s) noexcept {
  std::int64_t before = nobody_asked;
  deadline_ns.compare_exchange_strong(before, now_ns() + static_cast<std::int64_t>(grace_s * 1e9));
}

void withdraw_stop_request() noexcept { deadline_ns = nobody_asked; }

bool is_stop_overdue() noexcept {
  const std::int64_t deadline = deadline_ns.load(std::memory_order_relaxed);
  return deadline != nobody_asked && now_ns() >= deadline;
}

bool is_stop_requested() noexcept { return deadline_ns.load(std::memory_order_relaxed) != nobody_asked; }

void end_wait_if_stopped(const char* what) {
  if (is_stop_overdue()) end_wait(what);
}

void end_wait_at_stop_request(const char* what) {
  if (is_stop_requested()) end_wait(what);
}

}  // namespace assay::core
