// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memory that two processes share: a ring of bytes each way, with one writer and one reader, and for each a
// bell that wakes it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::collectives {

inline constexpr std::size_t cache_line = 64;  // bytes: what one side writes is on lines of its own

class SharedRing {
 public:
  static constexpr std::size_t capacity = std::size_t{256} << 10;  // bytes: both sides' copies stay in caches

  /// Writes as many of the bytes as fit now and returns how many; one writer calls it.
  std::size_t put(std::span<const std::byte> bytes);
  /// Reads as many of the bytes as are there now and returns how many; one reader calls it.
  std::size_t take(std::span<std::byte> into);

 private:
  using Count = std::atomic<std::uint64_t>;
  static_assert(Count::is_always_lock_free);  // others work on one process's memory only

  alignas(cache_line) Count written_{0};
  alignas(cache_line) Count read_{0};
  alignas(cache_line) std::array<std::byte, capacity> bytes_;  // not written: its pages are zero
};

class SharedBell {
 public:
  void ring();
  /// Begins to listen; one listener calls it. Between listen() and silence() a ring() ends the sleep() that
  /// was given what listen() returned: a listener that looks for work in between misses nothing.
  std::uint32_t listen();
  void sleep(std::uint32_t heard, double limit_s);
  void silence() { listens_.store(0); }

 private:
  using Word = std::atomic<std::uint32_t>;
  static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(std::uint32_t));  // as futex() asks

  alignas(cache_line) Word rung_{0};
  Word listens_{0};
};

}  // namespace assay::collectives
