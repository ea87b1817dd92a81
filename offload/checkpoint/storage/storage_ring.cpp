// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/storage/storage_ring.hpp"

#include <algorithm>
#include <optional>

namespace assay::offload {

void StorageRing::write(const StorageFile& file, std::span<const std::byte> bytes, const BlockSeen& seen) {
  // One loop serves both ways; a write only reads the memory.
  run(file, true, {const_cast<std::byte*>(bytes.data()), bytes.size()}, seen);
}

void StorageRing::read(const StorageFile& file, std::span<std::byte> bytes, const BlockSeen& seen) {
  run(file, false, bytes, seen);
}

void StorageRing::run(const StorageFile& file, bool writes, std::span<std::byte> bytes,
                      const BlockSeen& seen) {
  const auto block = static_cast<std::size_t>(settings_.block_bytes);
  const auto announce = [&](const RequestRing::Request& request) {
    if (seen) seen(static_cast<std::size_t>(request.offset) / block, request.bytes);
  };
  const auto next = [&, at = std::size_t{0}]() mutable -> std::optional<RequestRing::Request> {
    if (at >= bytes.size()) return std::nullopt;
    const RequestRing::Request request{static_cast<std::int64_t>(at),
                                       bytes.subspan(at, std::min(block, bytes.size() - at))};
    at += block;
    if (writes) announce(request);
    return request;
  };
  ring_.run({.file = file,
             .file_bytes = static_cast<std::int64_t>(bytes.size()),
             .writes = writes,
             .next = next,
             .done = [&](const RequestRing::Request& request, double) {
               if (!writes) announce(request);
             }});
}

}  // namespace assay::offload
