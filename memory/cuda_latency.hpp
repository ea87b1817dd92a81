// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Latency of a dependent load of a GPU: over footprint in its own memory (L1, L2, HBM), and over its link to
// the host's memory and to a peer's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/case_of.hpp"
#include "harness/cuda/device_site.hpp"
#include "harness/machine/machine.hpp"
#include "memory/cuda_axes.hpp"
#include "memory/cuda_chase.hpp"

namespace assay::memory {

class CudaLatency : public CudaChase {
 public:
  using Site = cuda::GatedSite;
  struct Settings {
    std::uint64_t nodes = 0;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.latency";
  static constexpr std::string_view measures =
      "GPU memory: latency of a load that depends on the one before, over a random cycle of 128-byte lines";
  static constexpr core::Headline headline = core::Headline::latency_ns;
  static std::vector<core::Axis> axes() { return {cuda::gpu_axis(), cuda_ladder_axis()}; }
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings&) {
    return {.bytes = 8, .bytes_counted = "one load of 8 bytes an iteration"};
  }

  CudaLatency(const Settings& settings, cuda::DeviceSite& site);
};

class CudaLinkLatency : public CudaChase {
 public:
  using Site = cuda::GatedSite;
  struct Settings {
    std::uint64_t nodes = 0;
    bool of_peer = false;  // else the host's memory
    int peer = 1;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.link_latency";
  static constexpr std::string_view measures =
      "link of a GPU to the host or to another GPU: latency of a load from there that depends on the one "
      "before";
  static constexpr core::Headline headline = core::Headline::latency_ns;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings&) {
    return {.bytes = 8, .bytes_counted = "one load of 8 bytes an iteration"};
  }
  static std::optional<std::string> impossible(const Settings& settings);
  static std::optional<std::string> unsupported(const Settings& settings);

  /// Throws core::Unsupported where the GPU does not reach its peer's memory.
  CudaLinkLatency(const Settings& settings, cuda::DeviceSite& site);
};

std::vector<core::Case> cuda_latency_cases(const machine::Machine& machine);

}  // namespace assay::memory
