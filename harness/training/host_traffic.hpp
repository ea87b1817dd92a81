// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The traffic of a training step between a GPU and its host, where the host holds the optimizer, activations,
// or a checkpoint. By block, with p parameters (block_parameters) and n ranks that share the state:
//   optimizer    gradients of 2 p / n bytes to the host once the block's backward pass is done, weights of
//                2 p / n back after all of them (Ren et al. 2021, "ZeRO-Offload", arXiv 2101.06840, section
//                4)
//   activations  the block's input, 2 bytes for each token and feature, to the host after its forward pass,
//                and back before its backward pass, one block ahead
//   checkpoint   weights and Adam's state, 2 + 12 bytes of p / n, to the host before the weights change
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/workload/transformer.hpp"

namespace assay::training {

struct HostHolds {
  bool optimizer = false, activations = false, checkpoint = false;
};

struct HostTransfer {
  std::string name;
  bool to_host = false;
  std::int64_t bytes = 0;
  std::size_t after = 0;                        // passes that end before it begins
  std::optional<std::size_t> before = {};       // the pass that waits for it; the step's end always does
  std::optional<std::size_t> brings_back = {};  // the transfer whose bytes return
};

/// Forward passes of all blocks, then backward passes from the last to the first.
struct HostStep {
  std::vector<double> pass_s;
  std::vector<HostTransfer> transfers;  // those of one direction go one after the other

  double bytes(bool to_host) const;
  double compute_s() const;
};

struct HostStepInput {
  workload::Transformer model;
  std::int64_t tokens = 1;  // of a rank and step, one sequence
  std::int64_t ranks = 1;   // that share optimizer and checkpoint
  double flops_per_s = 1e12;
  HostHolds holds;
};

/// Backward passes take twice the time of forward ones. What has no bytes is left out.
HostStep host_step(const HostStepInput& input);

}  // namespace assay::training
