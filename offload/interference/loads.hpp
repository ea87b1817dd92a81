// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Loads that run on one CPU thread next to something else: each load repeats one quantum of work, and can
// report afterwards whether what it computed or moved is right.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/workload/problem.hpp"

namespace assay::offload {

enum class LoadKind {
  gemm,       // a square product of a host library, on one thread
  stream,     // c = a + 3 b over arrays beyond the caches
  copy,       // memcpy from the far to the near memory
  copy_back,  // memcpy from the near to the far memory
  spin,       // arithmetic in registers: a CPU taken, no memory touched
};

std::string to_string(LoadKind kind);
std::vector<std::string> all_loads();
/// Loads that can be disturbed: all but spin.
std::vector<std::string> all_victims();
/// Throws a usage Error that names `axis` and what is accepted.
LoadKind load_from(const std::string& axis, const std::string& word);

struct LoadSettings {
  std::int64_t gemm_size = 512;
  workload::Dtype dtype = workload::Dtype::bf16;
  std::int64_t bytes = 0;  // of a stream's or copy's arrays together
  int near_node = -1, far_node = -1;
};

class Load {
 public:
  virtual ~Load() = default;
  virtual void quantum() = 0;
  /// Read plus written by one quantum; 0 where memory is not what it is about.
  virtual double quantum_bytes() const { return 0; }
  /// Names what is wrong in the results of the quanta so far; empty where nothing is.
  virtual std::optional<std::string> wrong() = 0;
};

/// The component that this build lacks for it; nothing where it has all.
std::optional<std::string> not_built(LoadKind kind, const LoadSettings& settings);
/// Why this machine cannot run it; empty where it can.
std::optional<std::string> unsupported(LoadKind kind, const LoadSettings& settings);

std::int64_t memory_bytes(LoadKind kind, const LoadSettings& settings);

/// Call it, and everything of the load, on the thread that runs it, with OpenMP's default there set to one
/// thread. Throws core::Error.
std::unique_ptr<Load> make_load(LoadKind kind, const LoadSettings& settings);

}  // namespace assay::offload
