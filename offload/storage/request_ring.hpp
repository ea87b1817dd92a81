// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Requests to a file by io_uring, at most `depth` of them under way, each with the time until it completed.
#pragma once

#include <liburing.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "offload/storage/storage_file.hpp"

namespace assay::offload {

class RequestRing {
 public:
  /// Throws core::Error (system); Unsupported where this kernel or this container has no io_uring, or the
  /// limit on locked memory is too low for it.
  explicit RequestRing(unsigned depth);
  ~RequestRing();
  RequestRing(const RequestRing&) = delete;
  RequestRing& operator=(const RequestRing&) = delete;

  struct Request {
    std::int64_t offset = 0;  // in the file
    std::span<std::byte> bytes = {};
  };
  struct Stream {
    const StorageFile& file;
    std::int64_t file_bytes = 0;  // that it should have
    bool writes = false;
    bool each_synced = false;  // RWF_DSYNC: a write completes when its bytes are on the device
    std::function<std::optional<Request>()> next;  // called once for each request; nothing ends the stream
    /// Called for each whole request, in the order in which they complete. `seconds` pass from the kernel's
    /// acceptance of the request until its completion was taken: fio's "clat".
    std::function<void(const Request& request, double seconds)> done;
  };
  /// Returns when all have completed. A direct file needs memory, offsets and lengths that are multiples of
  /// direct_alignment. Throws core::Error (system): what failed at which offset, or that the file ends
  /// before. What was under way is then waited for.
  void run(const Stream& stream);

 private:
  using Clock = std::chrono::steady_clock;
  /// A request that is under way, or to be continued after a short transfer.
  struct Slot {
    Request request = {};
    std::size_t moved = 0;
    Clock::time_point issued = {};
  };
  /// Hands a request to every free slot; false once the stream has ended.
  bool fill_slots(const Stream& stream);
  void prepare(const Stream& stream, std::size_t slot);
  /// Gives the kernel all that is prepared, in one call.
  void submit(const Stream& stream);
  /// Waits for one completion and takes all that are there.
  void take_completions(const Stream& stream);
  /// A slot is free again where its request is whole; else the rest of it is prepared.
  void take(const Stream& stream, std::size_t slot, int moved);
  void drain() noexcept;

  io_uring ring_{};
  std::vector<Slot> slots_;
  std::vector<std::size_t> free_slots_ = {}, prepared_ = {};
  std::size_t under_way_ = 0;
};

/// Why io_uring cannot be had here, in the kernel's words; nothing where it can.
std::optional<std::string> why_no_io_uring();

/// Explains the kernel's refusal (an errno) of a ring of `depth`. `wanted_bytes` of locked memory are asked
/// of the limit (RLIMIT_MEMLOCK); 0 where this kernel does not count them.
std::string io_uring_refusal(int code, unsigned depth, std::int64_t wanted_bytes, std::int64_t limit_bytes);

}  // namespace assay::offload
