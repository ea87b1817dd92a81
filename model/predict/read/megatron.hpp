// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Command lines of Megatron-LM and NeMo as executions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay::model {

struct MegatronExecution {
  nlohmann::json execution;         // the keys of an execution file
  std::int64_t sequence = 0;        // tokens; 0: not in the line
  std::vector<std::string> unused;  // flags that may change the step and are not used
};
/// `line`: flags, with or without `torchrun --nproc-per-node N --nnodes M script.py` before them, as a shell
/// takes them apart; NeMo's `model.tensor_model_parallel_size=8` count as flags too. Tensor parallelism is on
/// network 0, all else on network 1. Throws a usage Error naming the flag.
MegatronExecution read_megatron(const std::string& line);

}  // namespace assay::model
