// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_declarations.hpp"

#include "harness/core/units.hpp"

namespace assay::offload {
namespace {

using core::Domain;
using core::Value;

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

core::Work checkpoint_work(std::int64_t bytes) {
  return {.bytes = static_cast<double>(bytes), .bytes_counted = "the checkpoint, once"};
}

std::vector<core::Axis> DeclaredTwoStages::axes() {
  std::vector<core::Axis> axes = checkpoint_axes();
  axes.push_back(snapshot_axis());
  axes.push_back({"gemm_n",
                  "compute: fp32 products of n x n matrices on one core",
                  Domain::integers,
                  {std::int64_t{512}}});
  return axes;
}

std::vector<core::Axis> DeclaredGroupRestore::axes() {
  std::vector<core::Axis> axes = checkpoint_axes();
  std::erase_if(axes, [](const core::Axis& axis) { return axis.name == "checksum"; });  // always
  axes.push_back({"ranks", "of the group, a thread each", Domain::integers, {std::int64_t{4}}});
  axes.push_back({"mode",
                  "who reads; one: shard by shard, each passed along a chain once it is read",
                  Domain::words,
                  {Value("all_read"), Value("one_reads")},
                  {"all_read", "one_reads"}});
  return axes;
}

std::vector<core::Case> checkpoint_declarations_cases(const Surroundings&) {
  using core::declared_case;
  return {declared_case<DeclaredSave>(), declared_case<DeclaredRestore>(), declared_case<DeclaredTwoStages>(),
          declared_case<DeclaredGroupRestore>()};
}

}  // namespace assay::offload
