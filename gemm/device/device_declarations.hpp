// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases of products on GPUs as a plan and a list see them, in builds with and without CUDA.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gemm/cases.hpp"
#include "gemm/points.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/cuda/device_place.hpp"
#include "harness/integrity/detection.hpp"

namespace assay::gemm {

/// The request as cuBLASLt runs it: 8-bit operands lie with k contiguous, and a weight gradient in fp32 is
/// added to another.
Request on_device(Request request);

struct DeclaredDeviceProduct {
  struct Settings {
    Request request;  // as on_device() gives it
    cuda::DevicePlace place = {};
  };
  static core::Work work(const Settings& settings) { return gemm::work(settings.request); }
  static std::vector<core::Fact> derived(const Settings& settings) { return gemm::derived(settings.request); }
  static std::optional<std::string> impossible(const Settings& settings) {
    return settings.request.impossible;
  }
};

struct DeclaredDeviceMatmul : DeclaredDeviceProduct {
  static constexpr std::string_view name = "gemm.cuda.matmul";
  static constexpr std::string_view measures = "FLOP rate of cuBLASLt";
  static constexpr core::Headline headline = core::Headline::tflops;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
};

struct DeclaredDeviceTransformer : DeclaredDeviceProduct {
  static constexpr std::string_view name = "gemm.cuda.transformer";
  static constexpr std::string_view measures =
      "FLOP rate of the GEMMs of one rank's transformer block, against tensor parallelism, by cuBLASLt";
  static constexpr core::Headline headline = core::Headline::tflops;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
};

struct DeclaredDeviceAttention : DeclaredDeviceProduct {
  static constexpr std::string_view name = "gemm.cuda.attention";
  static constexpr std::string_view measures =
      "FLOP rate of attention's two products of all heads in one call, by cuBLASLt's strided batches";
  static constexpr core::Headline headline = core::Headline::tflops;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
};

struct DeclaredDeviceCorruption : DeclaredDeviceProduct {
  static constexpr std::string_view name = "gemm.cuda.corruption";
  static constexpr std::string_view measures =
      "silent corruption: each product of cuBLASLt compared bit by bit with one computed by whole numbers";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
};

struct DeclaredDeviceSelfTest : DeclaredDeviceProduct {
  struct Settings : DeclaredDeviceProduct::Settings {
    integrity::StudyPlan plan = {};
  };
  static constexpr std::string_view name = "gemm.cuda.corruption_self_test";
  static constexpr std::string_view measures =
      "silent corruption: what the probe on the GPU catches of bits flipped in a product of cuBLASLt";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings&) {
    return {.bytes_counted = "nothing: faults are counted, not bytes"};
  }
};

struct DeclaredNodeMatmul {
  struct Settings {
    Request request;  // as on_device() gives it
    std::int64_t gpus = 1;
    core::OwnClock::Place place = {};
  };
  static constexpr std::string_view name = "gemm.cuda.node_matmul";
  static constexpr std::string_view measures =
      "FLOP rate of cuBLASLt on several GPUs of a node at once, and on each of them alone";
  static constexpr core::Headline headline = core::Headline::tflops;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings);
  static std::vector<core::Fact> derived(const Settings& settings) { return gemm::derived(settings.request); }
};

struct DeclaredPowerRamp {
  struct Settings {
    DeclaredNodeMatmul::Settings node;
    std::int64_t load = 100;  // percent of the time
    core::OwnClock::Place place = {};
  };
  static constexpr std::string_view name = "gemm.cuda.power_ramp";
  static constexpr std::string_view measures =
      "power of all GPUs of a node while they multiply together for a part of the time";
  static constexpr core::Headline headline = core::Headline::tflops;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings) { return DeclaredNodeMatmul::work(settings.node); }
  static std::vector<core::Fact> derived(const Settings& settings) {
    return DeclaredNodeMatmul::derived(settings.node);
  }
};

/// All of them, for a build without CUDA.
std::vector<core::Case> device_declarations_cases(const Surroundings& around);

}  // namespace assay::gemm
