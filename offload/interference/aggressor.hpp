// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A load that runs on a GPU all the while that a victim is timed: it says when it is there, is asked how far
// it is when the victim begins and ends, and reports whether it was there until then.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::offload {

/// An aggressor's progress between its two marks.
struct Meanwhile {
  double quanta_per_s = 0;
  std::int64_t ran_dry = 0;  // times that it had nothing queued, the victim not having ended
};

class Aggressor {
 public:
  virtual ~Aggressor() = default;

  /// Returns when it runs on the GPU. Until stop() or abandon() nothing may be allocated, freed or loaded
  /// there: that may wait for it. Throws core::TimedOut where it does not start, having abandoned it.
  virtual void start() = 0;
  /// Queue on the victim's stream a mark of how far it is by then; also where it does not run, which then
  /// takes that stream as long.
  virtual void mark_begin(cudaStream_t victim) = 0;
  virtual void mark_end(cudaStream_t victim) = 0;
  /// After the victim's stream has reached mark_end(): ends it. Throws core::Error where it had left before.
  virtual Meanwhile stop() = 0;
  virtual void abandon() noexcept = 0;

  virtual double quantum_bytes() const { return 0; }
  virtual double quantum_flops() const { return 0; }
  virtual std::optional<std::string> wrong() { return std::nullopt; }
  virtual std::vector<core::Fact> facts() const { return {}; }
};

/// An aggressor that is started, and never left running.
class RunningAggressor {
 public:
  explicit RunningAggressor(Aggressor& aggressor) : aggressor_(&aggressor) { aggressor.start(); }
  ~RunningAggressor() {
    if (aggressor_ != nullptr) aggressor_->abandon();
  }
  RunningAggressor(const RunningAggressor&) = delete;
  RunningAggressor& operator=(const RunningAggressor&) = delete;

  Meanwhile stop() {
    const Meanwhile seen = aggressor_->stop();
    aggressor_ = nullptr;
    return seen;
  }

 private:
  Aggressor* aggressor_;
};

}  // namespace assay::offload
