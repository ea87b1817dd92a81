// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases of storage as a plan and a list see them: whether this build or machine can do them is not asked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "offload/cases.hpp"

namespace assay::offload {

/// When written bytes must be on the device.
enum class SyncPolicy { none, end, each };

struct StorageSettings {
  std::filesystem::path folder;
  std::int64_t bytes = 0;  // of all files together
  std::int64_t block_bytes = 0;
  unsigned depth = 1;
  int jobs = 1;
  bool random = false, direct = true, writes = false;
  SyncPolicy sync = SyncPolicy::none;

  std::int64_t file_bytes() const { return bytes / jobs; }
};

/// order, bytes, block, depth, jobs, direct.
std::vector<core::Axis> storage_axes();
/// Throws a usage Error naming axis and value. `point` has `sync` where it `writes`.
StorageSettings storage_settings(const core::Point& point, const std::filesystem::path& folder, bool writes);

struct DeclaredStorage {
  struct Settings {
    StorageSettings storage;
  };
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  /// A queue that fills and empties is a small part of a sample.
  static constexpr double min_sample_seconds = 0.1;
  static std::vector<core::Axis> axes() { return storage_axes(); }
  /// One request of every job.
  static core::Work storage_work(const StorageSettings& settings);
};

struct DeclaredStorageRead : DeclaredStorage {
  static constexpr std::string_view name = "offload.storage.read";
  static constexpr std::string_view measures = "blocks of laid-out files read from storage";
  static constexpr bool writes = false;
};

struct DeclaredStorageWrite : DeclaredStorage {
  static constexpr std::string_view name = "offload.storage.write";
  static constexpr std::string_view measures = "blocks of laid-out files written over on storage";
  static constexpr bool writes = true;
  static std::vector<core::Axis> axes();
};

/// A declaration with the settings and work of its points.
template <class Declaration>
struct OnStorage : Declaration {
  using Settings = DeclaredStorage::Settings;
  static Settings settings(const core::Point& point, const Surroundings& around) {
    return {storage_settings(point, around.module->checkpoint_folder, Declaration::writes)};
  }
  static core::Work work(const Settings& settings) { return Declaration::storage_work(settings.storage); }
};

/// Both, for a build that cannot make them.
std::vector<core::Case> storage_declarations_cases(const Surroundings& around);

}  // namespace assay::offload
