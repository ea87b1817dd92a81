// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/storage/storage_declarations.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/core/measure/within.hpp"
#include "harness/core/units.hpp"
#include "offload/storage/storage_file.hpp"

namespace assay::offload {
namespace {

using core::Domain;
using core::Value;

SyncPolicy sync_policy(const std::string& word) {
  if (word == "each") return SyncPolicy::each;
  return word == "end" ? SyncPolicy::end : SyncPolicy::none;
}

/// Throws a usage Error where files cannot be cut into whole blocks.
void require_whole_blocks(const StorageSettings& settings) {
  constexpr std::int64_t most_blocks = std::int64_t{1} << 32;
  if (settings.block_bytes % direct_alignment != 0)
    core::usage_error(
        fmt::format("block={}: expected a multiple of {} bytes", settings.block_bytes, direct_alignment));
  const std::int64_t step = settings.jobs * settings.block_bytes;
  if (settings.bytes % step != 0 || settings.bytes == 0)
    core::usage_error(fmt::format("bytes={}: expected a multiple of {}, a block of each of the {} jobs",
                                  settings.bytes, step, settings.jobs));
  if (settings.file_bytes() / settings.block_bytes > most_blocks)
    core::usage_error(fmt::format("bytes={}: expected at most {} blocks of {} in a job's file",
                                  settings.bytes, most_blocks, settings.block_bytes));
}

}  // namespace

std::vector<core::Axis> storage_axes() {
  return {
      {"order",
       "of blocks; random: each once in a pass",
       Domain::words,
       {Value("sequential"), Value("random")},
       {"sequential", "random"}},
      {"bytes", "of all files together, laid out before", Domain::sizes, {256 * core::mib}},
      {"block", "bytes of one request", Domain::sizes, {std::int64_t{4096}, core::mib}},
      {"depth", "requests under way in a job", Domain::integers, {std::int64_t{1}, std::int64_t{32}}},
      {"jobs", "threads with a file each", Domain::integers, {std::int64_t{1}}},
      {"direct", "1: past the page cache (O_DIRECT); 0: through it", Domain::integers, {std::int64_t{1}}}};
}

StorageSettings storage_settings(const core::Point& point, const std::filesystem::path& folder, bool writes) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 50, most_block = 1 << 30, most_depth = 4096;
  using core::within;
  StorageSettings settings{.folder = folder,
                           .bytes = within(point, "bytes", direct_alignment, most_bytes),
                           .block_bytes = within(point, "block", direct_alignment, most_block),
                           .depth = static_cast<unsigned>(within(point, "depth", 1, most_depth)),
                           .jobs = static_cast<int>(within(point, "jobs", 1, 256)),
                           .random = point.text("order") == "random",
                           .direct = within(point, "direct", 0, 1) == 1,
                           .writes = writes,
                           .sync = writes ? sync_policy(point.text("sync")) : SyncPolicy::none};
  require_whole_blocks(settings);
  return settings;
}

core::Work DeclaredStorage::storage_work(const StorageSettings& settings) {
  return {.bytes = static_cast<double>(settings.jobs * settings.block_bytes),
          .bytes_counted = "a block of every job, once"};
}

std::vector<core::Axis> DeclaredStorageWrite::axes() {
  std::vector<core::Axis> axes = storage_axes();
  axes.push_back({"sync",
                  "end: fdatasync after each sample, counted; each: every request is synced (RWF_DSYNC)",
                  Domain::words,
                  {Value("end")},
                  {"end", "each", "none"}});
  return axes;
}

std::vector<core::Case> storage_declarations_cases(const Surroundings& around) {
  return {core::declared_case<OnStorage<DeclaredStorageRead>>(around),
          core::declared_case<OnStorage<DeclaredStorageWrite>>(around)};
}

}  // namespace assay::offload
