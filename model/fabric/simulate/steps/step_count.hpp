// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How many steps have been simulated, for whoever shows progress.
#pragma once

#include <atomic>
#include <cstddef>

#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

class StepCount {
 public:
  /// `options` must outlive it.
  StepCount(const SimulationOptions& options, std::size_t of) : options_(&options), of_(of) { show(0); }

  /// Called by several threads.
  void next() { show(++done_); }

 private:
  void show(std::size_t done) const {
    if (options_->progress) options_->progress(done, of_);
  }

  const SimulationOptions* options_;
  std::size_t of_;
  std::atomic<std::size_t> done_ = 0;
};

}  // namespace assay::model::fabric
