// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_cases.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/host/pinned_threads.hpp"
#include "offload/checkpoint/checkpoint_trials.hpp"
#include "offload/checkpoint/gemm_steps.hpp"
#include "offload/checkpoint/two_stage_trial.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Domain;
using core::Value;

constexpr std::int64_t most_gemm_n = 1 << 15;

std::vector<core::Axis> axes() {
  return {
      {"bytes", "of the whole checkpoint, all shards together", Domain::sizes, {256 * core::mib}},
      {"shards", "files written or read at once, by a thread each", Domain::integers, {std::int64_t{1}}},
      {"block", "bytes of one request to the storage", Domain::sizes, {core::mib}},
      {"depth", "requests under way in a shard", Domain::integers, {std::int64_t{8}}},
      {"direct", "1: past the page cache, where the file system can", Domain::integers, {std::int64_t{1}}},
      {"checksum",
       "of what is saved, checked when it is restored",
       Domain::words,
       {Value("xxh3")},
       {"xxh3", "none"}}};
}

CheckpointSettings settings_of(const RoomSettings& room, const core::Point& point) {
  constexpr std::int64_t most_depth = 4096, most_block = 1 << 30;
  return {.folder = room.checkpoint_folder,
          .shards = {.shards = static_cast<int>(within(point, "shards", 1, 256)),
                     .direct = within(point, "direct", 0, 1) == 1,
                     .checksums = point.text("checksum") == "xxh3",
                     .ring = {.block_bytes = within(point, "block", direct_alignment, most_block),
                              .depth = static_cast<unsigned>(within(point, "depth", 1, most_depth))}}};
}

core::Work work_of(const core::Point& point) {
  return {.bytes = static_cast<double>(point.integer("bytes")), .bytes_counted = "the checkpoint, once"};
}

template <class Trial>
core::Case checkpoint_case(const RoomSettings& room, const char* name, const char* measures) {
  return {.name = name,
          .measures = measures,
          .headline = core::Headline::bandwidth_gb_per_s,
          .axes = axes(),
          .work = work_of,
          .unsupported = [](const core::Point&) { return why_no_io_uring(); },
          .prepare = [&room](const core::Point& point) -> std::unique_ptr<core::Trial> {
            return std::make_unique<Trial>(settings_of(room, point), point.integer("bytes"));
          }};
}

std::vector<core::Axis> two_stage_axes() {
  std::vector<core::Axis> all = axes();
  all.push_back({"snapshot",
                 "whether compute pauses while the state is copied",
                 Domain::words,
                 {Value("blocking"), Value("concurrent")},
                 {"blocking", "concurrent"}});
  all.push_back({"gemm_n",
                 "compute: fp32 products of n x n matrices on one core",
                 Domain::integers,
                 {std::int64_t{512}}});
  return all;
}

std::optional<std::string> why_not_in_two_stages(const core::Point& point) {
  if (auto reason = why_no_io_uring()) return reason;
  return why_no_gemm_steps(within(point, "gemm_n", 1, most_gemm_n));
}

std::unique_ptr<core::Trial> prepare_two_stages(const RoomSettings& room, const core::Point& point) {
  const CheckpointSettings settings = settings_of(room, point);
  const std::int64_t n = within(point, "gemm_n", 1, most_gemm_n);
  return std::make_unique<TwoStageTrial>(TwoStageTrial::Setup{
      .folder = settings.folder,
      .shards = settings.shards,
      .bytes = point.integer("bytes"),
      .snapshot = point.text("snapshot") == "blocking" ? Snapshot::blocking : Snapshot::concurrent,
      .make_step = gemm_steps(n, host::choose_cpus(1, -1).front()),
      .compute = fmt::format("{}, fp32, n={}, one thread", gemm_steps_library(), n)});
}

core::Case two_stage_case(const RoomSettings& room) {
  return {.name = "offload.host.checkpoint",
          .measures = "a checkpoint in two stages beside compute: snapshot, then saved and committed",
          .headline = core::Headline::bandwidth_gb_per_s,
          .axes = two_stage_axes(),
          .work = work_of,
          .unsupported = why_not_in_two_stages,
          .prepare = [&room](const core::Point& point) { return prepare_two_stages(room, point); }};
}

}  // namespace

std::vector<core::Case> checkpoint_cases(const RoomSettings& settings) {
  return {checkpoint_case<SaveTrial>(settings, "offload.host.save",
                                     "a checkpoint written from host memory, until it is synced"),
          checkpoint_case<RestoreTrial>(settings, "offload.host.restore",
                                        "a checkpoint read back to host memory and checked"),
          two_stage_case(settings)};
}

}  // namespace assay::offload
