// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_trials.hpp"

#include <algorithm>
#include <cstring>

#include "offload/arena_of.hpp"
#include "harness/core/seconds_since.hpp"
#include "offload/incompressible.hpp"

namespace assay::offload {
namespace {

const ShardTimes& slowest(const std::vector<ShardTimes>& shards) {
  return *std::ranges::max_element(shards, {},
                                   [](const ShardTimes& shard) { return shard.transfer_s + shard.sync_s; });
}

}  // namespace

CheckpointTrial::CheckpointTrial(const CheckpointSettings& settings, std::int64_t bytes)
    : settings_(settings), state_(arena_of(bytes)), restored_(arena_of(bytes)), checkpoint_(settings, bytes) {
  fill_incompressibly(state_.as<std::uint64_t>());
}

core::Timing CheckpointTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    const double began_s = core::steady_seconds();
    const std::vector<ShardTimes> shards = run_once();
    timing.each_s.push_back(core::steady_seconds() - began_s);
    timing.seconds += timing.each_s.back();
    times_.push_back(slowest(shards));
  }
  return timing;
}

core::Verification CheckpointTrial::compare_restored() {
  using Result = core::Verification::Result;
  const auto first = std::ranges::mismatch(state(), restored()).in1;
  if (first == state().end()) return {Result::right, "every byte read back, bit for bit"};
  return {Result::wrong, "byte " + std::to_string(first - state().begin()) + " is not what was saved"};
}

std::vector<core::Fact> CheckpointTrial::facts() {
  const bool direct = !times_.empty() && times_.back().direct;
  return {{"engine", "io_uring"},
          {"page_cache", page_cache_use(settings_.shards.direct, direct)},
          {"checksum", settings_.shards.checksums ? "XXH3, 64 bits" : "none"},
          {"folder", std::filesystem::absolute(settings_.folder).string()}};
}

core::Verification SaveTrial::check() {
  checkpoint().read(restored());
  return compare_restored();
}

std::vector<core::Metric> SaveTrial::metrics(const core::Measurement&) {
  double all_s = 0, sync_s = 0;
  for (const ShardTimes& shard : times()) {
    all_s += shard.transfer_s + shard.sync_s;
    sync_s += shard.sync_s;
  }
  if (all_s <= 0) return {};
  return {{"sync_share", "", sync_s / all_s}};
}

RestoreTrial::RestoreTrial(const CheckpointSettings& settings, std::int64_t bytes)
    : CheckpointTrial(settings, bytes) {
  checkpoint().write(state());
}

core::Verification RestoreTrial::check() { return compare_restored(); }

}  // namespace assay::offload
