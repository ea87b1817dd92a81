// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_declarations.hpp"

#include <utility>

#include "harness/core/units.hpp"

namespace assay::offload {
namespace {

using core::Domain;
using core::Value;

core::Case declared(const char* name, const char* measures, std::vector<core::Axis> axes) {
  core::Case made;
  made.name = name;
  made.measures = measures;
  made.headline = core::Headline::bandwidth_gb_per_s;
  made.axes = std::move(axes);
  made.work = checkpoint_work;
  return made;
}

}  // namespace

std::vector<core::Axis> checkpoint_axes() {
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

core::Axis snapshot_axis() {
  return {"snapshot",
          "whether compute pauses while the state is copied",
          Domain::words,
          {Value("blocking"), Value("concurrent")},
          {"blocking", "concurrent"}};
}

core::Work checkpoint_work(const core::Point& point) {
  return {.bytes = static_cast<double>(point.integer("bytes")), .bytes_counted = "the checkpoint, once"};
}

core::Case declared_save() {
  return declared("offload.host.save", "a checkpoint written from host memory, until it is synced",
                  checkpoint_axes());
}

core::Case declared_restore() {
  return declared("offload.host.restore", "a checkpoint read back to host memory and checked",
                  checkpoint_axes());
}

core::Case declared_two_stages() {
  std::vector<core::Axis> axes = checkpoint_axes();
  axes.push_back(snapshot_axis());
  axes.push_back({"gemm_n",
                  "compute: fp32 products of n x n matrices on one core",
                  Domain::integers,
                  {std::int64_t{512}}});
  return declared("offload.host.checkpoint",
                  "a checkpoint in two stages beside compute: snapshot, then saved and committed",
                  std::move(axes));
}

}  // namespace assay::offload
