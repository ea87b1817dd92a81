// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases of checkpoints as a plan and a list see them: what this build or machine can do of them is not
// asked.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "offload/cases.hpp"

namespace assay::offload {

/// bytes, shards, block, depth, direct, checksum; and whether compute pauses for the snapshot.
std::vector<core::Axis> checkpoint_axes();
core::Axis snapshot_axis();

core::Work checkpoint_work(std::int64_t bytes);

struct DeclaredCheckpoint {
  struct Settings {
    std::int64_t bytes = 0;
  };
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static std::vector<core::Axis> axes() { return checkpoint_axes(); }
  static Settings settings(const core::Point& point) { return {point.integer("bytes")}; }
  static core::Work work(const Settings& settings) { return checkpoint_work(settings.bytes); }
};

struct DeclaredSave : DeclaredCheckpoint {
  static constexpr std::string_view name = "offload.host.save";
  static constexpr std::string_view measures = "a checkpoint written from host memory, until it is synced";
};

struct DeclaredRestore : DeclaredCheckpoint {
  static constexpr std::string_view name = "offload.host.restore";
  static constexpr std::string_view measures = "a checkpoint read back to host memory and checked";
};

struct DeclaredTwoStages : DeclaredCheckpoint {
  static constexpr std::string_view name = "offload.host.checkpoint";
  static constexpr std::string_view measures =
      "a checkpoint in two stages during compute: snapshot, then saved and committed";
  static std::vector<core::Axis> axes();
};

struct DeclaredGroupRestore : DeclaredCheckpoint {
  static constexpr std::string_view name = "offload.host.group_restore";
  static constexpr std::string_view measures =
      "a checkpoint restored by every rank of a data-parallel group: all read, or one reads and passes it on";
  static std::vector<core::Axis> axes();
};

/// All four, for a build that cannot make them.
std::vector<core::Case> checkpoint_declarations_cases(const Surroundings& around);

}  // namespace assay::offload
