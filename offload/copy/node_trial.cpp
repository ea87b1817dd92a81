// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/node_trial.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "harness/core/measure.hpp"
#include "harness/cuda/device.hpp"

namespace assay::offload {
namespace {

constexpr int rounds_alone = 9;

}  // namespace

NodeTrial::NodeTrial(const std::vector<CopyWay>& ways)
    : bytes_(ways.front().bytes * (ways.front().direction == CopyDirection::both ? 2 : 1)), copies_(ways) {
  for (std::size_t gpu = 0; gpu < ways.size(); ++gpu) {
    addresses_.push_back(cuda::describe_device(static_cast<int>(gpu)).pci_address);
    telemetry_.push_back(cuda::open_telemetry(addresses_.back()));
  }
}

core::Timing NodeTrial::enqueue(std::int64_t iterations) {
  std::vector<double> seconds = copies_.run_together(iterations);
  const core::Timing timing{.seconds = *std::ranges::max_element(seconds)};
  for (double& one : seconds) one /= static_cast<double>(iterations);
  together_.push_back(std::move(seconds));
  return timing;
}

void NodeTrial::sampling_begins() {
  together_.clear();
  for (const auto& one : telemetry_) one->begin();
}

void NodeTrial::sampling_ends() {
  for (const auto& one : telemetry_) one->end();
}

std::vector<core::Metric> NodeTrial::metrics(const core::Measurement& measurement) {
  const std::int64_t iterations = measurement.iterations_per_sample;
  for (int round = 0; round < rounds_alone; ++round) {
    alone_.push_back(copies_.run_alone(iterations));
    for (double& one : alone_.back()) one /= static_cast<double>(iterations);
  }
  return node_metrics(bytes_, together_, alone_);
}

std::vector<core::Fact> NodeTrial::facts() {
  std::vector<core::Fact> all = node_facts(bytes_, together_, alone_);
  for (std::size_t gpu = 0; gpu < addresses_.size(); ++gpu) {
    all.emplace_back(fmt::format("gpu{}_pci_address", gpu), addresses_[gpu]);
    for (core::Fact& fact : telemetry_[gpu]->facts())
      all.emplace_back(fmt::format("gpu{}_{}", gpu, fact.first), std::move(fact.second));
  }
  for (core::Fact& fact : cuda::version_facts()) all.push_back(std::move(fact));
  return all;
}

}  // namespace assay::offload
