// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memory on a stated NUMA node with a stated page size; reports what it really got.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::host {

enum class Pages {
  base,         // the base page; transparent huge pages are refused for this arena
  transparent,  // madvise(MADV_HUGEPAGE)
};

class Arena {
 public:
  /// Zeroed memory that begins on a 2 MiB boundary, guarded by inaccessible pages on both sides; pages are
  /// placed when first touched. `node` -1: wherever the first touch falls. Throws core::Error(system) when it
  /// cannot be had, before anything is mapped where memory would not suffice.
  Arena(std::size_t bytes, int node, Pages pages);
  ~Arena();
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;

  std::size_t size() const { return bytes_; }
  std::byte* data() const { return data_; }
  template <class T>
  std::span<T> as() const {
    return {reinterpret_cast<T*>(data_), bytes_ / sizeof(T)};
  }

  /// Bytes of this arena that huge pages back, from /proc/self/smaps, after it was touched.
  std::int64_t huge_page_bytes() const;

 private:
  Arena() = default;
  void swap(Arena& other) noexcept;

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  void* mapping_ = nullptr;  // with the guards
  std::size_t mapped_ = 0;
};

}  // namespace assay::host
