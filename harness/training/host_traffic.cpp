// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/host_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "harness/training/presets.hpp"

namespace assay::training {
namespace {

constexpr double bytes_a_value = 2, bytes_of_adam = 12;  // 32-bit weights and two moments

class HostStepPlanner {
 public:
  explicit HostStepPlanner(const HostStepInput& input)
      : input_(input),
        blocks_(static_cast<std::size_t>(input.model.layers)),
        parameters_(block_parameters(input.model) / static_cast<double>(input.ranks)) {}

  HostStep plan() {
    const auto tokens = static_cast<double>(input_.tokens);
    const double forward_s = block_flops(input_.model, tokens, tokens) / input_.flops_per_s;
    step_.pass_s.assign(blocks_, forward_s);
    step_.pass_s.resize(2 * blocks_, 2 * forward_s);
    for (std::size_t block = 0; block < blocks_; ++block) forward(block);
    for (std::size_t block = blocks_; block-- > 0;) backward(block);
    for (std::size_t block = 0; input_.holds.optimizer && block < blocks_; ++block)
      add({.name = "weights", .bytes = bytes_of(bytes_a_value * parameters_), .after = 2 * blocks_});
    return std::move(step_);
  }

 private:
  static std::int64_t bytes_of(double bytes) { return std::llround(std::ceil(bytes)); }
  std::int64_t activation_bytes() const {
    return bytes_of(bytes_a_value * static_cast<double>(input_.tokens * input_.model.hidden));
  }
  std::size_t backward_pass(std::size_t block) const { return 2 * blocks_ - 1 - block; }

  void add(HostTransfer transfer) {
    if (transfer.bytes > 0) step_.transfers.push_back(std::move(transfer));
  }

  void forward(std::size_t block) {
    if (input_.holds.activations) {
      left_.push_back(step_.transfers.size());
      add({.name = "activations", .to_host = true, .bytes = activation_bytes(), .after = block + 1});
    }
    if (input_.holds.checkpoint)
      add({.name = "checkpoint",
           .to_host = true,
           .bytes = bytes_of((bytes_a_value + bytes_of_adam) * parameters_)});
  }

  void backward(std::size_t block) {
    const std::size_t pass = backward_pass(block);
    if (input_.holds.activations)
      add({.name = "activations back",
           .bytes = activation_bytes(),
           .after = std::max(blocks_, pass - 1),
           .before = pass,
           .brings_back = left_[block]});
    if (input_.holds.optimizer)
      add({.name = "gradients",
           .to_host = true,
           .bytes = bytes_of(bytes_a_value * parameters_),
           .after = pass + 1});
  }

  const HostStepInput& input_;
  std::size_t blocks_;
  double parameters_;                   // of a block, for each rank
  std::vector<std::size_t> left_ = {};  // activations of each block, by their place
  HostStep step_ = {};
};

}  // namespace

double HostStep::bytes(bool to_host) const {
  double sum = 0;
  for (const HostTransfer& one : transfers)
    if (one.to_host == to_host) sum += static_cast<double>(one.bytes);
  return sum;
}

double HostStep::compute_s() const { return std::accumulate(pass_s.begin(), pass_s.end(), 0.0); }

HostStep host_step(const HostStepInput& input) { return HostStepPlanner(input).plan(); }

}  // namespace assay::training
