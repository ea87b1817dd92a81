// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs any schedule over any transport, in host memory.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "collectives/algorithms/schedule.hpp"
#include "collectives/data_type.hpp"
#include "collectives/transport/transport.hpp"

namespace assay::collectives {

/// The most elements that arrive for reduction in one step.
std::int64_t most_arriving(const Schedule& schedule);

class Executor {
 public:
  /// Allocates and touches scratch here, so that run() allocates nothing. `transport` must outlive it.
  Executor(Schedule schedule, DataType type, Operator reduction, Transport& transport);

  /// The whole operation once; every rank calls it. The buffers have the sizes of shape_of().
  void run(std::span<const std::byte> input, std::span<std::byte> output);

  const std::vector<std::string_view>& phases() const { return schedule_.phases; }
  /// When each phase of the last run ended, in seconds from its beginning; one that this rank takes no part
  /// in ends with the one before.
  std::span<const double> phase_ends_s() const { return phase_ends_s_; }

 private:
  void ends_step(const Step& step);
  std::byte* at(const Range& range) const;
  std::size_t bytes(const Range& range) const;
  void transfer(const Step& step);
  void reduce_arrived(const Step& step);
  void work(const Local& local) const;

  Schedule schedule_;
  DataType type_;
  Operator reduction_;
  Transport& transport_;
  std::vector<std::byte> scratch_;
  std::vector<double> phase_ends_s_;
  double began_s_ = 0;               // of the run; only where there are phases
  std::vector<std::byte> arriving_;  // what is to be reduced, one after the other
  const std::byte* input_ = nullptr;
  std::byte* output_ = nullptr;
};

}  // namespace assay::collectives
