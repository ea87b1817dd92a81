// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/storage/storage_job.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/process/stop_request.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/units.hpp"

namespace assay::offload {
namespace {

constexpr std::int64_t whole_file_block = core::mib;
constexpr unsigned whole_file_depth = 8;

/// Blocks are written from so much memory in turn, so that a drive which compresses finds nothing alike.
constexpr std::int64_t least_filler = 16 * core::mib;

std::int64_t queue_bytes(const StorageSettings& settings) {
  return static_cast<std::int64_t>(settings.depth) * settings.block_bytes;
}

std::int64_t filler_bytes(const StorageSettings& settings) {
  return std::max(least_filler, queue_bytes(settings));
}

std::int64_t read_bytes(const StorageSettings& settings) {
  return std::max<std::int64_t>(whole_file_depth * whole_file_block, queue_bytes(settings));
}

/// As most programs have it: a request to or from huge pages has fewer segments, and can be twice as fast.
host::Arena base_pages(std::int64_t bytes) {
  return {static_cast<std::size_t>(bytes), -1, host::Pages::base};
}

std::filesystem::path path_of(const StorageSettings& settings, int number) {
  return settings.folder / fmt::format("assay-storage-{}-{}", getpid(), number);
}

std::vector<std::span<std::byte>> cut(const host::Arena& memory, std::int64_t block_bytes) {
  const auto block = static_cast<std::size_t>(block_bytes);
  std::vector<std::span<std::byte>> buffers;
  for (std::size_t at = 0; at + block <= memory.size(); at += block)
    buffers.push_back(memory.as<std::byte>().subspan(at, block));
  return buffers;
}

}  // namespace

void require_direct(const StorageFile& file, const std::filesystem::path& folder, bool asked_direct) {
  if (!asked_direct || file.is_direct()) return;
  throw core::Unsupported(core::ErrorKind::system,
                          fmt::format("the file system of {} has no O_DIRECT: give another folder with "
                                      "--checkpoint-dir, or measure with --axis direct=0",
                                      folder.string()));
}

std::int64_t StorageJob::memory_bytes(const StorageSettings& settings) {
  const std::int64_t blocks = settings.file_bytes() / settings.block_bytes;
  return filler_bytes(settings) + read_bytes(settings) + 2 * blocks * std::int64_t{sizeof(std::uint32_t)};
}

StorageJob::StorageJob(const StorageSettings& settings, int number)
    : settings_(settings),
      number_(number),
      file_(path_of(settings, number), Access::update, settings.direct),
      filler_(base_pages(filler_bytes(settings))),
      read_(base_pages(read_bytes(settings))),
      pattern_(filler_.as<std::byte>(), static_cast<std::uint64_t>(number), settings.file_bytes(),
               settings.block_bytes),
      order_(static_cast<std::size_t>(settings.file_bytes() / settings.block_bytes), settings.random,
             static_cast<std::uint64_t>(number) << 32U),
      ring_(settings.depth) {
  require_direct(file_, settings.folder, settings.direct);
  std::ranges::fill(read_.as<std::byte>(), std::byte{0});
  file_.reserve(settings.file_bytes());
  whole_file(true,
             [this](std::span<std::byte> bytes, std::int64_t offset) { pattern_.stamp(bytes, offset); });
  file_.sync();
  buffers_ = cut(settings.writes ? filler_ : read_, settings.block_bytes);
  free_buffers_ = buffers_.size();
}

void StorageJob::whole_file(
    bool writes, const std::function<void(std::span<std::byte> bytes, std::int64_t offset)>& seen) {
  RequestRing ring(whole_file_depth);
  std::vector<std::span<std::byte>> buffers = cut(writes ? filler_ : read_, whole_file_block);
  const std::int64_t all = settings_.file_bytes();
  std::int64_t at = 0;
  ring.run({.file = file_,
            .file_bytes = all,
            .writes = writes,
            .next = [&]() -> std::optional<RequestRing::Request> {
              core::end_wait_at_stop_request("the files of storage");
              if (at == all) return std::nullopt;
              const std::int64_t size = std::min(whole_file_block, all - at);
              const RequestRing::Request request{at, buffers.back().first(static_cast<std::size_t>(size))};
              buffers.pop_back();
              if (writes) seen(request.bytes, at);
              at += size;
              return request;
            },
            .done =
                [&](const RequestRing::Request& request, double) {
                  if (!writes) seen(request.bytes, request.offset);
                  buffers.insert(buffers.begin(), {request.bytes.data(), whole_file_block});
                }});
}

StorageJob::Times StorageJob::run(std::int64_t requests) {
  Times times{.began_s = core::steady_seconds()};
  while (requests > 0) {
    const auto now = std::min(requests, static_cast<std::int64_t>(order_.left_in_pass()));
    run_in_pass(now);
    requests -= now;
    if (requests > 0) forget_cached();
  }
  if (settings_.sync == SyncPolicy::end) file_.sync();
  times.ended_s = core::steady_seconds();
  return times;
}

void StorageJob::run_in_pass(std::int64_t requests) {
  ring_.run({.file = file_,
             .file_bytes = settings_.file_bytes(),
             .writes = settings_.writes,
             .each_synced = settings_.sync == SyncPolicy::each,
             .next = [&]() -> std::optional<RequestRing::Request> {
               if (requests-- == 0) return std::nullopt;
               const std::int64_t offset = static_cast<std::int64_t>(order_.next()) * settings_.block_bytes;
               const std::span<std::byte> bytes = take_buffer();
               if (settings_.writes) {
                 pattern_.renew(offset);
                 pattern_.stamp(bytes, offset);
               }
               return RequestRing::Request{offset, bytes};
             },
             .done =
                 [&](const RequestRing::Request& request, double seconds) {
                   latencies_.add(seconds);
                   if (!settings_.writes && !misplaced_)
                     misplaced_ = pattern_.first_misplaced(request.bytes, request.offset);
                   buffers_[(first_buffer_ + free_buffers_++) % buffers_.size()] = request.bytes;
                 }});
}

std::span<std::byte> StorageJob::take_buffer() {
  const std::span<std::byte> bytes = buffers_[first_buffer_];
  first_buffer_ = (first_buffer_ + 1) % buffers_.size();
  --free_buffers_;
  return bytes;
}

void StorageJob::forget_cached() {
  if (!settings_.direct && !settings_.writes) file_.forget_cached();
}

std::optional<std::string> StorageJob::first_wrong() {
  if (misplaced_)
    return fmt::format("file {}, byte {}: read while timed, was not what lies there", number_, *misplaced_);
  if (!settings_.direct) file_.forget_cached();
  std::optional<std::int64_t> wrong;
  whole_file(false, [&](std::span<std::byte> bytes, std::int64_t offset) {
    if (!wrong) wrong = pattern_.first_wrong(bytes, offset);
  });
  if (!wrong) return std::nullopt;
  return fmt::format("file {}: the {} bytes at byte {} are not what was written", number_, direct_alignment,
                     *wrong);
}

}  // namespace assay::offload
