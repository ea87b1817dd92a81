// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The manifest that makes shards a checkpoint: a file that names them with their checksums and appears whole
// or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "offload/checkpoint/storage/shard_io.hpp"

namespace assay::offload {

struct Manifest {
  std::int64_t generation = 0;   // of the checkpoint: the first is 1
  std::int64_t bytes = 0;        // of all shards together
  std::int64_t block_bytes = 0;  // what the shards' checksums were made over
  bool checksums = true;
  std::vector<Shard> shards = {};  // paths are names within the manifest's folder
};

/// JSON in one line and, in a second, the XXH3 of the first.
std::string to_text(const Manifest& manifest);
/// Throws core::Error (system) for text that is not whole.
Manifest manifest_from(const std::string& text);

/// Writes it to `path` so that after a crash either all of it is there or nothing; it and every file made in
/// its folder before are on the device when this returns. Throws core::Error (system).
void commit(const Manifest& manifest, const std::filesystem::path& path);
/// Throws core::Error (system) naming the path.
Manifest read_manifest(const std::filesystem::path& path);

}  // namespace assay::offload
