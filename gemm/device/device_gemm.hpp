// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GEMM on a GPU through cuBLASLt: operands filled in place, one matmul queued an iteration, outputs
// summarised there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gemm/check/check.hpp"
#include "gemm/device/device_declarations.hpp"
#include "gemm/device/device_summary.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/rotation.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "harness/workload/lt_matmul.hpp"

namespace assay::gemm {

using workload::CublasLt;
using workload::lt_workspace_bytes;
using workload::LtMatmul;
using workload::LtOperands;
using workload::LtScales;

/// Candidates asked of the library when the best is wanted.
inline constexpr int most_candidates = 32;

/// Why this GPU or library cannot do what is asked; empty when it can. The device must exist.
std::optional<std::string> device_unsupported(const Request& request, const cuda::Device& device);

/// Adds what cases of products on a GPU have beyond their declarations.
template <class Declaration>
struct DeviceProductCase : Declaration {
  using Site = cuda::GatedSite;
  /// The product is described to the library, and a run asks several times a point, last when the device may
  /// already be lost.
  static constexpr bool remembers_unsupported = true;

  static std::optional<std::string> unsupported(const DeclaredDeviceProduct::Settings& settings) {
    return device_unsupported(settings.request, cuda::describe_device(settings.place.gpu));
  }
};

class DeviceGemm {
 public:
  /// `request` as on_device() gives it. Throws core::Error.
  DeviceGemm(const Request& request, cuda::DeviceSite& site);

  void enqueue();
  core::Verification check();
  std::vector<core::Fact> facts() const;
  const Request& request() const { return request_; }
  /// The output of operand set 0, in device memory.
  void* output() const { return operands(0).d; }

 private:
  LtOperands operands(std::int64_t set) const;
  void fill_operands();
  void choose_best();
  double seconds_of(int candidate);
  double seconds_unless_refused(int candidate);
  core::Verification check_set(std::int64_t set);

  Request request_;
  cuda::DeviceSite& site_;
  cuda::RotatingSet rotation_;
  cuda::DeviceBuffer memory_, workspace_, scales_;
  DeviceSummary summary_;
  LtMatmul product_;
  std::int64_t last_ = 0;
  double saturated_fraction_ = 0;
};

}  // namespace assay::gemm
