// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pages of a store's file that this process has read and found to match their checksums, over all of its
// connections: whoever verifies the whole file need not read them again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace assay::results {

class MatchedPages {
 public:
  /// Those of the file at this path, while any connection to it is open. Without a path, or where it cannot
  /// be looked at, of one connection.
  static std::shared_ptr<MatchedPages> of_file(const char* path);

  void add(std::int64_t page);
  void remove(std::int64_t page);
  bool has(std::int64_t page) const;

 private:
  mutable std::mutex mutex_;
  std::vector<bool> pages_;
};

}  // namespace assay::results
