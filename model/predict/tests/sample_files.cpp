// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/tests/sample_files.hpp"

#include "harness/core/text/json_from.hpp"

namespace assay::model {

using nlohmann::json;

json sample_application() {
  return core::json_from<json>(
      R"({"hidden": 4, "feedforward": 8, "seq_size": 2, "attn_heads": 2, "attn_size": 2, "num_blocks": 1})");
}

json sample_execution() {
  return core::json_from<json>(R"({
    "num_procs": 1, "tensor_par": 1, "pipeline_par": 1, "data_par": 1,
    "tensor_par_net": 0, "pipeline_par_net": 1, "data_par_net": 1,
    "batch_size": 1, "microbatch_size": 1, "datatype": "float16", "fused_activation": false,
    "attention_type": "multihead", "activation_recompute": "none", "pipeline_interleaving": 1,
    "optimizer_sharding": false, "tensor_par_comm_type": "ar", "tensor_par_overlap": "none",
    "seq_par_ag_redo": false, "data_par_overlap": false,
    "weight_offload": false, "activations_offload": false, "optimizer_offload": false, "training": true})");
}

json sample_system() {
  return core::json_from<json>(R"({
    "matrix": {"float16": {"tflops": 1, "gflops_efficiency": [[0, 1.0]]}},
    "vector": {"float16": {"tflops": 1, "gflops_efficiency": [[0, 1.0]]}},
    "mem1": {"GiB": 1, "GBps": 1, "MB_efficiency": [[0, 1.0]]},
    "mem2": {"GiB": 1, "GBps": 1, "MB_efficiency": [[0, 1.0]]},
    "processing_mode": "no_overlap",
    "networks": [
      {"bandwidth": 1, "efficiency": 1.0, "size": 8, "latency": 0, "must_be_filled": false, "processor_usage": 0,
       "ops": {"p2p": [1, null], "reduce_scatter": [1, -1], "all_gather": [1, -1], "all_reduce": [2, -1]}},
      {"bandwidth": 1, "efficiency": 1.0, "size": 4096, "latency": 0, "must_be_filled": false, "processor_usage": 0,
       "ops": {"p2p": [1, null], "reduce_scatter": [1, -1], "all_gather": [1, -1], "all_reduce": [2, -1]}}]})");
}

Configuration read_sample(const json& application, const json& execution, const json& system) {
  return read_configuration(application, execution, system,
                            {"application.json", "execution.json", "system.json"});
}

}  // namespace assay::model
