// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Latency of a dependent load of a GPU: over footprint in its own memory (L1, L2, HBM), and over its link to
// the host's memory and to a peer's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cuda/timing/device_site.hpp"
#include "memory/cuda/cuda_chase.hpp"
#include "memory/cuda/cuda_declarations.hpp"

namespace assay::memory {

class CudaLatency : public DeclaredCudaLatency, public CudaChase {
 public:
  using Site = cuda::GatedSite;

  CudaLatency(const Settings& settings, cuda::DeviceSite& site);
};

class CudaLinkLatency : public DeclaredCudaLinkLatency, public CudaChase {
 public:
  using Site = cuda::GatedSite;

  static std::optional<std::string> unsupported(const Settings& settings);

  /// Throws core::Unsupported where the GPU does not reach its peer's memory.
  CudaLinkLatency(const Settings& settings, cuda::DeviceSite& site);
};

std::vector<core::Case> cuda_latency_cases(const machine::Machine& machine);

}  // namespace assay::memory
