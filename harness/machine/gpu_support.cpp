// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/gpu_support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/machine/machine.hpp"

namespace assay::machine {
namespace {

/// Names of GPUs with a folder of records in results/reference, as the driver has them.
constexpr std::array<std::string_view, 1> measured{"NVIDIA H100 80GB HBM3"};

/// Compute capabilities that unit.kernel_architectures compiles every kernel for.
constexpr std::array<std::string_view, 7> checked{"8.0", "8.6", "8.9", "9.0", "10.0", "10.3", "12.0"};

bool has(const auto& list, std::string_view one) { return std::ranges::find(list, one) != list.end(); }

}  // namespace

GpuSupport support_of(const Gpu& gpu) {
  if (has(measured, gpu.name)) return {"measured", "tests, all modules and a calibration ran on one"};
  if (has(checked, gpu.compute_capability))
    return {"builds and is checked",
            fmt::format(
                "kernels are compiled for compute capability {} and ran on a simulated GPU, not on this one",
                gpu.compute_capability)};
  return {"unknown",
          gpu.compute_capability.empty()
              ? "the driver does not say its compute capability"
              : fmt::format("no kernel was compiled for compute capability {} alone or tried on it",
                            gpu.compute_capability)};
}

}  // namespace assay::machine
