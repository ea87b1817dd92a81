// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Peak rate of the host's arithmetic units, measured here by a loop that touches registers only.
#pragma once

#include <optional>
#include <string>

#include "gemm/problem.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/machine/machine.hpp"

namespace assay::gemm {

struct Peak {
  double tflops = 0;
  std::string source;
};

/// All threads of the site at once, best of a few rounds, under 50 ms: the best that this process has seen of
/// that type and team, since a virtual CPU can be slow for seconds. Measure it right before what it is the
/// peak of. Empty, with the reason in `why_not`, where no loop stands for what this CPU's libraries use.
std::optional<Peak> host_peak(const machine::Cpu& cpu, Dtype dtype, const host::OpenMpSite& site,
                              std::string& why_not);

}  // namespace assay::gemm
