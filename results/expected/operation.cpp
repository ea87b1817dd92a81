// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/operation.hpp"

#include "harness/core/names.hpp"
#include "results/expected/question.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results::expected {
namespace {

std::string operation_of_copy(const std::string& direction) {
  if (direction == "d2h") return "device_to_host";
  return direction == "h2d" ? "host_to_device" : "";
}

std::string operation_of_product(const std::string& dtype) {
  if (dtype.starts_with("fp8")) return "matmul_8bit";
  return dtype == "bf16" || dtype == "fp16" ? "matmul_16bit" : "";
}

}  // namespace

std::string operation_of(std::string_view case_name, const Fields& axes) {
  constexpr std::string_view collectives = "collectives.nccl.";
  if (case_name.starts_with(collectives)) {
    std::string operation(case_name.substr(collectives.size()));
    return is_collective(operation) ? operation : "";
  }
  if (case_name == "offload.cuda.copy") return operation_of_copy(field_text(axes, {"direction"}));
  if (case_name == "offload.cuda.peer_copy")
    return field_text(axes, {"ways"}) == "both" ? std::string(both_ways) : "device_to_device";
  if (case_name == "rdma.verbs.bandwidth") return field_text(axes, {"operation"}) == "write" ? "write" : "";
  if (case_name == "memory.cuda.copy" || case_name == "memory.cuda.triad") return "memory";
  return case_name == "gemm.cuda.matmul" ? operation_of_product(field_text(axes, {"dtype"})) : "";
}

std::string_view metric_of(const std::string& operation) {
  if (is_collective(operation)) return core::names::busbw_gb_per_s;
  return operation.starts_with("matmul") ? core::names::tflops : core::names::bandwidth_gb_per_s;
}

}  // namespace assay::results::expected
