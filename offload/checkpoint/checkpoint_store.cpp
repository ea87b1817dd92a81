// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::offload {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "checkpoint-", manifest_ending = ".manifest";

/// The generation of a file of this store: 12 of "checkpoint-12-0.shard". None for files of others.
std::optional<std::int64_t> generation_of(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(prefix)) return std::nullopt;
  std::int64_t generation = 0;
  const char* begin = name.data() + prefix.size();
  const auto [end, error] = std::from_chars(begin, name.data() + name.size(), generation);
  if (error != std::errc() || generation < 1) return std::nullopt;
  const std::string_view rest(end, name.data() + name.size());
  const bool ours = rest == manifest_ending || rest == ".manifest.new" ||
                    (rest.starts_with("-") && rest.ends_with(".shard"));
  return ours ? std::optional(generation) : std::nullopt;
}

}  // namespace

CheckpointStore::CheckpointStore(fs::path folder, const ShardSettings& settings, std::int64_t bytes)
    : folder_(std::move(folder)), settings_(settings), bytes_(bytes), io_(settings) {
  static_cast<void>(cut_into_shards(settings, bytes));  // refuses what cannot be cut
  check_space(folder_, 0);
  remove_all_but(generations());
}

Saved CheckpointStore::save(std::span<const std::byte> state) {
  const std::vector<std::int64_t> before = generations();
  const std::int64_t generation = before.empty() ? 1 : before.back() + 1;
  Manifest manifest{.generation = generation,
                    .bytes = bytes_,
                    .block_bytes = settings_.ring.block_bytes,
                    .checksums = settings_.checksums,
                    .shards = cut_into_shards(settings_, bytes_)};
  for (std::size_t shard = 0; shard < manifest.shards.size(); ++shard)
    manifest.shards[shard].path = shard_of(generation, shard);
  Saved saved{.generation = generation};
  try {
    check_space(folder_, bytes_);
    saved.shards = io_.write(manifest.shards, state);
    const double written_s = core::steady_seconds();
    commit(manifest, manifest_of(generation));
    saved.commit_s = core::steady_seconds() - written_s;
  } catch (const core::Error&) {
    remove_all_but(before);
    throw;
  }
  std::vector<std::int64_t> kept = before;
  kept.push_back(generation);
  if (std::ssize(kept) > kept_generations) kept.erase(kept.begin(), kept.end() - kept_generations);
  remove_all_but(kept);
  return saved;
}

Restored CheckpointStore::restore(std::span<std::byte> state) {
  std::vector<std::int64_t> newest_first = generations();
  std::ranges::reverse(newest_first);
  Restored restored;
  for (const std::int64_t generation : newest_first) {
    try {
      read_generation(generation, state);
      restored.generation = generation;
      return restored;
    } catch (const core::Error& error) {
      if (error.kind() == core::ErrorKind::usage) throw;
      restored.damages.emplace_back(error.what());
    }
  }
  throw core::Error(core::ErrorKind::system,
                    newest_first.empty() ? fmt::format("{} holds no checkpoint", folder_.string())
                                         : fmt::format("{} holds no checkpoint that is whole: {}",
                                                       folder_.string(), fmt::join(restored.damages, "; ")));
}

void CheckpointStore::read_generation(std::int64_t generation, std::span<std::byte> state) {
  Manifest manifest = read_manifest(manifest_of(generation));
  if (manifest.bytes != bytes_)
    core::usage_error(fmt::format("{} is of {} bytes, expected {}", manifest_of(generation).string(),
                                  manifest.bytes, bytes_));
  ShardSettings as_saved = settings_;
  as_saved.shards = static_cast<int>(manifest.shards.size());
  as_saved.checksums = manifest.checksums;
  as_saved.ring.block_bytes = manifest.block_bytes;
  for (Shard& shard : manifest.shards) shard.path = folder_ / shard.path;
  ShardIo(as_saved).read(manifest.shards, state);
}

std::vector<std::int64_t> CheckpointStore::generations() const {
  std::vector<std::int64_t> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
    if (const auto generation = generation_of(entry.path());
        generation && entry.path().extension() == manifest_ending)
      found.push_back(*generation);
  std::ranges::sort(found);
  return found;
}

void CheckpointStore::remove_all_but(const std::vector<std::int64_t>& kept) const {
  std::vector<fs::path> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const auto generation = generation_of(entry.path());
    const bool leftover = entry.path().extension() == ".new";
    if (generation && (leftover || std::ranges::find(kept, *generation) == kept.end()))
      old.push_back(entry.path());
  }
  // A manifest goes before its shards: what is left of an interrupted removal is not a checkpoint either.
  std::ranges::stable_partition(old,
                                [](const fs::path& path) { return path.extension() == manifest_ending; });
  for (const fs::path& path : old) {
    std::error_code already_gone;
    fs::remove(path, already_gone);
  }
}

fs::path CheckpointStore::manifest_of(std::int64_t generation) const {
  return folder_ / fmt::format("{}{}{}", prefix, generation, manifest_ending);
}

fs::path CheckpointStore::shard_of(std::int64_t generation, std::size_t shard) const {
  return folder_ / fmt::format("{}{}-{}.shard", prefix, generation, shard);
}

}  // namespace assay::offload
