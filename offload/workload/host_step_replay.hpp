// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host twin of a step's traffic: two arrays of host memory, and a thread that copies between them as a copy
// engine would, capped to a stated rate.
#pragma once

#include <optional>
#include <string>

#include "harness/host/arena.hpp"
#include "offload/workload/step_layout.hpp"
#include "offload/workload/step_progress.hpp"

namespace assay::offload {

class HostStepReplay {
 public:
  /// `step` must outlive it.
  HostStepReplay(const training::HostStep& step, double cap_gb_per_s);

  /// Targets are spoiled before, outside of the time.
  HostStepTimes run();
  std::optional<std::string> wrong() const {
    return layout_.wrong(near_.as<std::byte>(), far_.as<std::byte>());
  }

 private:
  const training::HostStep& step_;
  double cap_gb_per_s_;
  StepLayout layout_;
  host::Arena near_, far_;
};

}  // namespace assay::offload
