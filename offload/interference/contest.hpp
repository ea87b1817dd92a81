// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A victim on one CPU and aggressors on others: the victim's time alone, next to spinning threads and next to
// the aggressor, one after the other within every sample.
#pragma once

#include <memory>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/host/pinned_threads.hpp"
#include "offload/interference/contest_metrics.hpp"
#include "offload/interference/loads.hpp"
#include "offload/pipeline/pace.hpp"

namespace assay::offload {

struct ContestSettings {
  LoadKind victim = LoadKind::gemm, aggressor = LoadKind::spin;
  int threads = 1;                  // of the aggressor, each on a CPU of its own; 0: no load, a control
  double cap_gb_per_s = unlimited;  // of each of them, read plus written
  LoadSettings loads;
};

class Contest {
 public:
  /// Takes threads + 1 CPUs of the near node. Throws core::Error.
  explicit Contest(const ContestSettings& settings);

  ContestTimes run();
  /// Verifies what the victim and the aggressors computed and moved.
  core::Verification verify();
  const std::vector<int>& cpus() const { return cpus_; }  // the victim's first
  int quanta() const { return quanta_; }                  // of the victim in each of the three times

 private:
  using Loads = std::vector<std::unique_ptr<Load>>;
  struct Round;
  /// Loads indexed by rank - 1, each made on its thread.
  Loads make_loads(LoadKind kind);
  /// Runs the victim while `others` (empty: no load) run all along.
  Round run_beside(const Loads& others);

  ContestSettings settings_;
  std::vector<int> cpus_;
  host::PinnedThreads crew_;
  host::OpenMpSite site_;  // the victim's thread: a team of one
  std::unique_ptr<Load> victim_;
  Loads spinners_, aggressors_, no_load_;
  int quanta_ = 1;
};

}  // namespace assay::offload
