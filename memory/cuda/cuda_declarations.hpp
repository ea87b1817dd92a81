// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA cases as a plan and a list see them, in builds with and without CUDA. The class that runs each is
// in the file of the case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/measure/case_of.hpp"
#include "harness/cuda/device_place.hpp"
#include "harness/integrity/detection.hpp"
#include "harness/machine/machine.hpp"
#include "memory/cuda/cuda_axes.hpp"
#include "memory/host/vector_kernels.hpp"

namespace assay::memory {

struct DeclaredCudaRead : DeclaredCudaStream<1> {
  static constexpr std::string_view name = "memory.cuda.read";
  static constexpr std::string_view measures = "GPU memory: bandwidth of 16-byte loads that are only summed";
  static core::Work work(const Settings& settings);
};

struct DeclaredCudaWrite : DeclaredCudaStream<1> {
  static constexpr std::string_view name = "memory.cuda.write";
  static constexpr std::string_view measures = "GPU memory: bandwidth of 16-byte stores of random bits";
  static core::Work work(const Settings& settings);
};

struct DeclaredCudaCopy : DeclaredCudaStream<2> {
  static constexpr std::string_view name = "memory.cuda.copy";
  static constexpr std::string_view measures = "GPU memory: bandwidth of a copy by the SMs";
  static std::vector<core::Axis> axes();
  static core::Work work(const Settings& settings);
};

struct DeclaredCudaTriad : DeclaredCudaStream<3> {
  static constexpr std::string_view name = "memory.cuda.triad";
  static constexpr std::string_view measures = "GPU memory: bandwidth of STREAM's triad c = a + 3 b in fp32";
  static core::Work work(const Settings& settings);
};

struct DeclaredCudaMemset : DeclaredCudaStream<1> {
  static constexpr std::string_view name = "memory.cuda.memset";
  static constexpr std::string_view measures = "GPU memory: bandwidth of cudaMemsetAsync";
  static core::Work work(const Settings& settings);
};

struct DeclaredCudaCopyEngine : DeclaredCudaStream<2> {
  static constexpr std::string_view name = "memory.cuda.copy_engine";
  static constexpr std::string_view measures = "GPU memory: bandwidth of cudaMemcpyAsync within one device";
  static core::Work work(const Settings& settings);
};

/// One load after the other.
struct DeclaredCudaChase {
  static constexpr core::Headline headline = core::Headline::latency_ns;
  template <class Settings>
  static core::Work work(const Settings&) {
    return {.bytes = 8, .bytes_counted = "one load of 8 bytes an iteration"};
  }
};

struct DeclaredCudaLatency : DeclaredCudaChase {
  struct Settings {
    std::uint64_t nodes = 0;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.latency";
  static constexpr std::string_view measures =
      "GPU memory: latency of a load that depends on the one before, over a random cycle of 128-byte lines";
  static std::vector<core::Axis> axes() { return {cuda::gpu_axis(), cuda_ladder_axis()}; }
  static Settings settings(const core::Point& point);
};

struct DeclaredCudaLinkLatency : DeclaredCudaChase {
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
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static std::optional<std::string> impossible(const Settings& settings);
};

struct DeclaredCudaPattern {
  struct Settings {
    std::int64_t fraction_percent = 0;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.pattern";
  static constexpr std::string_view measures =
      "GPU memory: every word holds what was written, with address-dependent data and its inverse";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings&) {
    return {.bytes_counted =
                "not known before the free memory is: see tested_bytes, each written, read, written and "
                "read"};
  }
};

/// 16-byte units of the source, which is half of the footprint. Throws a usage Error where that is zero.
std::uint64_t quads_of(const core::Point& point);

struct DeclaredCudaCorruption {
  struct Settings {
    std::uint64_t quads = 0;
    bool by_host = false;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.corruption";
  static constexpr std::string_view measures =
      "silent corruption: patterns written, copied and compared word by word, within a GPU or by way of the "
      "host";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings);
};

struct DeclaredCudaSelfTest {
  struct Settings {
    std::uint64_t words = 0;
    integrity::StudyPlan plan = {};
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.corruption_self_test";
  static constexpr std::string_view measures =
      "silent corruption: whether the comparison on the GPU finds bits flipped in its memory";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings&) {
    return {.bytes_counted = "nothing: faults are counted, not bytes"};
  }
};

struct DeclaredCudaVector {
  struct Settings {
    VectorProblem problem = {};
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.vector";
  static constexpr std::string_view measures =
      "GPU: bandwidth of a transformer's vector kernels (layer norm, softmax, GELU, residual, dropout, Adam)";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings) { return vector_work(settings.problem); }
  static std::vector<core::Fact> derived(const Settings& settings);
};

/// All, in the order of the build that runs them.
std::vector<core::Case> cuda_declarations_cases(const machine::Machine& machine);

}  // namespace assay::memory
