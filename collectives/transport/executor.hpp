// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs any schedule over any transport, in host memory.
#pragma once

#include <cstddef>
#include <span>
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

 private:
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
  std::vector<std::byte> arriving_;  // what is to be reduced, one after the other
  const std::byte* input_ = nullptr;
  std::byte* output_ = nullptr;
};

}  // namespace assay::collectives
