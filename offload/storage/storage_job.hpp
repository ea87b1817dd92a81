// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One job of a storage case: a thread's file, laid out in full, and the requests that are timed on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/host/arena.hpp"
#include "offload/storage/access_order.hpp"
#include "offload/storage/block_pattern.hpp"
#include "offload/storage/latency_counts.hpp"
#include "offload/storage/request_ring.hpp"
#include "offload/storage/storage_declarations.hpp"
#include "offload/storage/storage_file.hpp"

namespace assay::offload {

/// Throws core::Unsupported, naming the folder and what to do, where `file` was to be direct and is not.
void require_direct(const StorageFile& file, const std::filesystem::path& folder, bool asked_direct);

class StorageJob {
 public:
  /// Lays the file out and syncs it. `number` distinguishes jobs. Throws core::Error (system); Unsupported
  /// where the file system has no O_DIRECT; Interrupted when asked to stop.
  StorageJob(const StorageSettings& settings, int number);

  static std::int64_t memory_bytes(const StorageSettings& settings);

  /// Moments of a run on core::steady_seconds().
  struct Times {
    double began_s = 0, ended_s = 0;
  };
  /// `requests` more, in order, and what the sync policy asks after them. The queue empties at the end of a
  /// pass, as fio's does. Throws core::Error (system).
  Times run(std::int64_t requests);

  /// Empties the page cache of the file where reads go through it.
  void forget_cached();

  const LatencyCounts& latencies() const { return latencies_; }
  void forget_latencies() { latencies_.clear(); }

  /// Reads all of the file. The first block that is not as it was written, then or while reads were timed.
  std::optional<std::string> first_wrong();

  const StorageFile& file() const { return file_; }

 private:
  /// Reads or writes the whole file once, in order, in blocks larger than those that are timed.
  void whole_file(bool writes,
                  const std::function<void(std::span<std::byte> bytes, std::int64_t offset)>& seen);
  /// At most as many as are left in the pass.
  void run_in_pass(std::int64_t requests);
  std::span<std::byte> take_buffer();

  StorageSettings settings_;
  int number_;
  StorageFile file_;
  host::Arena filler_, read_;
  BlockPattern pattern_;
  AccessOrder order_;
  RequestRing ring_;
  LatencyCounts latencies_ = {};
  std::vector<std::span<std::byte>> buffers_ = {};  // that no request uses, from first_buffer_ on, round
  std::size_t first_buffer_ = 0, free_buffers_ = 0;
  std::optional<std::int64_t> misplaced_ = {};
};

}  // namespace assay::offload
