// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline: blocks' weights in a far memory, slots for them in a near one, a thread that copies and
// threads that compute; and each part by itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/host/pinned_threads.hpp"
#include "harness/workload/host_library.hpp"
#include "offload/pipeline/block_layout.hpp"
#include "offload/pipeline/step_settings.hpp"

namespace assay::offload {

struct PipelineSettings : StepSettings {
  int compute_threads = 1;
  int near_node = -1, far_node = -1;
};

/// Blocks in two arenas of a host, laid out as BlockLayout says.
class BlockMemory : public BlockAddresses {
 public:
  /// Node -1: where the calling thread runs. Every block is fetched with numbers of its own. Throws
  /// core::Error.
  BlockMemory(const BlockLayout& laid_out, workload::Dtype dtype, int far_node, int near_node);

  /// Fills the far results with ones, NaN in every float type: what was never written back is found.
  void spoil_far_written();

  std::int64_t huge_page_bytes() const { return far_.huge_page_bytes() + near_.huge_page_bytes(); }

 private:
  host::Arena far_, near_;
};

class Pipeline {
 public:
  /// Takes compute_threads + 1 CPUs of the near node, binds threads and memory, fills the weights. Throws
  /// core::Error.
  explicit Pipeline(const PipelineSettings& settings);

  /// Each part once, the pipeline last.
  StepParts run_all();
  /// Compares what the last step wrote back with products of what lies far, bit for bit.
  core::Verification verify();

  std::string algorithm() const { return products_.front()->algorithm(); }
  const std::vector<int>& cpus() const { return cpus_; }  // computing ones first, the copying one last
  const BlockMemory& memory() const { return memory_; }

 private:
  void compute_block(const BlockPlaces& places);
  /// Both threads from one start edge until all blocks are through; returns the seconds.
  double run_from(const Progress& through, Slots slots);
  void run_beside(StepParts& parts);

  PipelineSettings settings_;
  std::vector<int> cpus_;
  host::PinnedThreads crew_;  // this thread and the copying one
  host::OpenMpSite site_;     // this thread's team
  BlockMemory memory_;
  std::vector<std::unique_ptr<workload::HostProduct>> products_;
};

}  // namespace assay::offload
